#!/bin/sh
# The command of the installed board, with its settings in /etc/cribboard and its games in /var/lib/cribboard.
XDG_CONFIG_HOME=${XDG_CONFIG_HOME:-/etc} XDG_STATE_HOME=${XDG_STATE_HOME:-/var/lib}
export XDG_CONFIG_HOME XDG_STATE_HOME
exec /opt/cribboard/venv/bin/cribboard "$@"
