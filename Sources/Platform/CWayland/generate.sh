#!/bin/sh
# Makes the C code of the wire protocol from its XML. Run it after each change of carry-v1.xml; a test compares.
#   generate.sh [DIRECTORY]   writes below DIRECTORY instead of Sources
set -eu
here=$(dirname "$(readlink -f "$0")")
out=${1:-$(dirname "$here")}
xml=$here/protocol/carry-v1.xml
mkdir -p "$out/CWayland/Generated" "$out/CWaylandServer/include" "$out/CWaylandClient/include"
wayland-scanner --strict private-code "$xml" "$out/CWayland/Generated/carry-v1-protocol.c"
wayland-scanner --strict -c server-header "$xml" "$out/CWaylandServer/include/carry-v1-server-protocol.h"
wayland-scanner --strict -c client-header "$xml" "$out/CWaylandClient/include/carry-v1-client-protocol.h"
