#!/bin/sh
# The first process of a guest, with this computer's files as a read-only root. It sets up the devices of a Pi, runs one
# file of tests, and powers off. The kernel's command line sets $ROOT, $PYTHON and $TESTS, and for a Pi $MODULE and
# perhaps $LABEL, $REVISION and $CHIPS_BEFORE.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8
mountpoint -q /proc || mount -t proc proc /proc
mountpoint -q /sys || mount -t sysfs sysfs /sys
mountpoint -q /dev || mount -t devtmpfs devtmpfs /dev
exec </dev/null >/dev/console 2>&1
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t configfs configfs /sys/kernel/config
mount -t tmpfs tmpfs /run
ip link set lo up
if [ -n "$MODULE" ]; then
  printf 'Revision\t: %s\n' "${REVISION:-902120}" >/run/cpuinfo
  mount --bind /run/cpuinfo /proc/cpuinfo
  # A Pi 5 has other gpiochips before the header's. Chips are numbered in the order in which they are made.
  for number in $(seq "${CHIPS_BEFORE:-0}"); do
    chip=/sys/kernel/config/gpio-sim/chip$number
    mkdir -p $chip/bank && echo gpio-brcmstb >$chip/bank/label && echo 1 >$chip/live
  done
  insmod "$MODULE" ${LABEL:+label=$LABEL}
fi
mount -t tmpfs tmpfs /dev/shm
case "$ROOT" in  # do not hide a checkout in /tmp
  /tmp/*) export TMPDIR=/dev/shm HOME=/dev/shm ;;
  *) mount -t tmpfs tmpfs /tmp ;;
esac
cd "$ROOT" || exit 1
# The time limits of tests are for computers: here the clock may travel, and the test that started the guest has a limit.
PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONDONTWRITEBYTECODE=1 IN_A_GUEST=1 \
  "$PYTHON" -m pytest -o addopts= --import-mode=importlib -p no:cacheprovider -p pytest_timeout -o timeout=0 \
  --color=no -x -v "$TESTS"
echo "GUEST STATUS $?"
sync
busybox poweroff -f
