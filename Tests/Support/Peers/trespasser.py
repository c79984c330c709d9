#!/usr/bin/env python3
"""A client that knows the protocol's XML and nothing else, and says all of it: trespasser.py SOCKET XML DISPLAY WINDOWS.

WINDOWS are the others' X windows, with commas. One connection stays: it has a window of its own with a region, an item
and a monitor, and takes part in sessions as the rules say. For each line on descriptor 3 every request of every interface
is sent, with objects of its own and with others', and "swept LINE REQUESTS" is printed. Whatever it hears is printed as
well: "heard INTERFACE.EVENT TEXT", and "read TEXT" for what descriptors have to say.
"""
import ctypes, fcntl, os, select, socket, struct, sys
import xml.etree.ElementTree as tree

path, protocol, display, windows = sys.argv[1], sys.argv[2], sys.argv[3], [int(w) for w in sys.argv[4].split(",")]
SERVER = 0xFF000000
spec = {}
for i in tree.parse(protocol).getroot().findall("interface"):
    def members(kind):
        return [(m.get("name"), [(a.get("name"), a.get("type"), a.get("interface")) for a in m.findall("arg")])
                for m in i.findall(kind)]
    spec[i.get("name")] = {"request": members("request"), "event": members("event")}
TYPES = ["application/x-public", "application/x-team", "application/x-own", "text/plain", "*/*"]


def words(*list):
    return b"".join(struct.pack("<I", w & 0xFFFFFFFF) for w in list)


def text(t):
    b = t.encode() + b"\0"
    return words(len(b)) + b + b"\0" * (-len(b) % 4)


def shown(b):
    return "".join(chr(c) if 32 <= c < 127 else "." for c in b)


def memory():
    fd = os.memfd_create("bait", os.MFD_ALLOW_SEALING)
    os.write(fd, b"bait")
    fcntl.fcntl(fd, 1033, 15)
    return fd


def look(fd):
    """What a descriptor has to say, and it is closed."""
    try:
        os.set_blocking(fd, False)
        try:
            said = os.pread(fd, 65536, 0)
        except OSError:
            said = os.read(fd, 65536)
        print("read", shown(said), flush=True)
    except OSError:
        print("read", flush=True)
    os.close(fd)


class Client:
    """One connection: manager 3, and if it is to have them region 4, item 5, preview 6."""

    def __init__(self, window=None):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.objects = {3: "carry_manager"}
        self.buffer, self.next, self.alive = b"", 4, True
        self.raw(1, 1, words(2))
        self.raw(2, 0, words(1) + text("carry_manager") + words(1, 3))
        self.say(3, "hello", text("trespasser"))
        self.synced = 0
        if window is None:
            return
        region, item = self.make("create_region", words(window)), self.make("create_item")
        self.make("create_preview")
        self.say(region, "set_rectangle", words(0, 0, 400, 200))
        self.say(region, "set_roles", words(1 | 2 | 4 | 16))
        self.say(region, "set_accepted_types", text("\n".join(TYPES[:4])))
        self.say(item, "add_type", text("application/x-bait") + words(0))

    def raw(self, target, opcode, body, fds=()):
        try:
            head = struct.pack("<II", target, (8 + len(body)) << 16 | opcode)
            if fds:
                socket.send_fds(self.socket, [head + body], fds)
            else:
                self.socket.sendall(head + body)
        except OSError:
            self.alive = False

    def say(self, target, name, body=b"", fds=()):
        requests = [r[0] for r in spec[self.objects[target]]["request"]]
        self.raw(target, requests.index(name), body, fds)

    def fresh(self, interface):
        self.objects[self.next] = interface
        self.next += 1
        return self.next - 1

    def make(self, name, more=b""):
        interface = dict(spec["carry_manager"]["request"])[name][0][2]
        id = self.fresh(interface)
        self.say(3, name, words(id) + more)
        return id

    def read(self, wait=0.0):
        """Takes in what has come; false when the other end has closed."""
        while self.alive and select.select([self.socket], [], [], wait)[0]:
            try:
                data, fds, _, _ = socket.recv_fds(self.socket, 65536, 28)
            except OSError:
                data, fds = b"", []
            for fd in fds:
                look(fd)
            self.alive = bool(data)
            self.buffer += data
            wait = 0
            while len(self.buffer) >= 8:
                target, second = struct.unpack_from("<II", self.buffer)
                size = second >> 16
                if size < 8 or len(self.buffer) < size:
                    break
                self.hear(target, second & 0xFFFF, self.buffer[8:size])
                self.buffer = self.buffer[size:]
        return self.alive

    def hear(self, target, opcode, body):
        interface = self.objects.get(target)
        if interface is None or interface not in spec:
            if interface == "callback":
                self.synced += 1
            return
        name, args = spec[interface]["event"][opcode]
        print("heard", interface + "." + name, shown(body), flush=True)
        values, at = {}, 0
        for arg, kind, other in args:
            if kind == "fd":
                continue
            value = struct.unpack_from("<I", body, at)[0]
            at += 4
            if kind in ("string", "array"):
                at += value + -value % 4
            if kind == "new_id":
                self.objects[value] = other
            values[arg] = value
        self.answer(target, interface, name, values)

    def answer(self, target, interface, name, v):
        """What the rules ask of a client that takes part."""
        serial = words(v.get("serial", 0))
        if name == "begin_drag":
            self.say(v["id"], "add_item", words(5))
            self.say(v["id"], "answer", serial)
        elif name == "will_begin":
            self.say(target, "configure", serial + words(0))
        elif name == "will_cancel":
            self.say(target, "ending", serial)
        elif name == "can_handle":
            self.say(target, "handle", serial + words(1))
        elif name == "update":
            self.say(target, "propose", serial + words(2, 0))
        elif name == "perform":
            self.say(target, "load", words(self.fresh("carry_load"), 0) + text("application/x-bait") + words(0))
            self.say(target, "performed", serial)
        elif name == "load" and interface == "carry_item":
            fd = memory()
            self.say(v["id"], "memory", b"", [fd])
            os.close(fd)
        elif interface == "carry_load" and name in ("file", "memory", "stream", "ring"):
            self.say(target, "finished", words(1))

    def settle(self):
        """Until all that was sent has been worked off, or the connection has been closed."""
        id, before = self.next, self.synced
        self.objects[id] = "callback"
        self.next += 1
        self.raw(1, 0, words(id))
        for _ in range(100):
            if self.synced > before or not self.read(0.1):
                break

    def build(self, args, turn, of=None):
        """Arguments of a request: the turn says which of the plausible ones."""
        body, fds = b"", []
        stolen = [3, SERVER, SERVER + 1, 5, 4, 6, 0]
        for n, (name, kind, other) in enumerate(args):
            pick = turn + n
            if kind == "fd":
                fds.append(memory())
            elif kind == "string":
                body += text(TYPES[pick % len(TYPES)])
            elif kind == "array":
                body += words(0) if pick % 2 else words(8, 0, 0)
            elif kind == "new_id":
                body += words(self.fresh(other))
            elif kind == "object":
                own = [id for id, i in self.objects.items() if i == other]
                body += words((own + stolen if of else stolen + own)[pick % (len(own) + len(stolen))])
            elif name == "window" or name == "pixmap":
                body += words(windows[pick % len(windows)])
            elif name in ("form", "visibility"):
                body += words(pick % 3)
            elif name in ("width", "height"):
                body += words(10 + pick)
            else:
                body += words([0, 1, 2, 3, 7, 0xFFFFFFFF][pick % 6])
        return body, fds


def own_window():
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XDefaultRootWindow.argtypes, x.XDefaultRootWindow.restype = [ctypes.c_void_p], ctypes.c_ulong
    numbers = [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [ctypes.c_ulong] * 2
    x.XCreateSimpleWindow.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + numbers
    x.XCreateSimpleWindow.restype = ctypes.c_ulong
    x.XMapWindow.argtypes, x.XSync.argtypes = [ctypes.c_void_p, ctypes.c_ulong], [ctypes.c_void_p, ctypes.c_int]
    d = x.XOpenDisplay(display.encode())
    w = x.XCreateSimpleWindow(d, x.XDefaultRootWindow(d), 100, 560, 400, 200, 0, 0, 0xFF0000)
    x.XMapWindow(d, w)
    x.XSync(d, 0)
    return w


window = own_window()
resident = Client(window)
resident.make("create_monitor")
resident.settle()
print("ready", flush=True)
# Requests that end nothing, whatever their serials: the resident is to keep what it has got of sessions.
HARMLESS = {
    "carry_drop_session": ["handle", "propose", "load", "performed", "set_reason", "set_progress_indicator"],
    "carry_drag_session": ["answer", "configure", "moved", "ending", "offer_undo"],
    "carry_provision": ["memory", "file", "stream", "fail", "progress"],
    "carry_load": ["progress", "finished"],
    "carry_region": ["choose", "refuse_spring", "raise"],
}


def insist():
    """With what it really has of sessions, others' among them: everything that the rules let pass, again and again."""
    count = 0
    for id, interface in [(id, i) for id, i in resident.objects.items() if i in HARMLESS]:
        if interface == "carry_load":
            continue
        for name in HARMLESS[interface]:
            if name == "load":
                tries = [(words(i) + text(t) + words(form)) for i in range(3) for t in TYPES[:4] for form in range(3)]
                for more in tries:
                    resident.say(id, name, words(resident.fresh("carry_load")) + more)
                count += len(tries)
                resident.settle()
                continue
            for serial in list(range(12)) + [SERVER]:
                args = dict(spec[interface]["request"])[name]
                body, fds = b"", []
                for arg, kind, _ in args:
                    if kind == "fd":
                        fds.append(memory())
                    elif kind == "string":
                        body += text("a")
                    else:
                        # Neither a proposal that is none nor an unknown bit: those are offences.
                        body += words(serial if arg in ("serial", "session") else serial % 2 + (arg == "operation") * 2)
                resident.say(id, name, body, fds)
                for fd in fds:
                    os.close(fd)
                count += 1
        resident.settle()
    return count


def everything():
    """Every request of every interface, each by a connection of its own: most of them are ended for it."""
    count = 0
    for interface, members in spec.items():
        for opcode, (name, args) in enumerate(members["request"]):
            own = {"carry_manager": 3, "carry_region": 4, "carry_item": 5, "carry_preview": 6}.get(interface)
            for turn in range(4 if own else 0):
                client = Client(window)
                body, fds = client.build(args, turn, own)
                client.raw(own, opcode, body, fds)
                finish(client, fds)
                count += 1
            for turn, target in enumerate([SERVER, SERVER + 1, 9, 0]):
                client = Client()
                body, fds = client.build(args, turn)
                client.raw(target, opcode, body, fds)
                finish(client, fds)
                count += 1
    return count


def finish(client, fds):
    client.settle()
    client.socket.close()
    for fd in fds:
        os.close(fd)


commands = b""
while resident.alive:
    ready = select.select([3, resident.socket], [], [])[0]
    if resident.socket in ready:
        resident.read()
    if 3 in ready:
        more = os.read(3, 4096)
        if not more:
            break
        commands += more
        while b"\n" in commands:
            line, commands = commands.split(b"\n", 1)
            # Somebody waits for the end of a phase that lasts two seconds at most.
            count = insist() if line == b"performing" else insist() + everything() + insist()
            resident.settle()
            print("swept", line.decode(), count, flush=True)
print("over", flush=True)
