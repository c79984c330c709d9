"""Previews and many drags at once."""
import os, re, shutil, signal, statistics, subprocess, time

from .measuring import (
    BENCH, CARRY, PIN, ROOT, SCRATCH, compare, engine, median, metrics, rounds, row, running, say, screen)


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
