#!/usr/bin/env python3
"""run.py [--rounds N] [--only PART,...] [--write]     measures Carry against its comparators; see docs/benchmarks.md

Builds the release, and the comparators from ../shared/rigs or $CARRY_RIGS in a copy under .build; runs each measurement
of Carry in turns with its comparator, on one core where a wake-up across cores would hide the difference; prints medians
and the median of the ratios round by round. --write keeps the table in docs/benchmarks.md.
Parts: input, hit, policy, ipc, touch, preview, frames, crowd, bulk, many, files, idle, replay, allocations. Exit status 1: a measurement failed; a missed bar only shows."""
import argparse, contextlib, hashlib, itertools, os, re, shutil, signal, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRATCH = os.path.join(ROOT, ".build", "bench")
BIN = os.path.join(ROOT, ".build", "release")
BENCH, CARRYD, CARRY = (os.path.join(BIN, n) for n in ("carry-bench", "carryd", "carry"))
PIN = ["taskset", "-c", "0"]
PARTS = ["input", "hit", "policy", "ipc", "touch", "preview", "frames", "crowd", "bulk", "many", "files", "idle", "replay",
         "allocations"]


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---- set-up ----

def build():
    flags = os.environ.get("CARRY_RELEASE_FLAGS", "--static-swift-stdlib").split()
    for product in ("carry-bench", "carryd", "carry", "carryabi"):
        subprocess.run(["swift", "build", "-c", "release", *flags, "--product", product], cwd=ROOT, check=True,
                       stdout=sys.stderr)


class Rigs:
    """The comparators that can be built here."""
    PROGRAMS = {"1-input": ["evbench"], "2-ipc": ["pingpong"], "3-bulk": ["bulk", "xincr"], "4-preview": ["preview"],
                "5-hittest": ["hittest"]}

    def __init__(self):
        self.have, self.missing = {}, []
        source = os.environ.get("CARRY_RIGS") or os.path.join(ROOT, "..", "shared", "rigs")
        self.recording = None
        traces = os.path.join(os.path.dirname(os.path.abspath(source)), "traces")
        known = os.path.join(traces, "ep0430m09.4-finger-drag.events")
        if os.path.exists(known): self.recording = known
        copy = os.path.join(SCRATCH, "rigs")
        for directory, programs in self.PROGRAMS.items():
            for program in programs:
                there = os.path.join(source, directory)
                if not os.path.isdir(there):
                    self.missing.append(f"{directory}/{program}: no {there}")
                    continue
                here = os.path.join(copy, directory)
                os.makedirs(os.path.join(copy, "common"), exist_ok=True)
                os.makedirs(here, exist_ok=True)
                for folder, to in ((os.path.join(source, "common"), os.path.join(copy, "common")), (there, here)):
                    for name in os.listdir(folder):
                        if name.endswith((".c", ".h", ".py")) or name == "Makefile":
                            new, old = os.path.join(to, name), os.path.join(folder, name)
                            if not os.path.exists(new) or os.path.getmtime(old) > os.path.getmtime(new):
                                shutil.copyfile(old, new)
                r = subprocess.run(["make", "-s", "-C", here, program], capture_output=True, text=True)
                path = os.path.join(here, program)
                if r.returncode == 0 and os.path.exists(path): self.have[program] = path
                else: self.missing.append(f"{directory}/{program}: {(r.stderr.strip().splitlines() or ['not built'])[-1]}")

    def command(self, program, *arguments):
        return [self.have[program], *arguments] if program in self.have else None


# ---- running ----

def metrics(command, env=None, prefix="", timeout=120):
    """Runs a program that prints '<metric> <value> <unit>' lines."""
    if command is None: return {}
    r = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, timeout=timeout)
    found = {}
    for line in r.stdout.splitlines():
        f = line.split()
        with contextlib.suppress(ValueError):
            if len(f) == 3: found.setdefault(prefix + f[0], []).append(float(f[1]))
    if r.returncode != 0 or not found:
        raise RuntimeError(f"{' '.join(command)}: status {r.returncode}: {r.stderr.strip()[-300:]}")
    return {k: statistics.median(v) for k, v in found.items()}


def rounds(n, *steps):
    """Calls all steps, n times in turns; a list of one dictionary a round."""
    result = []
    for _ in range(n):
        r = {}
        for step in steps: r.update(step())
        result.append(r)
    return result


def median(rs, name):
    v = [r[name] for r in rs if name in r]
    return statistics.median(v) if v else None


def ratio(rs, a, b):
    v = [r[a] / r[b] for r in rs if a in r and r.get(b)]
    return statistics.median(v) if v else None


@contextlib.contextmanager
def running(command, env=None, wait=None, pass_fds=(), log=None, out=subprocess.DEVNULL):
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=log or subprocess.DEVNULL, env=env,
                         pass_fds=pass_fds, text=True)
    try:
        if wait: wait(p)
        yield p
    finally:
        if p.poll() is None: p.terminate()
        try: p.wait(5)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()


@contextlib.contextmanager
def screen(width=1920, height=1080, pinned=True):
    """A private X server; gives the environment for its clients."""
    read, write = os.pipe()
    command = (PIN if pinned else []) + ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24",
                                         "-nolisten", "tcp", "-noreset", "-dpi", "96", "+extension", "Composite"]
    with running(command, pass_fds=(write,)):
        os.close(write)
        number = b""
        while not number.endswith(b"\n"):
            part = os.read(read, 16)
            if not part: raise RuntimeError("Xvfb did not start")
            number += part
        os.close(read)
        yield dict(os.environ, DISPLAY=":" + number.decode().strip())


def until(seconds, condition, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end: raise RuntimeError(what)
        time.sleep(0.02)


@contextlib.contextmanager
def engine(env, *arguments, pinned=False, folder, log=None, preload=None):
    """A real carryd; gives it and the environment for its clients."""
    path = os.path.join(folder, "carry.sock")
    config = os.path.join(folder, "carry.conf")
    e = dict(env, CARRY_SOCKET=path)
    own = dict(e, **(preload or {}))
    command = (PIN if pinned else []) + [CARRYD, "--display", e["DISPLAY"], "--socket", path, *arguments]
    if os.path.exists(config): command += ["--config", config]
    if os.path.exists(path): os.unlink(path)
    with running(command, env=own, log=log,
                 wait=lambda p: until(10, lambda: os.path.exists(path) or p.poll() is not None, "carryd did not start")) as p:
        if p.poll() is not None: raise RuntimeError(f"carryd ended with status {p.returncode}")
        yield p, e


# ---- the table ----

TABLE = []


def row(what, carry, comparator, value, bar, kind="most"):
    """carry and comparator are texts; value is the ratio (or the number) that the bar is about."""
    if bar is None: verdict = ""
    elif value is None: verdict = "no comparator"
    else: verdict = "met" if (value <= bar if kind == "most" else value >= bar) else "MISSED"
    sign = {"most": "≤", "least": "≥"}[kind]
    TABLE.append((what, carry, comparator or "left out", "" if value is None else f"{value:.2f}" if value < 100 else f"{value:.0f}",
                  "" if bar is None else f"{sign} {bar:g}", verdict))


def compare(rs, what, carry, name, other, unit, bar, kind="most", title=None):
    c, o = median(rs, name), median(rs, other)
    text = lambda v: f"{v:.3g} {unit}" if v < 1000 else f"{v:.0f} {unit}"
    value = ratio(rs, name, other) if kind == "most" or carry else None
    row(what, text(c), None if o is None else f"{title or other} {text(o)}", value, bar, kind)


# ---- the parts ----

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


XORG = """Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoEnableDevices" "false"
EndSection
Section "Device"
  Identifier "dummy"
  Driver "dummy"
EndSection
Section "Screen"
  Identifier "screen"
  Device "dummy"
EndSection
Section "InputDevice"
  Identifier "touch"
  Driver "inputtest"
  Option "SocketPath" "{0}/touch"
  Option "DeviceType" "Touch"
  Option "TouchCount" "10"
EndSection
Section "InputDevice"
  Identifier "pointer"
  Driver "inputtest"
  Option "SocketPath" "{0}/pointer"
  Option "DeviceType" "PointerAbsolute"
EndSection
Section "InputDevice"
  Identifier "keyboard"
  Driver "inputtest"
  Option "SocketPath" "{0}/keyboard"
  Option "DeviceType" "Keyboard"
EndSection
Section "ServerLayout"
  Identifier "layout"
  Screen "screen"
  InputDevice "touch" "SendCoreEvents"
  InputDevice "pointer" "CorePointer"
  InputDevice "keyboard" "CoreKeyboard"
EndSection
"""


def touch(rigs, n, folder):
    """Touches on a real Xorg, beside the regions of a guarded window and in one that nobody guards."""
    program = os.path.join(SCRATCH, "touch")
    library = os.path.join(BIN, "libcarryabi.so")
    support = os.path.join(ROOT, "Tests", "Support", "CInputTest")
    subprocess.run(["gcc", "-O2", "-I", os.path.join(support, "include"), "-I", os.path.join(ROOT, "Sources/CCarry/include"),
                    os.path.join(ROOT, "Benchmarks/Touch/touch.c"), os.path.join(support, "cinputtest.c"), library,
                    "-lX11", "-lXi", "-o", program], check=True)
    link = os.path.join(SCRATCH, "libcarry.so.0")
    if not os.path.exists(link): os.symlink(library, link)
    number = itertools.count(900)
    def measure(mode):
        # The driver takes one connection in its life, so each measurement has a server of its own.
        display = ":%d" % next(number)
        place = tempfile.mkdtemp(dir=folder)
        with open(os.path.join(place, "xorg.conf"), "w") as f: f.write(XORG.format(place))
        env = dict(os.environ, DISPLAY=display, LD_LIBRARY_PATH=SCRATCH)
        server = ["Xorg", display, "-config", os.path.join(place, "xorg.conf"), "-seat", "bench", "-noreset", "-nolisten",
                  "tcp", "-ac", "-logfile", os.path.join(place, "log")]
        up = lambda p: until(20, lambda: os.path.exists(os.path.join(place, "touch")), "Xorg did not start")
        with running(server, wait=up), engine(env, "--display", display, folder=place) as (p, e):
            return metrics([program, os.path.join(place, "touch"), mode, "1000"], e)
    rs = rounds(n, lambda: measure("plain"), lambda: measure("guarded"), lambda: measure("held"))
    p50 = median(rs, "guarded.begin.p50")
    compare(rs, "touch → application, beside the regions of a guarded window, p50", True, "guarded.begin.p50",
            "plain.begin.p50", "µs", 2, title="not guarded")
    compare(rs, "the same against a process that grabs touches and gives each back at once", True, "guarded.begin.p50",
            "held.begin.p50", "µs", 1.3, title="held")
    row("the same in milliseconds", f"{p50 / 1000:.3g} ms", "none", p50 / 1000, 1)


def program(source, *libraries):
    """Builds a small C program of our own, once."""
    path = os.path.join(SCRATCH, os.path.splitext(os.path.basename(source))[0])
    source = os.path.join(ROOT, "Benchmarks", source)
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
        subprocess.run(["gcc", "-O2", source, "-o", path, *libraries], check=True)
    return path


COMPOSITORS = {"picom": ["picom", "--config", "/dev/null", "--backend", "xrender", "--no-vsync"], "xcompmgr": ["xcompmgr"]}


def preview(rigs, n, folder):
    for name, command in COMPOSITORS.items():
        if not shutil.which(command[0]):
            say(f"LEFT OUT: {name} is not installed")
            continue
        with screen() as env, running(PIN + command, env) as c:
            time.sleep(1.5)
            if c.poll() is not None: raise RuntimeError(f"{name} ended")
            side = str(int(metrics(PIN + [BENCH, "preview", "--frames", "10"], env)["carry.side"]))
            def mine(count, frames):
                return lambda: metrics(PIN + [BENCH, "preview", "--count", count, "--frames", frames], env, count + ".")
            def theirs(count, frames):
                other = rigs.command("preview", "-w", side, "-k", count, "-n", frames)
                return lambda: metrics(PIN + other if other else None, env, count + ".")
            def growing():
                return metrics(PIN + [program("Growing/growing.c", "-lX11", "-lXrender"), side, "10", "200"], env, "10.")
            rs = rounds(n, mine("1", "1000"), theirs("1", "1000"), mine("10", "200"), theirs("10", "200"), growing)
            compare(rs, f"one preview moved ({name})", True, "1.carry.move.flush", "1.move.flush", "µs", 1.3, title="one.move.flush")
            compare(rs, f"ten moved ({name})", True, "10.carry.move.flush", "10.move.flush", "µs", 1.3, title="ten.move.flush")
            compare(rs, f"ten redrawn, another badge ({name})", True, "10.carry.redraw.sync", "10.redraw.sync", "µs", 1.3, title="ten.redraw.sync")
            compare(rs, f"ten redrawn with cards that grow ({name})", True, "10.carry.grow.sync", "10.grow.sync", "µs", 1.3, title="growing")
            if name == "picom":
                ms = rounds(n, lambda: metrics(PIN + [BENCH, "motion"], env))
                row("evdev frame → flushed window move, one thread, p50", f"{median(ms, 'carry.motion.p50'):.3g} µs", "none", None, None)


def transfers(env, folder, data, drops):
    """Drops in one run of a real engine, source and destination."""
    recording = os.path.join(folder, "drops.events")
    if not os.path.exists(recording):
        subprocess.run([BENCH, "recording", "--kind", "drops", "--count", str(drops), recording], check=True)
    with engine(env, "--replay", recording, folder=folder) as (p, e):
        destination = subprocess.Popen([BENCH, "destination", "--drops", str(drops), data], env=e, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        with running([BENCH, "source", data], e):
            try: out, err = destination.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                destination.kill()
                raise RuntimeError("the drops did not all come")
    found = {}
    for line in out.splitlines():
        f = line.split()
        if len(f) == 3: found.setdefault(f[0], []).append(float(f[1]))
    if destination.returncode != 0 or set(found) != {"carry.file", "carry.stream"}:
        raise RuntimeError(f"drops: {err.strip()}")
    return {k: statistics.median(v) for k, v in found.items()}


# Drags that take a second less than a person's.
QUICK = "[lift]\nbegins-ms = 30\ncompletes-ms = 100\n[contacts]\nflicker-wait-ms = 20\n[animation]\ncancel-ms = 50\n"


def bulk_data():
    data = os.path.join(SCRATCH, "64MiB")
    size, pattern = 64 << 20, bytes((i * 31) & 255 for i in range(256))
    # Written anew each time, all at once, as the comparator's is: the kernel keeps such a file in large pieces, and reads it
    # twice as fast as one that it has read from the disk some time ago.
    if os.path.exists(data): os.unlink(data)
    with open(data, "wb", buffering=0) as f: f.write(pattern * (size // 256))
    return data


def bulk(rigs, n, folder):
    data = bulk_data()
    with open(os.path.join(folder, "carry.conf"), "w") as f: f.write(QUICK)
    with screen(1280, 800, pinned=False) as env:
        other, x = rigs.command("bulk"), rigs.command("xincr", "pair", "-c", "256", "-n", "1")
        rs = rounds(n, lambda: transfers(env, folder, data, 6), lambda: metrics(other), lambda: metrics(x, env))
    os.unlink(os.path.join(folder, "carry.conf"))
    for what, name, bars in (("file item of 64 MiB, drop to delivered, whole engine", "carry.file", (("e2e.file", 0.8), ("xincr", 10))),
                             ("generated data of 64 MiB, the same way", "carry.stream", (("e2e.ring", 0.7), ("pipe1m", 5)))):
        for comparator, bar in bars:
            compare(rs, what, True, name, comparator, "GiB/s", bar, "least")


def policy(rigs, n, folder):
    """The search for a target with 64 items of 32 types each, with a policy of a thousand lines beside one without."""
    rs = rounds(n, lambda: metrics(PIN + [BENCH, "policy"]))
    for part in ("p50", "p99"):
        compare(rs, f"a hundred motions over targets, 64 items of 32 types, a policy of 1,000 lines, {part}", True,
                f"carry.hover.policy.100.{part}", f"carry.hover.plain.100.{part}", "µs", 1.1 if part == "p50" else None,
                title="no policy")
    row("allocations in 1,000 such motions", f"{median(rs, 'carry.hover.policy.allocations'):.3g}",
        f"no policy {median(rs, 'carry.hover.plain.allocations'):.3g}", median(rs, "carry.hover.policy.allocations"), 1)


def files(rigs, n, folder):
    """Copies and archives beside the programs that people use for them; on a disk, as temporary files may be in memory."""
    if not shutil.which("bsdtar"):
        say("LEFT OUT: files: bsdtar is not installed")
        return
    rs = rounds(1, lambda: metrics([BENCH, "files", "--rounds", str(n), "/var/tmp"], timeout=1200))
    ms = lambda name: f"{median(rs, name):.0f} ms"
    row("a file of 1 GiB copied, as fast as cp --reflink=auto", ms("copy-file"), f"cp {ms('cp')}",
        median(rs, "copy-file-beside-cp"), 0.95, "least")
    row("a folder of 10,000 files as data, as fast as bsdtar", ms("zip-folder"), f"bsdtar {ms('bsdtar')}",
        median(rs, "zip-folder-beside-bsdtar"), 0.9, "least")
    row("first byte of that folder, ms", ms("zip-folder-first-byte"), "none", median(rs, "zip-folder-first-byte"), 100)


def descriptors(pid):
    """How many a process has, once that does not change any more."""
    count, since = -1, time.monotonic()
    while time.monotonic() - since < 0.3:
        now = len(os.listdir(f"/proc/{pid}/fd"))
        if now != count: count, since = now, time.monotonic()
        time.sleep(0.02)
    return count


def many(rigs, n, folder):
    """Drops of a hundred transfers each while another finger carries about, and one whose loads are cancelled."""
    drops = max(2, min(n, 3))
    path = os.path.join(folder, "many.events")
    subprocess.run([BENCH, "recording", "--kind", "many", "--count", str(drops), path], check=True)
    with open(os.path.join(folder, "carry.conf"), "w") as f: f.write(QUICK)
    found, left = {}, []
    said = {name: os.path.join(folder, name) for name in ("many-source", "many-destination")}
    def read():
        found.clear()
        for name in said.values():
            for line in open(name):
                f = line.split()
                if len(f) == 3: found.setdefault(f[0], []).append(float(f[1]))
        return found
    def late(log):
        log.seek(0)
        played = re.findall(r"(\d+) frames of contacts were played, (\d+) of them .* the latest (\d+) us", log.read())
        if not played: raise RuntimeError("carryd did not say how late its motion was")
        count, behind, latest = map(int, played[-1])
        return behind / count * 100, latest / 1000
    with screen(1280, 800, pinned=False) as env, open(os.path.join(folder, "quiet.log"), "w+") as log:
        with engine(env, "--replay", path, "--replay-clients", "2", "--verbose", folder=folder, log=log) as (p, e), \
             running([BENCH, "many-source"], e), running([BENCH, "many-destination", "--drops", "0"], e): p.wait(60)
        quiet, _ = late(log)
    with screen(1280, 800, pinned=False) as env, open(os.path.join(folder, "many.log"), "w+") as log:
        with engine(env, "--replay", path, "--replay-clients", "2", "--verbose", folder=folder, log=log) as (p, e), \
             open(said["many-source"], "w") as one, open(said["many-destination"], "w") as two, \
             running([BENCH, "many-source"], e, out=one) as source, \
             running([BENCH, "many-destination"], e, out=two, log=sys.stderr) as destination:
            pids = (p.pid, source.pid, destination.pid)
            for drop in range(1, drops + 1):
                until(30, lambda: len(read().get("carry.many", [])) >= drop or p.poll() is not None, "no drop came")
                if p.poll() is not None: raise RuntimeError(f"the engine ended after {len(found.get('carry.many', []))} drops")
                counts = [descriptors(pid) for pid in pids]
                if drop > 1: left.append(sum(now - before for now, before in zip(counts, first)))
                else: first = counts
            until(30, lambda: len(read().get("carry.cancel.heard", [])) >= 20, "the source did not hear of all cancels")
            p.wait(30)
        behind, latest = late(log)
    os.unlink(os.path.join(folder, "carry.conf"))
    fair, rate = found["carry.many.fair"][0], statistics.median(found["carry.many"])
    row("100 streams at once: the largest share of two seconds beside the smallest", f"{rate:.2f} GiB/s in all", "none", fair, 2)
    row("descriptors left of them, in all three processes", str(left[-1]), "none", left[-1], 0)
    row("motion handled more than a frame late meanwhile, %", f"{behind:.2f}, the latest {latest:.1f} ms",
        f"without them {quiet:.2f}", behind, 1)
    told, first = max(found["carry.cancel.told"]), found["carry.cancel.first"][0]
    heard = (max(found["carry.cancel.heard"]) - first) / 1e6
    row("cancel → the receiver knows, the slowest of 20, ms", f"{told:.3g} ms", "none", told, 10)
    row("the first cancel of 20 → all sources know, ms", f"{heard:.3g} ms", "none", heard, 50)


def footprint(pid):
    found = {}
    for line in open(f"/proc/{pid}/smaps_rollup"):
        f = line.split()
        if len(f) == 3: found[f[0]] = int(f[1]) / 1024
    return found["Rss:"], found["Private_Clean:"] + found["Private_Dirty:"]


def switches(pid):
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        for line in open(f"/proc/{pid}/task/{task}/status"):
            if "ctxt_switches" in line: total += int(line.split()[1])
    return total


def idle(rigs, n, folder):
    with screen(pinned=False) as env, engine(env, folder=folder) as (p, e):
        time.sleep(2)
        before = switches(p.pid)
        time.sleep(10)
        woken = switches(p.pid) - before
        resident, private = footprint(p.pid)
    row("idle carryd: resident, MiB", f"{resident:.1f}", "none", resident, 12)
    row("idle carryd: private, MiB", f"{private:.1f}", "none", private, 4)
    row("idle carryd: wake-ups in 10 s", str(woken), "none", woken, 0)


def allocations(env, folder):
    """Of a whole carryd, in the motion of a drag: what a longer recording costs more than a short one."""
    library = os.path.join(SCRATCH, "count.so")
    source = os.path.join(ROOT, "Benchmarks", "CAllocationCount")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", source + "/include", source + "/count.c", "-o", library], check=True)
    totals = []
    for frames in (100, 300):
        recording = os.path.join(folder, f"motion-{frames}.events")
        subprocess.run([BENCH, "recording", "--kind", "motion", "--count", str(frames), recording], check=True)
        events = sum(1 for l in open(recording) if l.startswith("E:"))
        with open(os.path.join(folder, "log"), "w+") as log:
            data = os.path.join(SCRATCH, "64MiB")
            with engine(env, "--replay", recording, folder=folder, log=log,
                        preload={"LD_PRELOAD": library, "CARRY_COUNT_ALLOCATIONS": "1"}) as (p, e):
                with running([BENCH, "destination", data], e), running([BENCH, "source", data], e): p.wait(30)
            log.seek(0)
            count = re.findall(r"^allocations (\d+)$", log.read(), re.M)
            if not count: raise RuntimeError("carryd did not say how often it allocated")
            totals.append((events, int(count[-1])))
    (e1, a1), (e2, a2) = totals
    return (a2 - a1) / (e2 - e1) * 1000


def counted(rigs, n, folder):
    bulk_data()
    with open(os.path.join(folder, "carry.conf"), "w") as f: f.write(QUICK)
    with screen(1280, 800, pinned=False) as env: value = allocations(env, folder)
    os.unlink(os.path.join(folder, "carry.conf"))
    row("allocations in 1,000 events of a drag, whole carryd with Xlib and its clients", f"{value:.0f}", "none", None, None)


def replay(rigs, n, folder):
    path = os.path.join(folder, "long.events")
    subprocess.run([BENCH, "recording", "--kind", "events", "--count", "50000", path], check=True)
    times, outputs = [], set()
    for _ in range(n):
        a = time.monotonic()
        r = subprocess.run([CARRY, "replay", "--fast", "--json", path], stdout=subprocess.PIPE, check=True)
        times.append(time.monotonic() - a)
        outputs.add(hashlib.sha256(r.stdout).hexdigest())
    same = "the same each time" if len(outputs) == 1 else "DIFFERENT each time"
    row(f"carry replay --fast, 50,000 events; output {same}", f"{statistics.median(times):.3f} s", "none",
        0 if len(outputs) == 1 else 1, 0)


def frames(rigs, n, folder):
    """Ten stacks that fingers carry about, under picom: what the whole engine takes, and how late its frames are."""
    path = os.path.join(folder, "ten.events")
    seconds = 10
    subprocess.run([BENCH, "recording", "--kind", "ten", "--count", str(seconds), path], check=True)
    tick = os.sysconf("SC_CLK_TCK")
    cpu = lambda pid: sum(int(v) for v in open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13]) / tick
    shares, late, worst = [], [], []
    for _ in range(min(n, 3)):
        with screen(1280, 800, pinned=False) as env, running(["picom", "--config", "/dev/null", "--backend", "xrender"], env):
            time.sleep(1)
            with open(os.path.join(folder, "frames.log"), "w+") as log:
                with engine(env, "--replay", path, "--replay-delay", "2", "--verbose", folder=folder, log=log) as (p, e):
                    with running([CARRY, "drag", "--text", "ten", "--geometry", "400x400+40+200"], e):
                        time.sleep(5)
                        a = cpu(p.pid)
                        time.sleep(5)
                        shares.append((cpu(p.pid) - a) / 5 * 100)
                        p.wait(30)
                log.seek(0)
                found = re.findall(r"(\d+) frames were due, (\d+) of them .* the latest (\d+) us", log.read())
            if not found: raise RuntimeError("carryd did not say how late its frames were")
            due, behind, latest = map(int, found[-1])
            if due < 300: raise RuntimeError(f"only {due} frames were due: ten fingers did not carry")
            late.append(behind / due * 100)
            worst.append(latest / 1000)
    share, behind = statistics.median(shares), statistics.median(late)
    row("ten stacks carried about at 60 Hz under picom: carryd, % of a core", f"{share:.1f}", "none", share, 5)
    row("frames that came more than 2 ms late, %", f"{behind:.2f}", f"the latest {statistics.median(worst):.1f} ms", behind, 1)


def crowd(rigs, n, folder):
    """Ten fingers at 120 Hz over 200 regions of 50 applications; then five of these are stopped."""
    path = os.path.join(folder, "ten.events")
    subprocess.run([BENCH, "recording", "--kind", "ten", "--count", "8", path], check=True)
    tick = os.sysconf("SC_CLK_TCK")
    cpu = lambda pid: sum(int(v) for v in open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13]) / tick
    for stalls in (False, True):
        shares, late, worst = [], [], []
        for _ in range(min(n, 3)):
            with screen(1280, 800, pinned=False) as env, open(os.path.join(folder, "crowd.log"), "w+") as log:
                with engine(env, "--replay", path, "--replay-clients", "51", "--verbose", folder=folder, log=log) as (p, e):
                    with running([CARRY, "drag", "--text", "ten", "--geometry", "400x400+40+200"], e), \
                         running([BENCH, "crowd", "--clients", "45"], e, out=subprocess.PIPE) as many, \
                         running([BENCH, "crowd", "--clients", "5", "--first", "45"], e) as few:
                        # The recording waits for all of them; by then the fingers carry.
                        time.sleep(3)
                        if stalls: few.send_signal(signal.SIGSTOP)
                        a = cpu(p.pid)
                        time.sleep(5)
                        shares.append((cpu(p.pid) - a) / 5 * 100)
                        p.wait(30)
                        few.send_signal(signal.SIGCONT)
                        updates = re.search(r"crowd\.updates\s+(\d+)", many.communicate(timeout=10)[0])
                if not updates or int(updates[1]) < 1000: raise RuntimeError(f"the regions were not asked: {updates}")
                log.seek(0)
                found = re.findall(r"(\d+) frames of contacts were played, (\d+) of them .* the latest (\d+) us", log.read())
            if not found or int(found[-1][0]) < 900: raise RuntimeError(f"ten fingers did not carry: {found}")
            count, behind, latest = map(int, found[-1])
            late.append(behind / count * 100)
            worst.append(latest / 1000)
        share, behind = statistics.median(shares), statistics.median(late)
        row("the same, five of the clients stopped: carryd, % of a core" if stalls else "ten drags over 200 regions of 50 clients: carryd, % of a core", f"{share:.1f}", "none", share, 10)
        row("motion handled more than a frame late, five stopped, %" if stalls else "motion handled more than a frame late, %", f"{behind:.2f}", f"the latest {statistics.median(worst):.1f} ms", behind, 1)


RUN = {"input": input_, "hit": hit, "ipc": ipc, "touch": touch, "preview": preview, "frames": frames, "crowd": crowd, "bulk": bulk, "many": many, "files": files, "policy": policy, "idle": idle, "replay": replay, "allocations": counted}


# ---- the report ----

HEAD = ("what", "Carry", "comparator", "ratio", "bar", "verdict")


def table():
    lines = [HEAD, *TABLE]
    widths = [max(len(l[i]) for l in lines) for i in range(len(HEAD))]
    pad = lambda l: "| " + " | ".join(c.ljust(w) for c, w in zip(l, widths)) + " |"
    return "\n".join([pad(HEAD), "|" + "|".join("-" * (w + 2) for w in widths) + "|", *map(pad, TABLE)])


def machine():
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    memory = int(re.search(r"MemTotal:\s+(\d+)", open("/proc/meminfo").read()).group(1)) / 2**20
    return f"{os.cpu_count()} × {model.group(1) if model else os.uname().machine}, {memory:.0f} GiB, Linux {os.uname().release}"


def write(rigs, n):
    path = os.path.join(ROOT, "docs", "benchmarks.md")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    date = subprocess.run(["date", "-I"], stdout=subprocess.PIPE, text=True).stdout.strip()
    swift = subprocess.run(["swift", "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    version = re.search(r"Swift version (\S+)", swift)
    with open(os.path.join(ROOT, "Benchmarks", "explained.md")) as f: explained = f.read()
    left = "".join(f"\nLeft out: {m}." for m in rigs.missing)
    with open(path, "w") as f:
        f.write(f"""# Benchmarks

Measured {date} on {machine()}; Swift {version.group(1) if version else "?"}, release build, medians of {n} rounds.
{left}
{table()}

{explained}""")
    say(f"wrote {path}")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--rounds", type=int, default=5)
    a.add_argument("--only", default=",".join(PARTS))
    a.add_argument("--write", action="store_true")
    o = a.parse_args()
    parts = o.only.split(",")
    if set(parts) - set(PARTS): a.error(f"the parts are {', '.join(PARTS)}")
    os.makedirs(SCRATCH, exist_ok=True)
    build()
    rigs = Rigs()
    for m in rigs.missing: say(f"LEFT OUT, absolute numbers only: {m}")
    failed = False
    with tempfile.TemporaryDirectory(prefix="carry-bench-") as folder:
        for part in parts:
            start = time.monotonic()
            try: RUN[part](rigs, o.rounds, folder)
            except (RuntimeError, subprocess.SubprocessError, OSError) as e:
                failed = True
                say(f"FAILED: {part}: {e}")
                TABLE.append((part, "FAILED", "", "", "", "FAILED"))
            say(f"{part}: {time.monotonic() - start:.0f} s")
    print(table())
    if o.write: write(rigs, o.rounds)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
