#!/usr/bin/env python3
"""guest.py PROGRAMS REPOSITORY     the checks of the kernel lane; runs inside the virtual machine, as its root

Prints `ok NAME` or `FAILED NAME: why` for each check, and `done` at the end. The engine and the tools run as a user
without any right to input devices: access is what the checks give. Times are emulated, several times slower than real;
so conditions are waited for, with deadlines that only a failure meets."""
import ctypes, fcntl, glob, os, re, shutil, signal, subprocess, time

import trackpad
import xserver
from lane import (ABS, DEADLINE, ID, NOBODY, PROGRAMS, ROOT, SCRATCH, SLOT, SLOWNESS, SYN, TRACE, X, Y, Desk, Failed, Touchscreen,
                  check, children, failures, mark, open_files, quiet_screen, says, screen, shows, start, text, until)

# ---- the checks ----

def start_everything():
    global desk, engine, monitor, source, target
    os.makedirs(f"{SCRATCH}/fb", exist_ok=True)
    script = f"{ROOT}/Tests/Fixtures/traces/press-drag-drop.gestures"
    subprocess.run([f"{PROGRAMS}/carry", "convert", script, TRACE], check=True)
    with open(TRACE) as f, open(Touchscreen.description, "w") as to:
        to.writelines(line for line in f if not line.startswith("E:"))
    for name in ("carryd", "carry"):
        # Those who run them may not be able to reach the place where they were built.
        shutil.copy(f"{PROGRAMS}/{name}", f"{SCRATCH}/{name}")
    os.makedirs(f"{SCRATCH}/user", exist_ok=True)
    os.chown(f"{SCRATCH}/user", NOBODY, NOBODY)
    os.makedirs("/run/udev/rules.d", exist_ok=True)
    shutil.copy(f"{ROOT}/udev/70-carry.rules", "/run/udev/rules.d/70-carry.rules")
    if subprocess.run(["pgrep", "-f", "systemd-udevd"], stdout=subprocess.DEVNULL).returncode != 0:
        start("udevd", "/lib/systemd/systemd-udevd")
        until("udevd runs", lambda: os.path.exists("/run/udev/control"))
    subprocess.run(["udevadm", "control", "--reload"], check=True, timeout=DEADLINE)
    subprocess.run(["modprobe", "uinput"], check=True)
    until("/dev/uinput is there", lambda: os.path.exists("/dev/uinput"))
    # One folder of fonts: looking at all that the machine has would take longer than the checks.
    with open(f"{SCRATCH}/fonts.conf", "w") as f:
        f.write("<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir>"
                f"<cachedir>{SCRATCH}/user/fonts</cachedir></fontconfig>")
    os.environ["FONTCONFIG_FILE"] = f"{SCRATCH}/fonts.conf"
    xserver = start("xvfb", "Xvfb", ":5", "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp", "-fbdir",
                    f"{SCRATCH}/fb")
    until(f"Xvfb runs: {text(xserver)}", lambda: os.path.exists("/tmp/.X11-unix/X5"))
    os.environ.update(DISPLAY=":5", HOME=f"{SCRATCH}/user", XDG_RUNTIME_DIR=f"{SCRATCH}/user")
    desk = Desk("base")
    engine, monitor, source, target = desk.engine, desk.monitor, desk.source, desk.target
    # Both windows are drawn: they do not look like the place between them.
    until("both windows are on the screen", lambda: shows(200, 400) != shows(640, 700) != shows(1000, 400), 3 * DEADLINE)
    quiet_screen()


def the_rule_tags_touchscreens_only():
    """udevadm shows what the rule does; logind would give the user at the seat access by it."""
    out = subprocess.run(["udevadm", "info", panel.node], capture_output=True, text=True, check=True).stdout
    if "ID_INPUT_TOUCHSCREEN=1" not in out: raise Failed(f"udev sees no touchscreen:\n{out}")
    if not re.search(r"TAGS=\S*:uaccess:", out): raise Failed(f"no uaccess:\n{out}")
    others = [n for n in glob.glob("/dev/input/event*") if n != panel.node]
    if not others: raise Failed("there is no other input device to compare with")
    for node in others:
        if ":uaccess:" in subprocess.run(["udevadm", "info", node], capture_output=True, text=True).stdout:
            raise Failed(f"{node} is no touchscreen and has the tag")
    return f"{len(others)} other devices have no tag"


def a_device_without_permission_is_named_once():
    says(engine, f"{panel.node}: no permission")
    quiet_screen()
    n = len(re.findall(f"{panel.node}: no permission", text(engine)))
    if n != 1: raise Failed(f"it was said {n} times")


def permission_that_arrives_late_is_noticed():
    since = mark(engine)
    panel.grant()
    begin = time.monotonic()
    says(engine, f"reading {panel.node}", since)
    return f"after {(time.monotonic() - begin) * 1000:.0f} emulated ms"


def nothing_wakes_the_idle_engine():
    def switches():
        with open(f"/proc/{engine.pid}/status") as f:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", f.read(), re.M).group(1))
    # The machine has only just started; what else starts in it may still speak to the engine once or twice, but an
    # engine that asks again and again never lets this much time pass.
    history = []
    for _ in range(6):
        before = switches()
        time.sleep(4)
        history.append(switches() - before)
        if history[-1] == 0: return f"in turns of 4 s: {history}"
    raise Failed(f"wake-ups in turns of 4 s: {history}")


def a_recorded_drag_delivers_the_text():
    since, heard = mark(target), mark(monitor)
    panel.play()
    try:
        says(target, r'"event": "received".*"text": "hello"', since)
    except Failed as e:
        raise Failed(f"{e}\nthe monitor said:\n{text(monitor, heard)[-3000:]}") from None
    says(monitor, r'"event": "ended"', heard)


def lift_and_carry(slot=0, identifier=100):
    """A press on the source that lifts and is carried half-way."""
    heard = mark(monitor)
    panel.down(slot, 200, 400, identifier)
    says(monitor, r'"event": "lifted"', heard)
    for x in range(220, 620, 40):
        panel.move(slot, x, 350)
        time.sleep(0.02)
    says(monitor, r'"event": "began"', heard)
    return heard


def unplugging_in_mid_drag_cancels_and_leaves_nothing():
    before = quiet_screen()
    heard, since, told = lift_and_carry(identifier=101), mark(engine), mark(source)
    until("a preview is on the screen", lambda: screen() != before)
    pulled = time.monotonic()
    panel.unplug()
    says(monitor, r'"event": "cancelled"', heard)
    cancelled = float(re.search(r'"t": ([\d.]+), "event": "cancelled"', text(monitor, heard)).group(1))
    says(monitor, r'"event": "ended"', heard)
    says(source, r'"event": "cancelled"', told)
    says(engine, f"{panel.node}: the device is gone", since)
    if quiet_screen() != before: raise Failed("something is left on the screen")
    if re.search(r'"dropped"', text(monitor, heard)): raise Failed("it was dropped")
    n = text(engine, since).count("the device is gone")
    if n != 1: raise Failed(f"it was said {n} times")
    if panel.node in open_files(engine): raise Failed("the engine keeps the node open")
    return f"cancelled after {(cancelled - pulled) * 1000:.0f} emulated ms"


def a_device_that_comes_back_is_usable():
    global panel
    since, heard, got = mark(engine), mark(monitor), mark(target)
    panel = Touchscreen()
    panel.grant()
    says(engine, f"reading {panel.node}", since)
    panel.play()
    says(target, r'"event": "received".*"text": "hello"', got)
    says(monitor, r'"event": "ended"', heard)


def plugging_ten_times_leaks_nothing():
    """LD7 in small: descriptors stay flat."""
    global panel

    def descriptors():
        return len(os.listdir(f"/proc/{engine.pid}/fd"))
    quiet_screen()
    before = descriptors()
    for _ in range(10):
        panel.unplug()
        since = mark(engine)
        panel = Touchscreen()
        panel.grant()
        says(engine, f"reading {panel.node}", since)
    until("descriptors are flat", lambda: descriptors() == before)


def a_revoked_device_cancels_and_is_taken_again():
    """T28: what logind does to the devices of a session that is not in front any more."""
    heard = lift_and_carry(identifier=105)
    libc = ctypes.CDLL(None, use_errno=True)
    pid = os.pidfd_open(engine.pid)
    theirs = next(int(os.path.basename(p)) for p in glob.glob(f"/proc/{engine.pid}/fd/*") if os.readlink(p) == panel.node)
    ours = libc.syscall(438, pid, theirs, 0)  # pidfd_getfd
    if ours < 0: raise Failed(f"pidfd_getfd: {os.strerror(ctypes.get_errno())}")
    fcntl.ioctl(ours, 0x40044591, 0)  # EVIOCREVOKE
    os.close(ours)
    os.close(pid)
    says(monitor, r'"event": "cancelled"', heard)
    says(monitor, r'"event": "ended"', heard)
    until("the engine lets go of the node", lambda: panel.node not in open_files(engine))
    panel.up(0)
    since = mark(engine)
    panel.grant()
    says(engine, f"reading {panel.node}", since)


def a_recording_of_the_device_plays_the_same_drag():
    """`carry record` on a real node, ended as a person does; then what it has written."""
    place = f"{SCRATCH}/user/recorded"
    for name in ("events", "yml"):
        recorder = start(f"record-{name}", f"{SCRATCH}/carry", "record", "--device", panel.node, f"{place}.{name}",
                         user=NOBODY)
        says(recorder, "recording")
        heard = mark(monitor)
        panel.play()
        says(monitor, r'"event": "ended"', heard)
        recorder.send_signal(signal.SIGINT)
        until("the recorder ends", lambda: recorder.poll() is not None)
        if recorder.returncode != 0: raise Failed(f"status {recorder.returncode}: {text(recorder)}")
        out = subprocess.run([f"{SCRATCH}/carry", "replay", "--fast", "--json", f"{place}.{name}"], capture_output=True,
                             text=True)
        if '"lifted"' not in out.stdout or '"drag-began"' not in out.stdout:
            raise Failed(f"{name}: {out.stdout[-1500:]}{out.stderr}")
    if subprocess.run(["evemu-describe", f"{place}.events"], capture_output=True).returncode not in (0, 1):
        raise Failed("evemu does not know the recording")


def overrun(*last):
    """More events than the kernel keeps for a reader, while the engine cannot read; then the last ones."""
    since = mark(engine)
    os.kill(engine.pid, signal.SIGSTOP)
    events = []
    for i in range(1500): events += [(ABS, SLOT, 0), (ABS, X, 400 + i % 200), (ABS, Y, 300 + i % 7), (SYN, 0, 0)]
    events += last
    # A third finger, far from everything, is last: that the others have moved and gone is long overwritten.
    events += [(ABS, SLOT, 2), (ABS, ID, 900), (ABS, X, 640), (ABS, Y, 700), (SYN, 0, 0)]
    for i in range(1500): events += [(ABS, X, 600 + i % 50), (SYN, 0, 0)]
    events += [(ABS, ID, -1), (SYN, 0, 0)]
    panel.send(*events)
    os.kill(engine.pid, signal.SIGCONT)
    says(engine, "the kernel dropped events", since)


def dropped_events_end_the_finger_that_vanished():
    before = quiet_screen()
    heard = lift_and_carry(identifier=102)
    overrun((ABS, SLOT, 0), (ABS, ID, -1), (SYN, 0, 0))
    says(monitor, r'"event": "(cancelled|dropped)"', heard)
    says(monitor, r'"event": "ended"', heard)
    if "data-delivered" in text(monitor, heard): raise Failed("something was delivered, and nobody let go over a target")
    if quiet_screen() != before: raise Failed("something is left on the screen")


def dropped_events_keep_the_finger_that_is_down():
    heard, got = lift_and_carry(identifier=103), mark(target)
    overrun()
    for x in range(620, 1001, 20):
        panel.move(0, x, 400)
        time.sleep(0.02)
    says(monitor, r'"event": "entered"', heard)
    panel.up(0)
    says(target, r'"event": "received".*"text": "hello"', got)
    says(monitor, r'"event": "ended"', heard)
    if '"cancelled"' in text(monitor, heard): raise Failed("it was cancelled")


def the_engine_ends_when_asked():
    desk.end()


def main():
    global panel
    print(f"note: this machine is taken to be {SLOWNESS:.1f} times as slow as an idle one ({DEADLINE:.0f} s for each wait)",
          flush=True)
    check("everything-starts", start_everything)
    if failures: return
    panel = Touchscreen()
    for body in (the_rule_tags_touchscreens_only, a_device_without_permission_is_named_once,
                 permission_that_arrives_late_is_noticed, nothing_wakes_the_idle_engine,
                 a_recorded_drag_delivers_the_text, unplugging_in_mid_drag_cancels_and_leaves_nothing,
                 a_device_that_comes_back_is_usable, a_revoked_device_cancels_and_is_taken_again,
                 a_recording_of_the_device_plays_the_same_drag, plugging_ten_times_leaks_nothing,
                 dropped_events_end_the_finger_that_vanished, dropped_events_keep_the_finger_that_is_down,
                 a_recorded_drag_delivers_the_text,
                 trackpad.a_trackpad_is_left_alone_until_it_is_wanted,
                 trackpad.trackpads_are_switched_on_and_off_while_it_runs, the_engine_ends_when_asked,
                 trackpad.trackpads_carry_where_they_are_switched_on, *xserver.CHECKS):
        arguments = [engine] * body.__code__.co_argcount
        check(body.__name__.replace("_", "-"), lambda: body(*arguments))


os.makedirs(SCRATCH, exist_ok=True)
os.chmod(SCRATCH, 0o755)
try:
    main()
except (Failed, OSError, subprocess.SubprocessError) as e:
    failures.append("the lane itself")
    print(f"FAILED the-lane-itself: {e}", flush=True)
finally:
    for child in children: child.kill()
    if failures:
        for log in sorted(glob.glob(f"{SCRATCH}/*-*.log")) + [f"{SCRATCH}/xorg.server.log"]:
            try:
                with open(log, errors="replace") as f: print(f"--- {log}\n{f.read()[-6000:]}")
            except OSError: pass
    print("done", flush=True)
