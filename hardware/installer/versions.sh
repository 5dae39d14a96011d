# shellcheck shell=bash
# The current and the previous version: upgrading, checking that the new one starts, and returning. Sourced by install.sh.

link() { # LINK FOLDER: let the link lead to the folder, in one step
  run ln -sfn "$2" "$1.new"
  run mv -T "$1.new" "$1"
}

adopt_old_environment() { # earlier installers made a folder where the link is now; its programs keep working
  [ -d $CURRENT ] && [ ! -L $CURRENT ] || return 0
  run install -d -m 755 $VERSIONS
  run rm -rf $VERSIONS/before-versions
  run mv $CURRENT $VERSIONS/before-versions
  run ln -s $VERSIONS/before-versions $CURRENT
}

system_file() { # NAME: print a file of hardware/system of the current version
  local file
  for file in "$CURRENT/source/hardware/system/$1" "$CURRENT"/lib/python3*/site-packages/hardware/system/"$1" "$DATA/system/$1"; do
    if [ -f "$file" ]; then
      cat "$file"
      return
    fi
  done
}

write_service_files() { # the files outside the environment that belong to the current version
  system_file cribboard.sh | put $COMMAND 755
  system_file cribboard-install.sh | put $INSTALL_COMMAND 755
  system_file cribboard.service | put $UNIT 644
  system_file avahi.xml | put $SERVICE_ON_LAN 644
  if has_systemd; then run systemctl daemon-reload; fi
}

stop_service() { if has_systemd && [ -e $UNIT ]; then run systemctl stop cribboard.service; fi; }

property() { systemctl show -P "$1" cribboard.service; }

is_up() { # wait until the service has run for 5 s without a restart, and has told its watchdog so; false if not within $wait_s
  local end=$((SECONDS + wait_s)) pid="" since=0 told=""
  while [ $SECONDS -lt $end ]; do
    if [ "$(property ActiveState)" != active ]; then
      pid=""
    elif [ "$(property MainPID)" != "$pid" ]; then
      pid=$(property MainPID) since=$SECONDS told=$(property WatchdogTimestampMonotonic)
    elif [ $((SECONDS - since)) -ge 5 ] && has_told_watchdog "$told"; then
      return 0
    fi
    sleep 1
  done
  return 1
}

has_told_watchdog() { # TIME: whether the watchdog was told at another time than this; also true without a watchdog
  case $(property WatchdogUSec) in
    0 | infinity) return 0 ;;
  esac
  [ "$(property WatchdogTimestampMonotonic)" != "$1" ]
}

start_service() { # start the current version; false if it does not come up
  has_systemd || return 0
  run systemctl reset-failed cribboard.service || true
  run systemctl start --no-block cribboard.service
  [ "$dry" = yes ] || is_up
}

copy_games() { # keep a copy of the games as the current version left them
  [ -d $GAMES ] || return 0
  run rm -rf $GAMES_BEFORE_UPGRADE &&
    run cp -a --reflink=auto $GAMES $GAMES_BEFORE_UPGRADE &&
    run sync -f $GAMES_BEFORE_UPGRADE
}

format_of() { # FOLDER: print the format of the journal in it: SQLite's user_version; nothing without a journal
  [ ! -f "$1/journal.sqlite3" ] || od -An -tu1 -j60 -N4 "$1/journal.sqlite3"
}

return_games() { # put the games back as they were before the upgrade; those since are kept
  [ -d $GAMES_BEFORE_UPGRADE ] || return 0
  stop_service
  run rm -rf $GAMES_AFTER_UPGRADE &&
    run mv $GAMES $GAMES_AFTER_UPGRADE &&
    run cp -a --reflink=auto $GAMES_BEFORE_UPGRADE $GAMES || fail "the games could not be put back; they are in $GAMES_BEFORE_UPGRADE and $GAMES_AFTER_UPGRADE"
  say "  !      the previous version cannot read the games since the upgrade; they are in $GAMES_AFTER_UPGRADE"
}

switch_to() { # FOLDER: stop the service, and let it be this version at its next start
  stop_service
  link $CURRENT "$1"
  write_service_files
}

upgrade() { # from the current version, if there is one, to $new
  local old
  adopt_old_environment
  old=$(readlink $CURRENT || true)
  if [ "$old" = "$new" ]; then
    unchanged "$CURRENT leads to $new"
    write_service_files
    return
  fi
  if [ -n "$old" ]; then
    stop_service
    copy_games || { start_service && fail "the games could not be copied, so nothing was changed. Fix: free some disk space"; }
    link $PREVIOUS "$old"
  fi
  switch_to "$new"
}

remove_old_versions() { # all but the current and the previous one
  local folder
  for folder in "$VERSIONS"/*; do
    [ ! -d "$folder" ] || [ "$folder" = "$(readlink $CURRENT)" ] || [ "$folder" = "$(readlink $PREVIOUS)" ] || remove "$folder"
  done
}

go_back() { # to the previous version, with the games as they are if it can read them
  local old
  old=$(readlink $PREVIOUS)
  # It may be older than the choice of an option. Without the network it returns without the option; the doctor says so.
  install_options "$old" || say "  !      an option could not be installed. Fix: check the network, then run: sudo cribboard-install"
  switch_to "$old"
  if [ "$(format_of $GAMES)" != "$(format_of $GAMES_BEFORE_UPGRADE)" ]; then return_games; fi
  if start_service; then return; fi
  return_games
  if start_service; then return; fi
  # It is not because of the games: the newest ones are put back.
  stop_service
  if [ -d $GAMES_AFTER_UPGRADE ]; then run rm -rf $GAMES && run mv $GAMES_AFTER_UPGRADE $GAMES; fi
  return 1
}

roll_back() {
  step "Back to the previous version"
  if ! { [ -L $PREVIOUS ] && is_complete_or_old "$(readlink $PREVIOUS)"; }; then
    fail "there is no previous version to return to"
  fi
  local undone
  undone=$(readlink $CURRENT)
  go_back || fail "the previous version does not start either. Fix: journalctl -u cribboard"
  link $PREVIOUS "$undone"
  say "  ok     the current version is $(basename "$(readlink $CURRENT)"); --rollback returns to $(basename "$undone")"
}

is_complete_or_old() { # FOLDER: an environment of an earlier installer has no list of digests
  is_complete "$1" || { [ -x "$1/bin/cribboard" ] && [ "$(basename "$1")" = before-versions ]; }
}

start_or_go_back() { # start the service; if a new version does not come up, return to the previous one
  if start_service; then return; fi
  if [ "$(readlink $CURRENT)" = "$before" ] || [ ! -L $PREVIOUS ]; then
    fail "the service does not start within $wait_s s. Fix: journalctl -u cribboard"
  fi
  say "  !      version $(basename "$new") did not start within $wait_s s:"
  journalctl --no-pager -q -n 20 -u cribboard 2>/dev/null | sed 's/^/         | /' || true
  run systemctl kill --signal=SIGKILL cribboard.service || true # it may hang, and need no time to end
  go_back || fail "the previous version does not start either. Fix: journalctl -u cribboard"
  remove $PREVIOUS
  remove_old_versions
  fail "the new version did not start, so $(basename "$(readlink $CURRENT)") runs again; nothing is lost"
}
