#!/bin/busybox sh
# The first process of an emulated computer: measures the program, prints the result, and powers off.
busybox=/bin/busybox
$busybox mount -t proc proc /proc
$busybox mount -t sysfs sysfs /sys
$busybox mount -t devtmpfs devtmpfs /dev
$busybox mount -t tmpfs tmpfs /tmp
$busybox ifconfig lo 127.0.0.1 up
export PATH=/usr/bin:/bin PYTHONPATH=/opt/app HOME=/tmp PYTHONHASHSEED=0
cd /tmp
$busybox uname -a
python3 -m firmware_host doctor --bench --json
echo "STATUS $?"
$busybox poweroff -f
