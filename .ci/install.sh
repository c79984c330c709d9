#!/bin/sh
# Installs what Carry needs on Debian and its kin; does nothing when all is there.
#   install.sh build      what `make release` needs
#   install.sh toolkits   that, and what the toolkits and `make deb` need
#   install.sh            that, and what running demos and tests needs
#   install.sh docs       that of toolkits, and what the site of the documentation needs
#   install.sh peers      that, and the applications of make test-peers
set -eu

build="
  pkg-config libwayland-dev libevdev-dev libudev-dev libmtdev-dev libyaml-dev
  libx11-dev libx11-xcb-dev libxcb1-dev libxcb-shape0-dev libxext-dev libxrender-dev libxfixes-dev
  libxcomposite-dev libxdamage-dev libxrandr-dev libxi-dev libxpresent-dev libxres-dev libcairo2-dev
  libatk-bridge2.0-dev gcc g++
"
toolkits="
  libgtk-3-dev libgtk-4-dev gobject-introspection python3-gi gir1.2-gtk-4.0
  cmake qt6-base-dev qt6-declarative-dev qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtqml
  qml6-module-qtqml-models qml6-module-qtqml-workerscript
"
# The demos and what they are watched with.
run="
  libpango1.0-dev libgdk-pixbuf-2.0-dev libarchive13 shared-mime-info fonts-dejavu-core
  xvfb openbox picom imagemagick x11-utils hsetroot xdotool qml-qt6
"
tests="
  python3 util-linux mount libwayland-bin
  xserver-xorg-core xserver-xorg-video-dummy xserver-xorg-dev
  libatspi2.0-dev at-spi2-core dbus-daemon xdg-desktop-portal
  icewm tint2 xcompmgr libarchive-tools libxtst6 xclip python3-tk tkdnd python3-pycparser python3-pyqt6 valac
"
peers="
  dbus-daemon thunar pcmanfm pcmanfm-qt nautilus chromium firefox-esr
  libreoffice-writer libreoffice-gtk3 default-jdk-headless default-jre xterm flatpak bubblewrap
  dolphin breeze-icon-theme nemo caja kate emacs-gtk alacritty konsole gimp inkscape thunderbird libreoffice-calc
  vlc vlc-plugin-base keepassxc
  wmctrl xfwm4 kwin-x11 marco mate-settings-daemon-common i3-wm bspwm dwm
"
docs="gi-docgen python3-markdown-it python3-mdit-py-plugins python3-pygments"
case ${1:-all} in
  build) packages=$build ;;
  toolkits) packages="$build $toolkits" ;;
  all) packages="$build $toolkits $run $tests" ;;
  docs) packages="$build $toolkits $docs" ;;
  peers) packages="$build $toolkits $run $tests $peers" ;;
  *) echo "usage: install.sh [build|toolkits|docs|peers]" >&2; exit 2 ;;
esac

missing=""
for p in $packages; do
  dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "Carry needs these Debian packages, or what your system calls them:$missing" >&2
  exit 1
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
  sudo=sudo
  echo "installing:$missing" >&2
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get -o DPkg::Lock::Timeout=600 update -q
$sudo apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends $missing
