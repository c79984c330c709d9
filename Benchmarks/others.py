#!/usr/bin/env python3
"""How long others wait for the engine while one client does its worst: figures to look at, nothing is asserted.

  others.py BUILD-DIRECTORY [regions|roles|previews|raises|monitors|descriptors|objects …]

Starts an X server (Xvfb) and carryd of the build, has a hostile client play each sequence for some seconds, and prints
the round trips of a client that has nothing to do with it. It needs python3, Xvfb and libX11, and nothing else.
"""
import array, ctypes, fcntl, math, multiprocessing, os, re, signal, socket, statistics, struct, subprocess, sys, tempfile
import time

SECONDS = 5.0


def words(*list_): return struct.pack(f"<{len(list_)}I", *[w & 0xFFFFFFFF for w in list_])


def message(obj, opcode, body=b""): return words(obj, (8 + len(body)) << 16 | opcode) + body


def text(s):
    b = s.encode() + b"\0"
    return words(len(b)) + b + b"\0" * (-len(b) % 4)


def array_of(values): return words(len(values) * 4) + words(*values)


class Client:
    def __init__(self, path, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.buffer, self.last = b"", 3
        self.send(message(1, 1, words(2)), message(2, 0, words(1) + text("carry_manager") + words(1, 3)))
        self.send(message(3, 1, text(name)))

    def send(self, *messages):
        self.socket.settimeout(None)
        self.socket.sendall(b"".join(messages))

    def new(self):
        self.last += 1
        return self.last

    def events(self, seconds):
        """What comes within the time: object, opcode, bytes."""
        self.socket.settimeout(max(seconds, 0.0001))
        try:
            data = self.socket.recv(65536)
            if not data: raise ConnectionError
            self.buffer += data
        except (TimeoutError, socket.timeout):
            pass
        found = []
        while len(self.buffer) >= 8:
            obj, head = struct.unpack_from("<II", self.buffer)
            if len(self.buffer) < head >> 16: break
            found.append((obj, head & 0xFFFF, self.buffer[8:head >> 16]))
            self.buffer = self.buffer[head >> 16:]
        return found

    def round_trip(self):
        start, callback = time.monotonic(), self.new()
        self.send(message(1, 0, words(callback)))
        while not any(e[0] == callback for e in self.events(30)): pass
        # The number is free again.
        self.last -= 1
        return time.monotonic() - start


class X:
    def __init__(self, display):
        self.lib = ctypes.CDLL("libX11.so.6")
        self.lib.XOpenDisplay.restype = ctypes.c_void_p
        self.d = ctypes.c_void_p(self.lib.XOpenDisplay(display.encode()))
        self.root = self.lib.XDefaultRootWindow(self.d)

    def window(self, x, y, w, h, parent=None):
        id_ = self.lib.XCreateSimpleWindow(self.d, parent or self.root, x, y, w, h, 0, 0, 0xFFFFFF)
        self.lib.XMapWindow(self.d, id_)
        return id_

    def destroy(self, id_): self.lib.XDestroyWindow(self.d, id_)

    def sync(self): self.lib.XSync(self.d, 0)


def churn(display):
    x = X(display)
    while True:
        window = top = x.window(0, 0, 5, 5)
        for _ in range(29): window = x.window(0, 0, 5, 5, window)
        x.lib.XFlush(x.d)
        x.destroy(top)
        x.sync()


def regions(path, display):
    """Regions of windows that the engine does not know, beside a program that makes 30 windows in each other."""
    beside = multiprocessing.Process(target=churn, args=(display,), daemon=True)
    beside.start()
    while True:
        c = Client(path, "hostile")
        c.send(*[message(3, 2, words(c.new(), 0x7FFF0000 + i)) for i in range(60)])
        end = time.monotonic() + 0.05
        while time.monotonic() < end: c.events(0.01)
        c.socket.close()


def roles(path, display):
    """2,000 windows whose regions can be dragged, and cannot, again and again."""
    x, c = X(display), Client(path, "hostile")
    ids = []
    for i in range(2000):
        ids.append(c.new())
        window = x.window(i % 60 * 20, i // 60 * 20, 10, 10)
        if i % 100 == 99: x.sync()
        c.send(message(3, 2, words(ids[-1], window)), message(ids[-1], 2, words(0, 0, 10, 10)))
    x.sync()
    role = 1
    while True:
        c.send(b"".join(message(i, 3, words(role)) for i in ids))
        role = 1 - role
        c.events(0.0001)


def previews(path, display):
    """In a drag of 8 items, pictures of 512 x 512 at density 0.25, cut to a star of 300 points, for all, all the time."""
    x, c = X(display), Client(path, "hostile")
    window = x.window(50, 250, 300, 300)
    x.sync()
    region, items, looks = c.new(), [], []
    c.send(message(3, 2, words(region, window)), message(region, 2, words(0, 0, 300, 300)))
    for _ in range(8):
        items.append(c.new())
        c.send(message(3, 3, words(items[-1])), message(items[-1], 3, text("text/plain")))
    star = []
    for i in range(300):
        angle, reach = i * 2 * math.pi / 300, 1000 if i % 2 else 300
        star += [1 if i else 0, int((1024 + reach * math.cos(angle)) * 256), int((1024 + reach * math.sin(angle)) * 256)]
    for _ in range(4):
        looks.append(c.new())
        fd = os.memfd_create("picture", os.MFD_ALLOW_SEALING)
        os.write(fd, b"\x80\x40\x20\xff" * (512 * 512))
        fcntl.fcntl(fd, 1033, 1 | 2 | 4 | 8)  # F_ADD_SEALS
        c.send(message(3, 5, words(looks[-1])))
        c.socket.settimeout(None)
        socket.send_fds(c.socket, [message(looks[-1], 2, words(512, 512, 64))], [fd])
        c.send(message(looks[-1], 5, array_of(star)))
        os.close(fd)
    c.send(message(region, 3, words(1)))
    drag, n = None, 0
    while True:
        for obj, opcode, body in c.events(0.001 if drag else 0.05):
            if obj == region and opcode == 1:
                drag = struct.unpack_from("<I", body)[0]
                serial = struct.unpack_from("<3I", body)[2]
                c.send(*[message(drag, 1, words(i)) for i in items], message(drag, 2, words(serial)))
            elif obj == drag and opcode in (3, 4):
                c.send(message(drag, 4, body[:4]))
        if drag:
            n += 1
            c.send(*[message(drag, 5, words(item, looks[(i + n) % 4])) for i, item in enumerate(items)])


def answer_drag(c, region, items, events):
    """Takes part in a drag as its source, and as a target that never says what it would do."""
    for obj, opcode, body in events:
        if obj == region and opcode == 1:
            c.drag = struct.unpack_from("<I", body)[0]
            serial = struct.unpack_from("<3I", body)[2]
            c.send(*[message(c.drag, 1, words(i)) for i in items], message(c.drag, 2, words(serial)))
        elif obj == c.drag and opcode == 3:
            c.send(message(c.drag, 3, body[:4] + words(0)))
        elif obj == c.drag and opcode == 4:
            c.send(message(c.drag, 4, body[:4]))


def raises(path, display):
    """4,096 regions of a million pixels each way in one window, put on top one after the other while a drag hovers."""
    x, c = X(display), Client(path, "hostile")
    source, target = x.window(50, 250, 300, 300), x.window(400, 200, 500, 500)
    x.sync()
    region, item = c.new(), c.new()
    c.send(message(3, 2, words(region, source)), message(region, 2, words(0, 0, 300, 300)))
    c.send(message(3, 3, words(item)), message(item, 3, text("text/plain")))
    ids = [c.new() for _ in range(4000)]
    for i in ids:
        c.send(message(3, 2, words(i, target)), message(i, 2, words(0, 0, 1000000, 1000000)), message(i, 3, words(2)))
    c.send(message(region, 3, words(1)))
    c.drag = None
    while not c.drag: answer_drag(c, region, [item], c.events(0.05))
    while True:
        answer_drag(c, region, [item], c.events(0.0005))
        c.send(b"".join(message(i, 9) for i in ids[:2048]))


def monitors(path, display):
    """10,000 monitors, and gone, again and again."""
    while True:
        c = Client(path, "hostile")
        try: c.send(b"".join(message(3, 4, words(c.new())) for _ in range(10_000)))
        except OSError: pass
        c.socket.close()


def objects(path, display):
    """Regions that are made and withdrawn, a million of them, by whoever is not disconnected for it."""
    x = X(display)
    window = x.window(0, 0, 10, 10)
    x.sync()
    while True:
        try:
            c = Client(path, "hostile")
            while True:
                c.send(b"".join(message(3, 2, words(c.new(), window)) + message(c.last, 1, words(1)) for _ in range(200)))
                c.events(0)
        except OSError:
            c.socket.close()


def descriptors(path, display):
    """64 clients of eight processes that send as many descriptors as go into a packet, and come back when they are closed."""
    def crowd():
        null, there = os.open("/dev/null", os.O_RDONLY), {}
        while True:
            for i in range(8):
                try:
                    c = there.setdefault(i, None) or Client(path, "hostile")
                    there[i] = c
                    c.socket.settimeout(None)
                    socket.send_fds(c.socket, [message(1, 0, words(c.new()))], [null] * 28)
                except OSError:
                    there[i] = None
            time.sleep(0.001)
    for _ in range(7): multiprocessing.Process(target=crowd).start()
    crowd()


def hand_over(c):
    """An honest client's picture, by descriptor; the round trip tells when it was taken."""
    fd = os.memfd_create("picture", os.MFD_ALLOW_SEALING)
    os.write(fd, b"\0" * 16)
    fcntl.fcntl(fd, 1033, 1 | 2 | 4 | 8)
    if not getattr(c, "look", None):
        c.look = c.new()
        c.send(message(3, 5, words(c.look)))
    c.socket.settimeout(None)
    socket.send_fds(c.socket, [message(c.look, 2, words(2, 2, 256))], [fd])
    os.close(fd)


def trace(folder):
    """A finger that lifts at 200, 400 and moves about for as long as we measure."""
    name = os.path.join(folder, "trace.events")
    lines = ["# EVEMU 1.3", "N: Carry test touchscreen", "I: 0003 0000 0000 0000", "P: 02 00 00 00 00 00 00 00",
             "B: 00 01 00 00 00 00 00 00 00"] + ["B: 01 00 00 00 00 00 00 00 00"] * 5
    lines += ["B: 01 00 04 00 00 00 00 00 00", "B: 03 03 00 00 00 00 80 60 02"]
    lines += [f"A: {a} 0 {m} 0 0 0" for a, m in
              [("00", 1279), ("01", 799), ("2f", 9), ("35", 1279), ("36", 799), ("39", 65535)]]
    lines += ["E: 0.000000 0003 0039 0000", "E: 0.000000 0003 0035 0200", "E: 0.000000 0003 0036 0400",
              "E: 0.000000 0000 0000 0000"]
    for i in range(int((SECONDS + 4) * 100)):
        t = 0.66 + i / 100
        lines += [f"E: {t:.6f} 0003 0035 {600 + int(200 * math.sin(i / 30)):04d}", f"E: {t:.6f} 0000 0000 0000"]
    lines += [f"E: {t + 1:.6f} 0003 0039 -001", f"E: {t + 1:.6f} 0000 0000 0000"]
    open(name, "w").write("\n".join(lines) + "\n")
    return name


def leader(kind, path, display):
    """Its children end with it."""
    os.setsid()
    kind(path, display)


def measure(build, kind):
    with tempfile.TemporaryDirectory(prefix="carry-others-") as folder:
        read, write = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-noreset"],
                                  pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        display = ":" + os.fdopen(read).readline().strip()
        path = os.path.join(folder, "socket")
        options = ["--replay", trace(folder)] if kind in (previews, raises) else []
        engine = subprocess.Popen([os.path.join(build, "carryd"), "--display", display, "--socket", path] + options,
                                  stderr=subprocess.DEVNULL)
        while not os.path.exists(path): time.sleep(0.02)
        honest = Client(path, "honest")
        quiet = [honest.round_trip() for _ in range(200)]
        def held():
            """What the engine has allocated; code that was read from its file is not memory that anybody made it hold."""
            with open(f"/proc/{engine.pid}/status") as f: text = f.read()
            return int(re.search(r"RssAnon:\s+(\d+)", text)[1]) / 1024
        before = held()
        hostile = multiprocessing.Process(target=leader, args=(kind, path, display))
        hostile.start()
        time.sleep(2.5)
        loud, end = [], time.monotonic() + SECONDS
        while time.monotonic() < end:
            if kind is descriptors: hand_over(honest)
            loud.append(honest.round_trip())
            time.sleep(0.001)
        during = held()
        os.killpg(hostile.pid, signal.SIGKILL)
        time.sleep(2.5)
        honest.round_trip()
        after, open_ = held(), len(os.listdir(f"/proc/{engine.pid}/fd"))
        engine.kill()
        server.kill()

    def line(what, times):
        times = sorted(t * 1000 for t in times)
        print(f"{kind.__name__:9} {what:6} median {statistics.median(times):7.2f} ms   "
              f"p99 {times[int(len(times) * 0.99)]:7.2f} ms   worst {times[-1]:7.2f} ms   of {len(times)}")
    line("quiet", quiet)
    line("loud", loud)
    print(f"{kind.__name__:9} engine holds {before:.1f} MiB, {during:.1f} while it goes on, {after:.1f} afterwards; "
          f"{open_} descriptors")


if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit(__doc__)
    for name in sys.argv[2:] or ["regions", "roles", "previews", "raises", "monitors", "objects", "descriptors"]:
        measure(sys.argv[1], globals()[name])
