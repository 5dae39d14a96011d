#!/bin/sh
# The installer of the current version: adds options, repairs, returns to the previous version, uninstalls.
installer=/opt/cribboard/venv/source/hardware/install.sh
if [ ! -f $installer ]; then
  echo "cribboard-install: this version came without it. Fix: run hardware/install.sh in the folder of a release" >&2
  exit 1
fi
exec bash $installer "$@"
