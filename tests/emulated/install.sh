#!/bin/sh
# Installs the packages that `make test-arm64` needs to make and run emulated computers.
set -eu
packages="qemu-user-static qemu-system-arm qemu-system-x86 debootstrap cpio zstd"
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
