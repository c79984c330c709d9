"""Drags into applications of other toolkits, beside those of a bare XDND source that the rig has."""
import shutil

from .measuring import BENCH, compare, engine, metrics, rounds, running, say, screen

# The toolkits would start services of the desktop, or draw with a graphics card.
ALONE = {"NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb"}
TARGETS = (("gtk3", "GTK 3"), ("gtk4", "GTK 4"), ("qt6", "Qt 6"))
MOTIONS = 60
# GTK 4 takes no data in parts, and an X server no larger property.
ONE_PROPERTY, LARGE = 16_000_000, 64 << 20


def xdnd(rigs, n, folder):
    """The rig moves a pointer from a source into a target, one motion after the other, and lets go."""
    missing = [name for name in ("xdndrun", "xlibpeer", *(f"{t}peer" for t, _ in TARGETS)) if name not in rigs.have]
    if missing or not shutil.which("openbox"):
        say(f"LEFT OUT: xdnd: {', '.join(missing) or 'openbox'} is missing")
        return
    with screen(1280, 800, pinned=False) as env, running(["openbox"], env), engine(env, folder=folder) as (p, e):
        def drag(name, source, target, **more):
            command = rigs.command("xdndrun", "-n", str(MOTIONS), source, f"{rigs.have[target + 'peer']} target")
            return lambda: metrics(command, {**e, **ALONE, **more}, prefix=f"{name}.{target}.")
        carry = lambda size: f"{BENCH} xdnd-source --count {size}"
        bare = lambda size: f"{rigs.have['xlibpeer']} source {size}"
        small = rounds(n, *(step for t, _ in TARGETS for step in (drag("carry", carry(1024), t), drag("bare", bare(1024), t))),
                       drag("gtk", f"{rigs.have['gtk3peer']} source 1024", "gtk3"))
        one = rounds(n, drag("carry", carry(ONE_PROPERTY), "gtk4"), drag("bare", bare(ONE_PROPERTY), "gtk4", CHUNK_KIB="16000"))
        large = rounds(n, drag("carry", carry(LARGE), "gtk3"), drag("bare", bare(LARGE), "gtk3"))
    for target, title in TARGETS:
        compare(small, f"mouse → Status back, {title}, p50", True, f"carry.{target}.status.p50", f"bare.{target}.status.p50", "µs",
                1.3, title="a bare XDND source")
        compare(small, f"of it: mouse → XdndPosition, {title}, p50", True, f"carry.{target}.pos.p50", f"bare.{target}.pos.p50",
                "µs", None, title="a bare XDND source")
    compare(small, "drop → 1 KiB delivered to GTK 3", True, "carry.gtk3.drop", "gtk.gtk3.drop", "ms", 1, title="GTK 3 to GTK 3")
    compare(one, "drop → 16 MB in one property delivered to GTK 4", True, "carry.gtk4.drop", "bare.gtk4.drop", "ms", 1,
            title="a bare XDND source")
    compare(large, "drop → 64 MiB in parts delivered to GTK 3", True, "carry.gtk3.drop", "bare.gtk3.drop", "ms", 1,
            title="a bare XDND source")
