#!/bin/sh
# Runs a program with each Python that people have, also where this machine lacks it.
#   pythons.sh suite VERSION...            the everyday tests
#   pythons.sh smoke SMOKE VERSION...      builds the wheel, installs it in an empty environment of each version, and runs
#                                          SMOKE with the path of its `cribboard`
# A Python is taken from PATH or from pyenv. Otherwise it is that of the Debian release that has this version, unpacked
# into build/, which needs root and debootstrap. A version that cannot be had is named and left out.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=tests/debian_root.sh
. tests/debian_root.sh

here=$PWD
folder=$here/build/pythons

# on_machine VERSION: prints the path of this Python on this machine; fails if there is none that can make environments.
on_machine() {
  for python in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1."*/bin/python; do
    if "$python" -c 'import ensurepip, sqlite3, ssl, venv' 2>/dev/null; then
      command -v "$python"
      return
    fi
  done
  return 1
}

# suite_of VERSION: prints the Debian release that has this Python; fails if none has.
suite_of() {
  case $1 in
    3.11) echo bookworm ;;
    3.13) echo trixie ;;
    *) return 1 ;;
  esac
}

# find_python VERSION: sets `python` and `root`, the Debian to run it in; `root` is empty for a Python of this machine.
find_python() {
  root=
  if python=$(on_machine "$1"); then
    echo "Python $1: $python, $("$python" --version)"
    return
  fi
  if ! suite=$(suite_of "$1"); then
    reason="this machine has none, and no Debian release has it"
  elif [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    reason="this machine has none, and a Debian in a folder needs root and debootstrap"
  else
    root=$folder/$suite
    if (flock 9 && make_root "$root" "$suite" && in_root "$root" sh -euc '
      command -v python3 >/dev/null && python3 -c "import ensurepip, venv" 2>/dev/null || {
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends python3-venv ca-certificates procps
      }') 9>"$folder/$suite.lock" >"$folder/$suite.log" 2>&1; then
      python=/usr/bin/python3
      echo "Python $1: of Debian $suite in $root"
      return
    fi
    reason="Debian $suite could not be unpacked: $(tail -n 1 "$folder/$suite.log")"
  fi
  echo "!!! WARNING: Python $1 was not tried: $reason. !!!"
  return 1
}

# run COMMAND...: runs the command where `python` is.
run() {
  if [ "$root" ]; then
    # shellcheck disable=SC2016  # expanded by the inner shell
    (SEEN=$here in_root "$root" CI="${CI:-}" sh -c 'cd "$1"; shift; exec "$@"' sh "$here" "$@")
  else
    "$@"
  fi
}

# twice COMMAND...: runs the command, and once more if it fails. Packages come over a network, and the smoke starts a server;
# the log shows what failed.
twice() {
  "$@" && return
  echo "!!! WARNING: this failed and is tried once more: $*. !!!"
  "$@"
}

# make_environment FOLDER PACKAGE...: an environment of `python` with these packages, with the versions of the lock.
make_environment() {
  environment=$1
  shift
  run "$python" -m venv --clear "$environment" &&
    twice run "$environment/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
      -c requirements.lock "$@"
}

suite() {
  for_each "The tests ran" try_suite "$@"
}

try_suite() {
  make_environment "$folder/$1-suite" -e '.[test]' &&
    run tests/twice.sh "$folder/$1-suite/bin/pytest" -n "$(($(nproc) + 1))" --dist loadfile
}

smoke() {
  program=$1
  shift
  rm -rf "$folder/wheel"
  .venv/bin/python -m build --wheel --no-isolation --outdir "$folder/wheel" . >/dev/null
  for_each "The program was tried" try_smoke "$@"
}

try_smoke() {
  make_environment "$folder/$1-smoke" "$folder"/wheel/*.whl &&
    twice run "$python" -I "$program" "$folder/$1-smoke/bin/cribboard"
}

# for_each WHAT FUNCTION VERSION...: calls the function for each version that can be had, and prints which these were.
for_each() {
  what=$1 function=$2 tried='' failed='' left_out=''
  shift 2
  for version in "$@"; do
    if ! find_python "$version"; then
      left_out="$left_out $version"
    elif "$function" "$version"; then
      tried="$tried $version"
    else
      failed="$failed $version"
    fi
  done
  echo "$what with Python:${tried:- none}. Failed:${failed:- none}. Not tried:${left_out:- none}."
  [ -z "$failed" ]
}

mkdir -p "$folder"
"$@"
