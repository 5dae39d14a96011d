#!/bin/sh
# twice.sh PYTEST ARGUMENT...: runs the tests, then those that failed once more, alone. A test that fails again decides. One
# that passes now raced with something on a busy machine: the log names it, and it wants mending, but the program works.
"$@" && exit 0
code=$?
tests_failed=1 # of pytest's exit codes; the others are usage, an interrupt, a crash
[ "$code" = "$tests_failed" ] || exit "$code"
echo "!!! WARNING: the tests named above failed and run once more, alone. !!!"
exec "$@" -n 0 --last-failed --last-failed-no-failures none --maxfail 10
