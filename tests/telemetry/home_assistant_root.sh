#!/bin/sh
# A Home Assistant that needs a newer Python than this machine has, in a Debian 13 of its own. Needs root and debootstrap.
#   home_assistant_root.sh install ROOT VERSION
#   home_assistant_root.sh run ROOT ARGUMENT...       runs hass
set -eu
# shellcheck source=tests/debian_root.sh
. "$(dirname "$0")/../debian_root.sh"

path=PATH=/srv/hass/bin:/usr/sbin:/usr/bin:/sbin:/bin

install() {
  root=$1 version=$2
  make_root "$root" trixie
  # The versions come from the wheel: without them pip tries for hours. The last three packages are those that Home
  # Assistant would fetch at its first start.
  # shellcheck disable=SC2016  # expanded by the inner shell
  (in_root "$root" "$path" sh -euc '
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends python3-venv python3-dev gcc g++ libc6-dev make libffi-dev libssl-dev \
      ca-certificates >/dev/null
    python3 -m venv /srv/hass
    pip download -q --no-deps -d /srv/wheel "homeassistant==$1"
    cd /srv/wheel
    python3 -m zipfile -e homeassistant-*.whl .
    pip install -q -c homeassistant/package_constraints.txt "homeassistant==$1" paho-mqtt \
      home-assistant-frontend PyQRCode==1.2.1 pyotp==2.9.0
    hass --version' sh "$version")
}

case $1 in
  install) install "$2" "$3" ;;
  run)
    root=$2
    shift 2
    in_root "$root" "$path" /srv/hass/bin/hass "$@"
    ;;
esac
