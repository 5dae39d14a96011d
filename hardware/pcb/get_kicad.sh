#!/bin/sh
# Installs KiCad 9 with its footprints and symbols from Debian's backports, about 1.3 GB, and ngspice.
set -eu
if command -v kicad-cli >/dev/null && command -v ngspice >/dev/null &&
  [ "$(kicad-cli version | cut -d. -f1)" -ge 9 ] && [ -d /usr/share/kicad/footprints ]; then
  exit 0
fi
wanted="kicad kicad-footprints kicad-symbols"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing $wanted (about 1.3 GB) ..."
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  if [ "$release" = bookworm ] && ! apt-cache policy | grep -q bookworm-backports; then
    printf 'Types: deb\nURIs: http://deb.debian.org/debian\nSuites: bookworm-backports\nComponents: main\n%s\n' \
      'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg' >/etc/apt/sources.list.d/bookworm-backports.sources
  fi
  apt-get -o DPkg::Lock::Timeout=300 update -qq
  target=""
  [ "$release" = bookworm ] && target="-t bookworm-backports"
  # shellcheck disable=SC2086  # several words
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
    $target $wanted >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
    ngspice >/dev/null
else
  echo "KiCad 9 or ngspice is not installed; they are needed to make and check the circuit boards."
  echo "Fix: on Debian 12 enable bookworm-backports, then"
  echo "sudo apt-get install --no-install-recommends -t bookworm-backports $wanted && sudo apt-get install ngspice"
  exit 1
fi
