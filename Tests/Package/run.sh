#!/bin/sh
# Installs the Debian packages, uses what they install, and purges them: run.sh DIRECTORY-OF-PACKAGES. As root, on a
# machine that may be changed for a moment. Needs what .ci/install.sh installs; says so of what it leaves out.
set -eu
cd "$(dirname "$0")/../.."
packages=$(cd "$1" && pwd)
[ "$(id -u)" = 0 ] || { echo "make test-deb installs packages: run it as root, best in a container" >&2; exit 1; }
! dpkg-query -W -f '${Status}' carry 2>/dev/null | grep -q installed || { echo "carry is installed already" >&2; exit 1; }
names=$(for deb in "$packages"/*.deb; do dpkg-deb -f "$deb" Package; done)
work=$(mktemp -d)
pids=""
installed=""
finish() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  [ -z "$installed" ] || dpkg --purge $names >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT INT TERM

step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
# Everything that a package may touch. Caches are rebuilt by their owners' triggers.
list() {
  find /etc /usr /opt /var/lib -xdev \( -path /var/lib/apt -o -path /var/lib/dpkg/info -o -name __pycache__ \) -prune \
    -o -printf '%p %y %m\n' | grep -v -e '^/etc/ld.so.cache ' -e '^/var/lib/dpkg/[^ ]*-old ' | LC_ALL=C sort
}

step "make install and make uninstall leave nothing"
make -s install DESTDIR="$work/root" PREFIX=/usr/local >/dev/null
for file in usr/local/bin/carryd usr/local/share/carry/carry.conf usr/local/share/man/man5/carry.conf.5 \
  usr/local/lib/systemd/user/carry.service usr/local/lib/systemd/user/carry.socket etc/xdg/autostart/carryd.desktop \
  usr/local/share/bash-completion/completions/carry usr/local/share/zsh/site-functions/_carry \
  usr/local/share/fish/vendor_completions.d/carryd.fish usr/lib/udev/rules.d/70-carry.rules \
  usr/local/bin/carry-speak etc/xdg/autostart/carry-speak.desktop usr/local/lib/libcarry.so.0 usr/local/lib/pkgconfig/carry.pc; do
  [ -e "$work/root/$file" ] || fail "make install leaves out $file"
done
grep -q '^ExecStart=/usr/local/bin/carryd$' "$work/root/usr/local/lib/systemd/user/carry.service" || fail "ExecStart="
make -s uninstall DESTDIR="$work/root" PREFIX=/usr/local >/dev/null
left=$(find "$work/root" ! -type d)
[ -z "$left" ] || fail "make uninstall leaves $left"

step "dpkg -i"
list > "$work/before"
installed=yes
dpkg -i "$packages"/*.deb
for package in $names; do
  dpkg --verify "$package" | grep . && fail "$package is not as its md5sums say"
done

step "programs and manual pages"
version=$(carryd --version)
[ "$version" = "carryd $(dpkg-query -W -f '${Version}' carry | sed 's/-.*//')" ] || fail "$version"
[ "$(carry --version)" = "carry ${version#carryd }" ] || fail "carry --version"
[ "$(carry-speak --version)" = "carry-speak ${version#carryd }" ] || fail "carry-speak --version"
# An image may be told to leave manual pages out.
if ! grep -qs 'path-exclude.*/man' /etc/dpkg/dpkg.cfg /etc/dpkg/dpkg.cfg.d/*; then
  for page in 1/carry.1 1/carryd.1 5/carry.conf.5; do [ -e "/usr/share/man/man$page.gz" ] || fail "no $page.gz"; done
fi
ldconfig -p | grep -q 'libcarry.so.0 ' || fail "the linker does not know libcarry.so.0"
# B20: it looks for its libraries where the system has them, and offers carry.h's functions and nothing of Swift's.
library=$(ldconfig -p | sed -n 's/.*libcarry.so.0 .*=> //p' | head -n 1)
if command -v readelf >/dev/null; then
  ! readelf -d "$library" | grep -E 'RUNPATH|RPATH' || fail "$library has a path of the build"
  ! readelf -W --dyn-syms "$library" | awk '$5 != "LOCAL" && $7 != "UND" && $8 ~ /^(\$s|swift_|_swift)/' | grep . || fail "$library offers symbols of Swift"
else
  echo "left out: readelf is not installed"
fi
[ -L /usr/lib/systemd/user/sockets.target.wants/carry.socket ] || fail "carry.socket is not enabled"
if command -v systemd-analyze >/dev/null; then
  mkdir -m 700 "$work/runtime"
  said=$(XDG_RUNTIME_DIR=$work/runtime systemd-analyze verify --user --man=no \
    /usr/lib/systemd/user/carry.socket /usr/lib/systemd/user/carry.service 2>&1 | grep carry || true)
  [ -z "$said" ] || fail "$said"
else
  echo "left out: systemd-analyze is not installed"
fi
if command -v desktop-file-validate >/dev/null; then
  desktop-file-validate /etc/xdg/autostart/carryd.desktop /etc/xdg/autostart/carry-speak.desktop
else
  echo "left out: desktop-file-validate is not installed"
fi

step "carry doctor beside a running engine"
mkfifo "$work/number"
Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp 3> "$work/number" 2>/dev/null &
pids="$pids $!"
read -r number < "$work/number"
export DISPLAY=":$number" CARRY_SOCKET="$work/socket"
unset WAYLAND_DISPLAY XDG_SESSION_TYPE
! carry doctor > "$work/doctor" || fail "carry doctor is content without an engine"
grep -q '^failed *engine' "$work/doctor" || fail "$(cat "$work/doctor")"
carryd --display "$DISPLAY" --verbose 2> "$work/log" &
pids="$pids $!"
for _ in $(seq 100); do
  carry doctor > "$work/doctor" && break
  sleep 0.1
done
cat "$work/doctor"
grep -q '^ok *engine: carryd' "$work/doctor" || fail "carry doctor does not find the engine"
grep -q '70-carry.rules is installed' "$work/doctor" || fail "carry doctor does not find the rule"
grep -q 'configuration: /usr/share/carry/carry.conf' "$work/doctor" || fail "the installed settings are not read"

step "the C examples build against the installed library, and find the engine"
cp -r /usr/share/doc/libcarry-dev/examples "$work/examples" 2>/dev/null || cp -r docs/examples "$work/examples"
PKG_CONFIG_PATH="" make -s -C "$work/examples" source target
ldd "$work/examples/source" | grep -q 'libcarry.so.0 => /' || fail "the example does not find the library"
"$work/examples/source" &
pids="$pids $!"
for _ in $(seq 100); do
  grep -q 'client [0-9]* is .*source' "$work/log" && break
  sleep 0.1
done
grep 'client [0-9]* is .*source' "$work/log" || fail "the example did not reach the engine: $(cat "$work/log")"

step "the toolkits' first programs build against the installed packages, and run"
export PYTHONDONTWRITEBYTECODE=1 GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb GSK_RENDERER=cairo QT_QUICK_BACKEND=software
export DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere
# reaches NAME COMMAND...: the program connects to the engine.
reaches() {
  what=$1
  before=$(grep -c 'client [0-9]* is ' "$work/log" || true)
  shift
  "$@" 2>"$work/errors" &
  pids="$pids $!"
  for _ in $(seq 100); do
    [ "$(grep -c 'client [0-9]* is ' "$work/log" || true)" -le "$before" ] || return 0
    sleep 0.1
  done
  fail "$what did not reach the engine: $(cat "$work/errors")"
}
gcc -o "$work/hello-gtk4" Toolkits/gtk/examples/hello.c $(pkg-config --cflags --libs carry-gtk4)
reaches "GTK 4 in C" "$work/hello-gtk4"
reaches "GTK 4 in Python" /usr/bin/python3 -c 'exec(open("Toolkits/gtk/examples/hello.py").read())'
mkdir "$work/qt"
cp Toolkits/qt/examples/hello.cpp "$work/qt"
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(hello CXX)' 'find_package(CarryQt6 REQUIRED)' \
  'add_executable(hello hello.cpp)' 'target_link_libraries(hello CarryQt6::CarryQt6)' > "$work/qt/CMakeLists.txt"
cmake -S "$work/qt" -B "$work/qt/build" > "$work/said" && cmake --build "$work/qt/build" >> "$work/said" 2>&1 ||
  fail "$(cat "$work/said")"
reaches "Qt 6 in C++" "$work/qt/build/hello"
if command -v /usr/lib/qt6/bin/qml >/dev/null; then
  reaches "QML" /usr/lib/qt6/bin/qml Toolkits/qt/examples/hello.qml
else
  echo "left out: qml is not installed"
fi
(cd / && /usr/bin/python3 -c 'import carry.gtk; print("Python:", carry.gtk.DragSource)')
if /usr/bin/python3 -c 'import tkinter' 2>/dev/null; then
  reaches "Python with Tk" /usr/bin/python3 Toolkits/python/examples/hello_tk.py
else
  echo "left out: python3-tk is not installed"
fi
for pid in $pids; do kill "$pid" 2>/dev/null || true; done
pids=""

step "dpkg --purge"
dpkg --purge $names
installed=""
list > "$work/after"
diff "$work/before" "$work/after" || fail "the packages leave something behind, or take something with them"

if command -v lintian >/dev/null; then
  step "lintian"
  # The packager's address is the packager's.
  lintian --allow-root --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog \
    "$packages"/*.deb
else
  echo "left out: lintian is not installed"
fi
echo "the packages install, work, and leave nothing behind"
