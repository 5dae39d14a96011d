#!/usr/bin/env bash
# Installs, repairs, upgrades or uninstalls cribboard on a Raspberry Pi (Raspberry Pi OS, Bookworm or Trixie).
# It can be run repeatedly: what is already correct is not changed.
#
# Each version has an environment of its own in /opt/cribboard/versions. The link /opt/cribboard/venv leads to the current
# one, and /opt/cribboard/previous to the one that --rollback returns to. pip runs as a user that runs nothing else, and
# accepts only files whose hashes are in hardware/requirements; afterwards the environment belongs to root. Each version
# keeps its sources, so that `cribboard-install` is this script of the current version.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@" # started by `sh install.sh`
set -euo pipefail

usage() {
  cat <<'HELP'
sudo hardware/install.sh                       install, upgrade, or repair an installation
sudo hardware/install.sh --with mqtt,voice     also install options, and keep them in every later version:
                                               mqtt, https, voice, club, league
sudo hardware/install.sh --without voice       take an option back
sudo hardware/install.sh --kit desk            what you play on: page, wood, desk, lights or sensing. Without it, the first
                                               installation asks on a terminal, and takes sensing elsewhere
sudo hardware/install.sh --wait SECONDS        how long a new version may take to start, before the previous one returns (60)
sudo hardware/install.sh --rollback            return to the previous version
     hardware/install.sh --dry-run             only print what it would do; works on any computer, as any user
sudo hardware/install.sh --uninstall           uninstall; settings, games and the user that owns them stay
sudo hardware/install.sh --uninstall --purge   uninstall, and delete settings, games and user

On a board that is installed, `sudo cribboard-install` is the same as `sudo hardware/install.sh`.
HELP
}

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
DATA=$SOURCE/hardware
HOME_OF_PROGRAM=/opt/cribboard
VERSIONS=$HOME_OF_PROGRAM/versions
CURRENT=$HOME_OF_PROGRAM/venv
PREVIOUS=$HOME_OF_PROGRAM/previous
WORK=$HOME_OF_PROGRAM/work
KEPT=$HOME_OF_PROGRAM/sources
# The digests of all files of an environment. It is written last, so an environment without it is not complete.
DIGESTS=files.sha256
COMMAND=/usr/local/bin/cribboard
INSTALL_COMMAND=/usr/local/bin/cribboard-install
GAMES=/var/lib/cribboard
GAMES_BEFORE_UPGRADE=$GAMES-before-upgrade
GAMES_AFTER_UPGRADE=$GAMES-after-upgrade
FOLDER_OF_SETTINGS=/etc/cribboard
SETTINGS=$FOLDER_OF_SETTINGS/cribboard.toml
OPTIONS=$FOLDER_OF_SETTINGS/options
UNIT=/etc/systemd/system/cribboard.service
SERVICE_ON_LAN=/etc/avahi/services/cribboard.service
MODULES=/etc/modules-load.d/cribboard.conf
OUR_USER=cribboard
# Runs pip and the first commands of a new version, and nothing else: what the service's user owns, the service can change.
BUILDER=cribboard-build
GROUPS_NEEDED="gpio spi i2c dialout audio"
# The doctor's fixes use i2cdetect and gpioinfo; avahi announces the panel on the LAN.
PACKAGES="python3 python3-venv avahi-daemon i2c-tools gpiod"
# Only Raspberry Pi's own archive has it; elsewhere pip tries to install it.
PACKAGE_ON_A_PI=python3-lgpio
BEGIN="# cribboard: begin (hardware/install.sh keeps this block)"
END="# cribboard: end"

# shellcheck source-path=SCRIPTDIR source=installer/environment.sh
. "$DATA/installer/environment.sh"
# shellcheck source-path=SCRIPTDIR source=installer/kits.sh
. "$DATA/installer/kits.sh"
# shellcheck source-path=SCRIPTDIR source=installer/options.sh
. "$DATA/installer/options.sh"
# shellcheck source-path=SCRIPTDIR source=installer/versions.sh
. "$DATA/installer/versions.sh"

# Output and actions

say() { printf '%s\n' "$*"; }
step() { printf '\n%s\n' "$*"; }
unchanged() { say "  ok     $*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

run() { # COMMAND...: run it, or print it in a dry run
  say "  $doing $*"
  [ "$dry" = yes ] || "$@"
}

put() { # FILE MODE: write stdin to the file, unless it already has that content
  local file=$1 mode=$2 text
  text=$(cat && printf x) && text=${text%x}
  if [ -f "$file" ] && printf '%s' "$text" | cmp -s - "$file"; then
    unchanged "$file"
    return
  fi
  say "  $doing write $file"
  if [ "$dry" = yes ]; then
    printf '%s' "$text" | sed 's/^/         | /'
    return
  fi
  mkdir -p "$(dirname "$file")"
  # Write a new file and rename it, so that a power cut leaves the old or the new one.
  printf '%s' "$text" >"$file.new"
  chmod "$mode" "$file.new" 2>/dev/null || say "         (its file system has no permissions)"
  sync "$file.new"
  mv "$file.new" "$file"
}

remove() { # PATH...: delete those that exist
  local path
  for path in "$@"; do
    if [ -e "$path" ] || [ -L "$path" ]; then run rm -rf "$path"; fi
  done
}

has_systemd() { [ -d /run/systemd/system ]; }

# Steps

check_system() {
  command -v apt-get >/dev/null || { [ "$dry" = yes ] || fail "expected Raspberry Pi OS, got a system without apt-get"; }
  [ "$dry" = yes ] || [ "$(id -u)" = 0 ] || fail "expected root, got $(id -un). Fix: sudo $0"
  if [ "$dry" = no ] && [ "$(getconf LONG_BIT)" != 64 ]; then
    fail "expected a 64-bit system, got $(uname -m): some packages have no files for it whose hashes are known"
  fi
  if ! grep -qs "Raspberry Pi" /proc/device-tree/model; then
    say "This is not a Raspberry Pi: only a simulated board, or one with a scanner on USB, can run."
  fi
}

is_installed() { [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }

install_packages() {
  step "Packages"
  local wanted="" package option packages=$PACKAGES
  for option in $chosen; do packages="$packages $(packages_of "$option")"; done
  for package in $packages; do
    if is_installed "$package"; then unchanged "$package"; else wanted="$wanted $package"; fi
  done
  if ! is_installed $PACKAGE_ON_A_PI && [ -n "$(apt-cache madison $PACKAGE_ON_A_PI 2>/dev/null)" ]; then
    wanted="$wanted $PACKAGE_ON_A_PI"
  fi
  [ -n "$wanted" ] || return 0
  run apt-get update -q
  # shellcheck disable=SC2086  # split into one word per package
  run apt-get install -y -q --no-install-recommends $wanted
}

make_users() {
  step "The user $OUR_USER and its groups, and the user $BUILDER"
  if getent passwd $OUR_USER >/dev/null; then
    unchanged "$OUR_USER"
  else
    run useradd --system --user-group --no-create-home --home-dir $GAMES --shell /usr/sbin/nologin $OUR_USER
  fi
  if getent passwd $BUILDER >/dev/null; then
    unchanged "$BUILDER"
  else
    run useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin $BUILDER
  fi
  local group
  for group in $GROUPS_NEEDED; do
    if ! getent group "$group" >/dev/null; then
      say "  !      group $group does not exist; on Raspberry Pi OS it owns the board's devices"
    elif id -nG $OUR_USER 2>/dev/null | tr ' ' '\n' | grep -qx "$group"; then
      unchanged "in $group"
    else
      run usermod -aG "$group" $OUR_USER
    fi
  done
}

install_program() {
  step "The program, in $HOME_OF_PROGRAM"
  new=$VERSIONS/$(name_version)
  make_environment "$new"
}

install_chosen_options() {
  [ -n "$chosen" ] || [ -f $OPTIONS ] || return 0
  step "Options"
  install_options "$new" || fail "an option could not be installed. Fix: check the network, then run this again"
  remember_options
}

write_settings() {
  step "Settings"
  if [ -z "$kit" ]; then
    unchanged "$SETTINGS, not overwritten"
  elif [ -e $SETTINGS ]; then
    with_kit $SETTINGS "$kit" | put $SETTINGS 644
    note_changed_kit
  else
    with_kit "$DATA/system/cribboard.toml" "$kit" | put $SETTINGS 644
  fi
}

boot_config() { # print the path of config.txt; nothing if there is none
  local file
  for file in /boot/firmware/config.txt /boot/config.txt; do
    if [ -f $file ]; then
      printf '%s' $file
      return
    fi
  done
}

without_block() { # FILE: print its lines without our block
  sed "/^${BEGIN//\//\\/}\$/,/^$END\$/d" "$1"
}

block() {
  # [all]: these lines are for every Pi, whatever section comes before them in the file.
  printf '%s\n[all]\n' "$BEGIN"
  grep -v '^#' "$DATA/boot_config.txt"
  printf '%s\n' "$END"
}

write_boot_config() {
  step "Boot configuration"
  local file
  file=$(boot_config)
  if [ -z "$file" ]; then
    say "  !      no config.txt found; a Pi gets these lines:"
    block | sed 's/^/         | /'
  else
    check_block "$file"
    [ -e "$file.before-cribboard" ] || run cp "$file" "$file.before-cribboard"
    { without_block "$file" | awk 1 && block; } | put "$file" 755
  fi
  # The I2C device node needs this module; no line in config.txt loads it.
  printf 'i2c-dev\n' | put $MODULES 644
}

check_block() { # FILE: each block must have its end line, or removing it would remove too much
  if [ "$(grep -cxF "$BEGIN" "$1")" != "$(grep -cxF "$END" "$1")" ]; then
    fail "$1: expected a line '$END' after each '$BEGIN', got one without the other. Fix: edit it; $1.before-cribboard is the original file"
  fi
}

install_service() {
  step "The service"
  upgrade
  if [ -L /etc/systemd/system/multi-user.target.wants/cribboard.service ]; then
    unchanged "starts at boot"
  else
    run systemctl enable cribboard.service
  fi
  if has_systemd && [ "$new" = "$before" ]; then stop_service; fi
  start_or_go_back
  remove_old_versions
}

needs_restart() { # true if a file that is read at boot was written after the last boot
  local file
  for file in "$(boot_config)" $MODULES; do
    if [ -n "$file" ] && [ "$file" -nt /proc/1 ]; then return 0; fi
  done
  return 1
}

scheme() { if grep -Eqs '^https *= *true' $SETTINGS; then printf https; else printf http; fi; }

print_next_steps() {
  step "Done."
  if needs_restart; then say "Restart the Pi (sudo reboot): its boot configuration has changed."; fi
  say "Check:     sudo -u $OUR_USER cribboard doctor"
  say "Panel:     $(scheme)://$(hostname 2>/dev/null || echo this-pi).local:8080/"
  local listed=${chosen// /, }
  if [ -n "$kit" ]; then say "Kit:       $kit, $(kit_in_words "$kit"); sudo cribboard-install --kit NAME changes it"; fi
  say "Options:   ${listed:-none}; sudo cribboard-install --with NAME adds one of: ${KNOWN_OPTIONS// /, }"
  say "Uninstall: sudo cribboard-install --uninstall"
}

# Uninstalling

remove_service() {
  step "The service"
  stop_service
  if [ -L /etc/systemd/system/multi-user.target.wants/cribboard.service ]; then run systemctl disable cribboard.service; fi
  remove $UNIT $SERVICE_ON_LAN $MODULES $COMMAND $INSTALL_COMMAND $HOME_OF_PROGRAM
  if getent passwd $BUILDER >/dev/null; then run userdel $BUILDER; fi
  if has_systemd; then run systemctl daemon-reload; fi
}

restore_boot_config() {
  step "Boot configuration"
  local file
  file=$(boot_config)
  [ -n "$file" ] || return 0
  check_block "$file"
  without_block "$file" | put "$file" 755
  if [ -e "$file.before-cribboard" ] && cmp -s "$file" "$file.before-cribboard"; then remove "$file.before-cribboard"; fi
}

purge() {
  step "Settings, games, and the user"
  # The whole folder: passwords and certificates for brokers are in it too.
  remove $GAMES $GAMES_BEFORE_UPGRADE $GAMES_AFTER_UPGRADE $FOLDER_OF_SETTINGS
  if getent passwd $OUR_USER >/dev/null; then run userdel $OUR_USER; fi
}

# The command

dry=no uninstall=no purge=no rollback=no wait_s=60 with="" without="" kit=""
while [ $# -gt 0 ]; do
  case "$1" in
    --dry-run) dry=yes ;;
    --uninstall) uninstall=yes ;;
    --purge) purge=yes ;;
    --rollback) rollback=yes ;;
    --with | --without)
      option=$1
      shift
      names=$(known_options "${1-}") || fail "$option: expected names of ${KNOWN_OPTIONS// /, }, got $names"
      if [ "$option" = --with ]; then with="$with $names"; else without="$without $names"; fi
      ;;
    --kit)
      shift
      kit=$(known_kit "${1-}") || fail "--kit: expected one of ${KITS// /, }, got ${1-nothing}"
      ;;
    --wait)
      shift
      wait_s=${1-nothing}
      [[ $wait_s =~ ^[0-9]+$ ]] || fail "--wait: expected seconds, got $wait_s"
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      fail "expected one of the options above, got $1"
      ;;
  esac
  shift
done
[ $purge = no ] || [ $uninstall = yes ] || fail "expected --purge together with --uninstall, got it alone"
[ $rollback = no ] || [ $uninstall = no ] || fail "expected --rollback or --uninstall, got both"
[ -z "$with$without" ] || [ $uninstall$rollback = nono ] || fail "expected --with and --without when installing, got them with another command"
[ -z "$kit" ] || [ $uninstall$rollback = nono ] || fail "expected --kit when installing, got it with another command"
for option in $with; do
  if is_in "$option" "$without"; then fail "expected --with $option or --without $option, got both"; fi
done
doing=$([ $dry = yes ] && echo would || echo now)
before=$(readlink $CURRENT || true)
choose_options "$with" "$without"

check_system
check_sources
if [ $uninstall = yes ]; then
  remove_service
  restore_boot_config
  if [ $purge = yes ]; then purge; else say "Settings ($SETTINGS) and games ($GAMES) stay; --purge deletes them too."; fi
  say "System packages stay, as other programs may use them."
elif [ $rollback = yes ]; then
  roll_back
else
  choose_kit
  install_packages
  make_users
  install_program
  install_chosen_options
  write_settings
  write_boot_config
  install_service
  print_next_steps
fi
