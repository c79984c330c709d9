"""What is dropped: bulk data, many transfers, files."""
import os, re, shutil, statistics, subprocess, sys, time

from .measuring import BENCH, SCRATCH, compare, engine, median, metrics, rounds, row, running, say, screen, until


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
                now, end = sum(map(descriptors, pids)), time.monotonic() + 3
                if drop == 1: first = now
                while now > first and time.monotonic() < end: now = sum(map(descriptors, pids))
                if drop > 1: left.append(now - first)
            until(30, lambda: len(read().get("carry.cancel.heard", [])) >= 20, "the source did not hear of all cancels")
            p.wait(30)
        behind, latest = late(log)
    os.unlink(os.path.join(folder, "carry.conf"))
    row("100 streams at once", f"{statistics.median(found['carry.many']):.2f} GiB/s in all", "none", None, None)
    row("descriptors left of them, in all three processes", str(left[-1]), "none", left[-1], 0)
    row("motion handled more than a frame late meanwhile, %", f"{behind:.2f}, the latest {latest:.1f} ms",
        f"without them {quiet:.2f}", behind, 1)
    told, first = max(found["carry.cancel.told"]), found["carry.cancel.first"][0]
    heard = (max(found["carry.cancel.heard"]) - first) / 1e6
    row("cancel → the receiver knows, the slowest of 20, ms", f"{told:.3g} ms", "none", told, 10)
    row("the first cancel of 20 → all sources know, ms", f"{heard:.3g} ms", "none", heard, 50)
