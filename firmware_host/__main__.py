"""`python -m firmware_host` is the same as the command `cribboard`."""

from firmware_host.cli import main

main()
