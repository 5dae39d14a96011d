#!/bin/busybox sh
# The first process under Debian's kernel: loads the modules, mounts the root, and runs the guests' init.
busybox=/bin/busybox
$busybox mount -t proc proc /proc
$busybox mount -t sysfs sysfs /sys
$busybox mount -t devtmpfs devtmpfs /dev
for module in /modules/*.ko; do $busybox insmod "$module"; done
$busybox mount -t 9p -o "trans=virtio,version=9p2000.L,${HOW:-ro},msize=524288,cache=loose" root /root
for folder in proc sys dev; do $busybox mount --move /$folder /root/$folder; done
exec $busybox switch_root /root /bin/sh "$INIT"
