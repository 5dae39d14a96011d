# shellcheck shell=sh
# Functions for a Debian of another release in a folder. Source this file. Needs root and debootstrap.

# make_root ROOT SUITE: unpacks the Debian SUITE into ROOT, unless it is there.
make_root() {
  [ -e "$1/etc/debian_version" ] || debootstrap --variant=minbase "$2" "$1"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  mkdir -p "$1/etc/ssl"
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/host.crt"  # of the machine: it may have an authority of its own
  printf '#!/bin/sh\nexit 101\n' > "$1/usr/sbin/policy-rc.d"  # start no service
  chmod +x "$1/usr/sbin/policy-rc.d"
}

# in_root ROOT [NAME=VALUE...] COMMAND...: runs the command in ROOT. /proc and /dev are bound in a mount namespace of the
# process, so that they are gone when it ends: nothing of the machine is ever below ROOT when it is deleted. A folder SEEN
# is bound too, at its own path.
in_root() {
  root=$1
  shift
  # shellcheck disable=SC2016  # expanded by the inner shell
  exec unshare --mount sh -euc 'root=$1 seen=$2; shift 2
    if [ "$seen" ]; then
      mkdir -p "$root$seen"
      mount --bind "$seen" "$root$seen"
    fi
    mount --rbind /dev "$root/dev"
    mount --rbind /proc "$root/proc"
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      SSL_CERT_FILE=/etc/ssl/host.crt PIP_CERT=/etc/ssl/host.crt "$@"' sh "$root" "${SEEN:-}" "$@"
}
