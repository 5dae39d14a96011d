#!/bin/sh
# A Home Assistant that needs a newer Python than this machine has, in a Debian 13 of its own. Needs root and debootstrap.
#   home_assistant_root.sh install ROOT VERSION
#   home_assistant_root.sh run ROOT ARGUMENT...       runs hass
# /proc and /dev are bound in a mount namespace of the process, so that they are gone when it ends: nothing of the machine
# is ever below ROOT when it is deleted.
set -eu

in_root() {
  root=$1
  shift
  # shellcheck disable=SC2016  # expanded by the inner shell
  exec unshare --mount sh -euc 'root=$1; shift
    mount --rbind /dev "$root/dev"
    mount --rbind /proc "$root/proc"
    exec chroot "$root" env -i PATH=/srv/hass/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive SSL_CERT_FILE=/etc/ssl/host.crt PIP_CERT=/etc/ssl/host.crt "$@"' sh "$root" "$@"
}

install() {
  root=$1 version=$2
  [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase trixie "$root"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root/etc/ssl"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/host.crt"  # of the machine: it may have an authority of its own
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"  # start no service
  chmod +x "$root/usr/sbin/policy-rc.d"
  # The versions come from the wheel: without them pip tries for hours. The last three packages are those that Home
  # Assistant would fetch at its first start.
  (in_root "$root" sh -euc '
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
    in_root "$root" /srv/hass/bin/hass "$@"
    ;;
esac
