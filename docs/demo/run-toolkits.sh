#!/bin/bash
# Applications of three toolkits, to be seen: a photo sorter in Python with GTK 4, a palette in QML, and a reading list in
# C, if it is built. Two scripted hands sort photos and colours through the real engine. A picture is taken while both
# are in the air.
set -eu
unset DISPLAY # the windows have their places on a screen of their own
. "$(dirname "$0")/stage.sh"
gtk=$root/.build/gtk qt=$root/.build/qt
mkdir -p "$work/Photos"/{"For Anna",Garden,Holidays}
paint_photos "$work/Photos"

# at X,Y TITLE PROGRAM...: starts an application and puts its window there, since there is no window manager.
at() {
  "${@:3}" >"$work/output" 2>&1 &
  pids+=($!)
  timeout 30 xdotool search --sync --onlyvisible --name "$2" windowmove "${1%,*}" "${1#*,}" || { cat "$work/output" >&2; exit 1; }
}

reads=$([ -x "$gtk/reading-list" ] && echo 1 || echo 0)
start_engine demo-toolkits --replay-clients $((2 + reads))
export CARRY_LIBRARY=$bin/libcarryabi.so PYTHONPATH=$root/Toolkits/python/src PYTHONDONTWRITEBYTECODE=1
export GI_TYPELIB_PATH=$gtk LD_LIBRARY_PATH=$gtk:$qt QML_IMPORT_PATH=$qt/qml GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb
export GSK_RENDERER=cairo QT_QUICK_BACKEND=software
if [ $reads = 1 ]; then
  printf '%s\n' https://www.gtk.org/docs/ https://doc.qt.io/qt-6/qml-tutorial.html >"$work/reading-list.txt"
  XDG_DATA_HOME=$work at 5,590 Reading "$gtk/reading-list"
  xdotool search --onlyvisible --name Reading windowsize 845 205
fi
at 850,20 Palette "$(command -v qml6 || echo /usr/lib/qt6/bin/qml)" "$root/Toolkits/qt/examples/palette.qml"
at 5,20 Photos "$root/Toolkits/python/examples/photo-sorter.py" "$work/Photos"

echo "The sessions, as carry monitor tells them:"
"$bin/carry" monitor --with-engine 2>/dev/null | while read -r line; do
  case $line in
    # Both hands rest for a while soon.
    items-added*) (sleep 1 && import -window root "$out/demo-toolkits.png") & ;;
  esac
  echo "  $line"
done &
pids+=($!)
wait $engine
sorted=$(ls "$work/Photos/Garden" | xargs)
[ "$sorted" = "Dusk.png Forest.png" ] || { echo "two photos should be in Garden, not: $sorted" >&2; exit 1; }
echo "Two photos are in Garden. Picture: $out/demo-toolkits.png"
