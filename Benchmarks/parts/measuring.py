"""How a benchmark runs programs, and the table of what came of it."""
import contextlib, os, statistics, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRATCH = os.path.join(ROOT, ".build", "bench")
BIN = os.path.join(ROOT, ".build", "release")
BENCH, CARRYD, CARRY = (os.path.join(BIN, n) for n in ("carry-bench", "carryd", "carry"))
PIN = ["taskset", "-c", "0"]


def say(text):
    print(text, file=sys.stderr, flush=True)


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
