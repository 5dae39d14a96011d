#!/usr/bin/env bash
# Puts cribboard on a Raspberry Pi (Raspberry Pi OS, Bookworm or Trixie), mends it, or takes it off again.
# Safe to run as often as you like: what is as it should be is left alone.
set -euo pipefail

usage() {
  cat <<'HELP'
sudo hardware/install.sh               install, or mend what is there
     hardware/install.sh --dry-run     only say what it would do; on any computer, as anybody
sudo hardware/install.sh --uninstall   take it off; settings, games and the user that owns them stay
sudo hardware/install.sh --uninstall --purge   the games and settings too
HELP
}

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DATA=$SOURCE/hardware
HOME_OF_PROGRAM=/opt/cribboard
PYTHON=$HOME_OF_PROGRAM/venv/bin/python3
COMMAND=/usr/local/bin/cribboard
GAMES=/var/lib/cribboard
SETTINGS=/etc/cribboard/cribboard.toml
UNIT=/etc/systemd/system/cribboard.service
SERVICE_ON_LAN=/etc/avahi/services/cribboard.service
MODULES=/etc/modules-load.d/cribboard.conf
OUR_USER=cribboard
GROUPS_NEEDED="gpio spi i2c dialout"
# i2cdetect and gpioinfo are what the doctor's mends ask for; avahi tells the LAN our name.
PACKAGES="python3 python3-venv avahi-daemon i2c-tools gpiod"
# Only Raspberry Pi's own archive has it; elsewhere pip looks for one.
PACKAGE_ON_A_PI=python3-lgpio
BEGIN="# cribboard: begin (hardware/install.sh keeps this block)"
END="# cribboard: end"

# Saying and doing

say() { printf '%s\n' "$*"; }
step() { printf '\n%s\n' "$*"; }
is_as_it_should_be() { say "  ok     $*"; }
stop_with() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

run() { # COMMAND...: do it, or say it
  say "  $doing $*"
  [ "$dry" = yes ] || "$@"
}

put() { # FILE MODE: what comes in becomes the file, if it is not that already
  local file=$1 mode=$2 text
  text=$(cat && printf x) && text=${text%x}
  if [ -f "$file" ] && printf '%s' "$text" | cmp -s - "$file"; then
    is_as_it_should_be "$file"
    return
  fi
  say "  $doing write $file"
  if [ "$dry" = yes ]; then
    printf '%s' "$text" | sed 's/^/         | /'
    return
  fi
  mkdir -p "$(dirname "$file")"
  # Whole or not at all: the power may go while we write.
  printf '%s' "$text" >"$file.new"
  chmod "$mode" "$file.new" 2>/dev/null || say "         (its file system keeps no modes)"
  sync "$file.new"
  mv "$file.new" "$file"
}

drop() { # PATH...: away with what is there
  local path
  for path in "$@"; do
    if [ -e "$path" ] || [ -L "$path" ]; then run rm -rf "$path"; fi
  done
}

drop_if_empty() { if [ -d "$1" ] && [ -z "$(ls -A "$1")" ]; then run rmdir "$1"; fi; }

has_systemd() { [ -d /run/systemd/system ]; }

# Steps

check_ground() {
  command -v apt-get >/dev/null || { [ "$dry" = yes ] || stop_with "expected Raspberry Pi OS, got a system without apt-get"; }
  [ "$dry" = yes ] || [ "$(id -u)" = 0 ] || stop_with "expected root, got $(id -un): sudo $0"
  if ! grep -qs "Raspberry Pi" /proc/device-tree/model; then
    say "This is no Raspberry Pi: the program will be there, the wires will not."
  fi
}

is_installed() { [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }

install_packages() {
  step "Packages"
  local wanted="" package
  for package in $PACKAGES; do
    if is_installed "$package"; then is_as_it_should_be "$package"; else wanted="$wanted $package"; fi
  done
  if ! is_installed $PACKAGE_ON_A_PI && [ -n "$(apt-cache madison $PACKAGE_ON_A_PI 2>/dev/null)" ]; then
    wanted="$wanted $PACKAGE_ON_A_PI"
  fi
  [ -n "$wanted" ] || return 0
  run apt-get update -q
  # shellcheck disable=SC2086  # one word a package
  run apt-get install -y -q --no-install-recommends $wanted
}

make_user() {
  step "The user $OUR_USER and its groups"
  if getent passwd $OUR_USER >/dev/null; then
    is_as_it_should_be "$OUR_USER"
  else
    run useradd --system --user-group --no-create-home --home-dir $GAMES --shell /usr/sbin/nologin $OUR_USER
  fi
  local group
  for group in $GROUPS_NEEDED; do
    if ! getent group "$group" >/dev/null; then
      say "  !      there is no group $group here; Raspberry Pi OS has it, and its devices belong to it"
    elif id -nG $OUR_USER 2>/dev/null | tr ' ' '\n' | grep -qx "$group"; then
      is_as_it_should_be "in $group"
    else
      run usermod -aG "$group" $OUR_USER
    fi
  done
}

install_program() {
  step "The program, in $HOME_OF_PROGRAM"
  if [ "$dry" = no ] && ! "$PYTHON" -c 'import pip' 2>/dev/null; then drop $HOME_OF_PROGRAM/venv; fi
  [ -x "$PYTHON" ] || run python3 -m venv --system-site-packages $HOME_OF_PROGRAM/venv
  run "$PYTHON" -m pip install -q --disable-pip-version-check -c "$SOURCE/requirements.lock" "$SOURCE"
  # Where the system has it, pip is content with that. Below 0.2.2 there is only an empty shell of that name.
  run "$PYTHON" -m pip install -q --disable-pip-version-check --only-binary lgpio 'lgpio>=0.2.2' ||
    say "  !      no lgpio to be had: a simulated board runs, a real one does not"
  put $COMMAND 755 <"$DATA/system/cribboard.sh"
}

write_settings() {
  step "Settings"
  if [ -e $SETTINGS ]; then is_as_it_should_be "$SETTINGS, left as it is"; else put $SETTINGS 644 <"$DATA/system/cribboard.toml"; fi
}

boot_config() { # the path of config.txt; nothing where there is none
  local file
  for file in /boot/firmware/config.txt /boot/config.txt; do
    if [ -f $file ]; then
      printf '%s' $file
      return
    fi
  done
}

without_block() { # FILE: its lines but ours
  sed "/^${BEGIN//\//\\/}\$/,/^$END\$/d" "$1"
}

block() {
  # [all]: whatever section stands last in the file, these lines are for every Pi.
  printf '%s\n[all]\n' "$BEGIN"
  grep -v '^#' "$DATA/boot_config.txt"
  printf '%s\n' "$END"
}

write_boot_config() {
  step "What the Pi is told at boot"
  local file
  file=$(boot_config)
  if [ -z "$file" ]; then
    say "  !      no config.txt here; a Pi gets these lines:"
    block | sed 's/^/         | /'
  else
    check_block "$file"
    [ -e "$file.before-cribboard" ] || run cp "$file" "$file.before-cribboard"
    { without_block "$file" | awk 1 && block; } | put "$file" 755
  fi
  # I2C's device node comes with this module, and with nothing in config.txt.
  printf 'i2c-dev\n' | put $MODULES 644
}

check_block() { # FILE: an end without which we would cut too much
  if [ "$(grep -cxF "$BEGIN" "$1")" != "$(grep -cxF "$END" "$1")" ]; then
    stop_with "$1: expected a line '$END' after each '$BEGIN', got one without the other; mend it by hand, $1.before-cribboard is the file as it was"
  fi
}

install_service() {
  step "The service"
  put $UNIT 644 <"$DATA/system/cribboard.service"
  put $SERVICE_ON_LAN 644 <"$DATA/system/avahi.xml"
  if [ -L /etc/systemd/system/multi-user.target.wants/cribboard.service ]; then
    is_as_it_should_be "it starts with the Pi"
  else
    run systemctl enable cribboard.service
  fi
  if has_systemd; then
    run systemctl daemon-reload
    run systemctl restart --no-block cribboard.service
  fi
}

needs_restart() { # something that is read at boot was written since
  local file
  for file in "$(boot_config)" $MODULES; do
    if [ -n "$file" ] && [ "$file" -nt /proc/1 ]; then return 0; fi
  done
  return 1
}

last_words() {
  step "Done."
  if needs_restart; then say "Restart the Pi (sudo reboot): what it is told at boot has changed."; fi
  say "Is all well?   sudo -u $OUR_USER cribboard doctor"
  say "The panel:     http://$(hostname 2>/dev/null || echo this-pi).local:8080/"
  say "Taking it off: sudo $0 --uninstall"
}

# Taking it off

remove_service() {
  step "The service"
  if has_systemd && [ -e $UNIT ]; then run systemctl stop cribboard.service; fi
  if [ -L /etc/systemd/system/multi-user.target.wants/cribboard.service ]; then run systemctl disable cribboard.service; fi
  drop $UNIT $SERVICE_ON_LAN $MODULES $COMMAND $HOME_OF_PROGRAM
  if has_systemd; then run systemctl daemon-reload; fi
}

restore_boot_config() {
  step "What the Pi is told at boot"
  local file
  file=$(boot_config)
  [ -n "$file" ] || return 0
  check_block "$file"
  without_block "$file" | put "$file" 755
  if [ -e "$file.before-cribboard" ] && cmp -s "$file" "$file.before-cribboard"; then drop "$file.before-cribboard"; fi
}

purge() {
  step "Settings, games, and the user"
  drop $GAMES $SETTINGS
  drop_if_empty "$(dirname $SETTINGS)"
  if getent passwd $OUR_USER >/dev/null; then run userdel $OUR_USER; fi
}

# The command

dry=no uninstall=no purge=no
for word in "$@"; do
  case "$word" in
    --dry-run) dry=yes ;;
    --uninstall) uninstall=yes ;;
    --purge) purge=yes ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      stop_with "expected one of the options above, got $word"
      ;;
  esac
done
[ $purge = no ] || [ $uninstall = yes ] || stop_with "expected --purge together with --uninstall, got it alone"
doing=$([ $dry = yes ] && echo would || echo now)

check_ground
if [ $uninstall = yes ]; then
  remove_service
  restore_boot_config
  if [ $purge = yes ]; then purge; else say "Settings ($SETTINGS) and games ($GAMES) stay; --purge takes them too."; fi
  say "Packages of the system stay: others may use them."
else
  install_packages
  make_user
  install_program
  write_settings
  write_boot_config
  install_service
  last_words
fi
