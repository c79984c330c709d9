#!/bin/bash
# run.sh PROGRAMS     the kernel lane: a virtual machine with a real kernel, udevd and uinput; see guest.py
#
# PROGRAMS is the folder with carryd and carry, built with a static standard library. Nothing is installed but Debian
# packages that provide the tools; the kernel and virtme-ng stay below .build. Without them the lane is left out, and
# says so; CARRY_KERNEL_REQUIRED=1 makes that an error.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(cd "$1" && pwd)
scratch=$root/.build/kernel
mkdir -p "$scratch"

left_out() {
  echo "LEFT OUT: the kernel lane did not run: $1" >&2
  [ "${CARRY_KERNEL_REQUIRED:-0}" = 1 ] && exit 1
  exit 0
}

tools="qemu-system-x86 evemu-tools udev kmod busybox-static procps python3-venv libxtst6
  xserver-xorg-input-libinput xinput x11-utils"
missing=""
for p in $tools; do
  dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $p"
done
if [ -n "$missing" ]; then
  command -v apt-get >/dev/null || left_out "it needs$missing"
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  echo "installing:$missing" >&2
  { $sudo apt-get -o DPkg::Lock::Timeout=600 update -q &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends \
      $missing; } >"$scratch/install.log" 2>&1 || left_out "$missing could not be installed, see $scratch/install.log"
fi
[ "$(uname -m)" = x86_64 ] || left_out "it knows x86_64 only, this is $(uname -m)"

if ! [ -x "$scratch/venv/bin/vng" ]; then
  { python3 -m venv "$scratch/venv" && "$scratch/venv/bin/pip" install -q 'virtme-ng>=1.30,<2'; } \
    >"$scratch/venv.log" 2>&1 || left_out "virtme-ng could not be installed, see $scratch/venv.log"
fi

# Any kernel of Debian's will do: the one of linux-image-amd64, unpacked, not installed.
kernel() { ls "$scratch"/linux/boot/vmlinuz-* 2>/dev/null | tail -1; }
if [ -z "$(kernel)" ] || ! [ -e "$scratch/linux/complete" ]; then
  package=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
  [ -n "$package" ] || left_out "no kernel image is to be had: apt does not know linux-image-amd64"
  rm -rf "$scratch/linux" "$scratch"/linux-image-*.deb
  (cd "$scratch" && apt-get download -q "$package" && dpkg-deb -x linux-image-*.deb linux &&
    for v in linux/lib/modules/*; do /sbin/depmod -b linux "${v##*/}" || exit 1; done &&
    rm -f linux-image-*.deb && touch linux/complete) >"$scratch/kernel.log" 2>&1 ||
    left_out "the kernel image could not be had, see $scratch/kernel.log"
fi

# What runs inside comes through one command line; the output is what the guest prints.
log=$scratch/guest.log
start=$SECONDS
printf -v inside '/usr/bin/python3 -B %q %q %q' "$root/Tests/Kernel/guest.py" "$programs" "$root"
# Checks are printed as they pass.
PATH=$scratch/venv/bin:/usr/sbin:/sbin:$PATH timeout --kill-after=10 "${CARRY_KERNEL_SECONDS:-600}" \
  vng --disable-kvm -r "$(kernel)" --memory 1G --cpus 2 --exec "$inside" </dev/null 2>&1 |
  tee "$log" | stdbuf -oL tr -d '\r' | grep --line-buffered -E '^(ok|FAILED|note:?) '
status=${PIPESTATUS[0]}
passed=$(tr -d '\r' <"$log" | grep -c '^ok ')
if grep -q '^FAILED ' "$log" || ! tr -d '\r' <"$log" | grep -q '^done$' || [ "$passed" = 0 ]; then
  tail -n 120 "$log" | cut -c1-300 >&2
  echo "kernel lane FAILED after $((SECONDS - start)) s (status $status); all of it: $log" >&2
  exit 1
fi
echo "kernel lane: $passed checks passed in $((SECONDS - start)) s"
