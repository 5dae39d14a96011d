#!/bin/sh
# container.sh ROOT: boot the systemd of the Debian in this folder as the first process of a container: namespaces of its
# own for processes, mounts, names, network and control groups, and this computer's kernel. It has no console: when it has
# powered off, the file /console.txt in it is printed.
set -eu

root=$1

boot() { # in the namespaces: what systemd expects of a container (systemd.io, CONTAINER_INTERFACE)
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mkdir "$root/dev/shm" "$root/dev/pts"
  ln -s /proc/self/fd "$root/dev/fd"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  cd "$root"
  pivot_root . mnt
  umount -l /mnt
  exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console </dev/null
}

if [ "${2-}" = boot ]; then boot; fi

# A control group of its own, which the container sees as the root of all. The parent's mounts are private.
groups=$(mktemp -d)
mount -t cgroup2 cgroup2 "$groups"
own=$groups/cribboard-test-$$
mkdir "$own"
clean_up() {
  find "$own" -depth -type d -exec rmdir {} \; 2>/dev/null || true
  umount "$groups"
  rmdir "$groups"
}
trap clean_up EXIT
(
  sh -c 'echo $PPID' >"$own/cgroup.procs"
  exec unshare --pid --fork --kill-child --mount --uts --ipc --net --cgroup "$0" "$root" boot
) || true
cat "$root/console.txt"
