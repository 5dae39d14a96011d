#!/bin/sh
# Installs the packages that `make test-kernel` needs to build and run kernels. The kernels themselves are not installed.
set -eu
packages="gcc make flex bison bc libc6-dev xz-utils kmod iproute2 util-linux busybox-static cpio qemu-system-x86 debootstrap"
missing=$(for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
done)
[ -n "$missing" ] || { echo "All packages are installed."; exit 0; }
if [ "$(id -u)" != 0 ]; then
  echo "Missing:" $missing
  echo "Fix: sudo apt-get install --no-install-recommends" $missing
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
