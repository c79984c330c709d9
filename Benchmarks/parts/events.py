"""Input, hit tests and round trips: what the engine does with each event."""
import itertools, os, subprocess, tempfile

from .measuring import (
    BENCH, BIN, PIN, ROOT, SCRATCH, compare, engine, median, metrics, ratio, rounds, row, running, say, screen, until)


def input_(rigs, n, folder):
    variants = [("4 fingers, recorded", rigs.recording), ("10 fingers, all moving", None)]
    for title, recording in variants:
        if title.startswith("4") and recording is None:
            say("LEFT OUT: the four-finger recording is not beside the rigs")
            continue
        count = "300000"
        mine = [recording, "--events", count] if recording else ["--contacts", "10", "--events", count]
        theirs = ["-n", count, "-m", "read,libevdev1,libinput1"] + ([recording] if recording else ["-c", "10"])
        other = rigs.command("evbench", *theirs)
        rs = rounds(n, lambda: metrics(PIN + [BENCH, "input", *mine]), lambda: metrics(PIN + other if other else None))
        compare(rs, f"frame → sessions, live, ns an event ({title})", True, "carry.live", "libevdev1", "ns", 1.5)
        compare(rs, f"the same against libinput ({title})", True, "carry.live", "libinput1", "ns", 1)
        compare(rs, f"recording → sessions ({title})", True, "carry.replay", "read", "ns", 10)
    row("allocations in 1,000 events of a drag, device to sessions", f"{median(rs, 'carry.live.allocations'):.3g}", "none",
        median(rs, "carry.live.allocations"), 0)


def hit(rigs, n, folder):
    with screen() as env:
        for toplevels in (30, 200):
            t = str(toplevels)
            other = rigs.command("hittest", "-t", t, "-n", "1000")
            rs = rounds(n, lambda: metrics(PIN + [BENCH, "hit-test", "--toplevels", t]),
                        lambda: metrics(PIN + other if other else None, env))
            title = f"{median(rs, 'carry.windows'):.0f} windows, {median(rs, 'carry.regions'):.0f} regions"
            compare(rs, f"hit test, {title}", True, "carry.hit", "mirror+regions", "ns", 5)
            cheaper = ratio(rs, "x.qt", "carry.hit")
            x = median(rs, "x.qt")
            row("times cheaper than asking the X server as Qt does", f"{median(rs, 'carry.hit'):.3g} ns",
                x and f"x.qt {x:.0f} ns", cheaper, 100, "least")


def ipc(rigs, n, folder):
    other = rigs.command("pingpong", "-p", "-n", "10000", "-m", "seqepoll,wayland")
    with screen() as env, engine(env, pinned=True, folder=folder) as (p, e):
        rs = rounds(n, lambda: metrics(PIN + [BENCH, "round-trip", "--rounds", "10000"], e), lambda: metrics(other))
    compare(rs, "engine–client round trip (sync)", True, "carry.sync.p50", "unix.seqpacket.epoll.p50", "µs", 1.5,
            title="seqpacket.epoll")
    compare(rs, "the same", True, "carry.sync.p50", "wayland.sync.p50", "µs", 1.2, title="wayland.sync")
    compare(rs, "a question that the engine works on (region withdrawn → agreed)", True, "carry.question.p50",
            "wayland.sync.p50", "µs", None, title="wayland.sync")


def touch(rigs, n, folder):
    """Touches on a real Xorg, beside the regions of a guarded window and in one that nobody guards."""
    program = os.path.join(SCRATCH, "touch")
    library = os.path.join(BIN, "libcarryabi.so")
    support = os.path.join(ROOT, "Tests", "Support", "CInputTest")
    subprocess.run(["gcc", "-O2", "-I", os.path.join(support, "include"), "-I", os.path.join(ROOT, "Sources/Library/CCarry/include"),
                    os.path.join(ROOT, "Benchmarks/Touch/touch.c"), os.path.join(support, "cinputtest.c"), library,
                    "-lX11", "-lXi", "-o", program], check=True)
    link = os.path.join(SCRATCH, "libcarry.so.0")
    if not os.path.exists(link): os.symlink(library, link)
    number = itertools.count(900)
    def measure(mode):
        # The driver takes one connection in its life, so each measurement has a server of its own.
        display = ":%d" % next(number)
        place = tempfile.mkdtemp(dir=folder)
        with open(os.path.join(ROOT, "Tests/Support/xorg.conf")) as f: configuration = f.read()
        with open(os.path.join(place, "xorg.conf"), "w") as f: f.write(configuration.replace("@FOLDER@", place))
        env = dict(os.environ, DISPLAY=display, LD_LIBRARY_PATH=SCRATCH)
        server = PIN + ["Xorg", display, "-config", os.path.join(place, "xorg.conf"), "-layout", "touchscreen",
                        "-seat", "bench", "-noreset", "-nolisten", "tcp", "-ac", "-logfile", os.path.join(place, "log")]
        up = lambda p: until(20, lambda: os.path.exists(os.path.join(place, "touch")), "Xorg did not start")
        with running(server, wait=up), engine(env, "--display", display, pinned=True, folder=place) as (p, e):
            return metrics(PIN + [program, os.path.join(place, "touch"), mode, "1000"], e)
    rs = rounds(n, lambda: measure("plain"), lambda: measure("guarded"), lambda: measure("held"))
    p50 = median(rs, "guarded.begin.p50")
    compare(rs, "touch → application, beside the regions of a guarded window, p50", True, "guarded.begin.p50",
            "plain.begin.p50", "µs", 2, title="not guarded")
    compare(rs, "the same against a process that grabs touches and gives each back at once", True, "guarded.begin.p50",
            "held.begin.p50", "µs", 1.3, title="held")
    row("the same in milliseconds", f"{p50 / 1000:.3g} ms", "none", p50 / 1000, 1)


def policy(rigs, n, folder):
    """The search for a target with 64 items of 32 types each, with a policy of a thousand lines beside one without."""
    rs = rounds(n, lambda: metrics(PIN + [BENCH, "policy"]))
    for part in ("p50", "p99"):
        compare(rs, f"a hundred motions over targets, 64 items of 32 types, a policy of 1,000 lines, {part}", True,
                f"carry.hover.policy.100.{part}", f"carry.hover.plain.100.{part}", "µs", 1.1 if part == "p50" else None,
                title="no policy")
    row("allocations in 1,000 such motions", f"{median(rs, 'carry.hover.policy.allocations'):.3g}",
        f"no policy {median(rs, 'carry.hover.plain.allocations'):.3g}", median(rs, "carry.hover.policy.allocations"), 1)
