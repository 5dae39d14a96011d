#!/bin/sh
# KiCad 6 or newer with its land patterns and symbols, about 1.5 GB, from Debian.
set -eu
if /usr/bin/python3 -c 'import pcbnew' 2>/dev/null && [ -d /usr/share/kicad/footprints ] && [ -d /usr/share/kicad/symbols ]; then
  exit 0
fi
wanted="kicad kicad-footprints kicad-symbols"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing $wanted (about 1.5 GB) ..."
  apt-get update -qq
  # shellcheck disable=SC2086  # several packages
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
else
  echo "The circuit boards are made with KiCad, which is not here."
  echo "Mend: sudo apt-get install --no-install-recommends $wanted"
  exit 1
fi
