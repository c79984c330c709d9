"""An engine at rest, allocations, recordings."""
import hashlib, os, re, statistics, subprocess, time

from .data import QUICK, bulk_data
from .measuring import BENCH, CARRY, ROOT, SCRATCH, engine, row, running, screen


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


def bridge_of(engine):
    """The engine's process that stands for other toolkits."""
    for pid in open(f"/proc/{engine}/task/{engine}/children").read().split():
        if "--bridge" in open(f"/proc/{pid}/cmdline").read().split("\0"): return int(pid)
    raise RuntimeError("the engine has no bridge")


def idle(rigs, n, folder):
    with screen(pinned=False) as env, engine(env, folder=folder) as (p, e):
        time.sleep(2)
        both = {"carryd": p.pid, "bridge": bridge_of(p.pid)}
        before = {name: switches(pid) for name, pid in both.items()}
        time.sleep(10)
        woken = {name: switches(pid) - before[name] for name, pid in both.items()}
        memory = {name: footprint(pid) for name, pid in both.items()}
    for name, most in (("carryd", (12, 4)), ("bridge", (6, None))):
        resident, private = memory[name]
        row(f"idle {name}: resident, MiB", f"{resident:.1f}", "none", resident, most[0])
        row(f"idle {name}: private, MiB", f"{private:.1f}", "none", private, most[1])
        row(f"idle {name}: wake-ups in 10 s", str(woken[name]), "none", woken[name], 0)


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
