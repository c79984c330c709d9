#!/usr/bin/env python3
"""run.py [--rounds N] [--only PART,...] [--write]     measures Carry against its comparators; see docs/benchmarks.md

Builds the release, and the comparators from ../shared/rigs or $CARRY_RIGS in a copy under .build; runs each measurement
of Carry in turns with its comparator, on one core where a wake-up across cores would hide the difference; prints medians
and the median of the ratios round by round. --write keeps the table in docs/benchmarks.md.
Exit status 1: a measurement failed; a missed bar only shows."""
import argparse, os, re, signal, subprocess, sys, tempfile, time

from parts.data import bulk, files, many
from parts.events import hit, input_, ipc, policy, touch
from parts.idle import counted, idle, replay
from parts.measuring import ROOT, SCRATCH, TABLE, say
from parts.rigs import Rigs
from parts.screen import crowd, frames, preview
from parts.xdnd import xdnd


def build():
    flags = os.environ.get("CARRY_RELEASE_FLAGS", "--static-swift-stdlib").split()
    for product in ("carry-bench", "carryd", "carry", "carryabi"):
        subprocess.run(["swift", "build", "-c", "release", *flags, "--product", product], cwd=ROOT, check=True,
                       stdout=sys.stderr)


# In the order in which they run.
RUN = {"input": input_, "hit": hit, "policy": policy, "ipc": ipc, "touch": touch, "preview": preview, "frames": frames,
       "crowd": crowd, "bulk": bulk, "many": many, "files": files, "xdnd": xdnd, "idle": idle, "replay": replay,
       "allocations": counted}


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
    a.add_argument("--rounds", type=int, default=5, help="how often each measurement is repeated (5)")
    a.add_argument("--only", default=",".join(RUN), metavar="PART,...", help=f"of {', '.join(RUN)}")
    a.add_argument("--write", action="store_true", help="keep the table in docs/benchmarks.md")
    o = a.parse_args()
    parts = o.only.split(",")
    if set(parts) - set(RUN): a.error(f"the parts are {', '.join(RUN)}")
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
