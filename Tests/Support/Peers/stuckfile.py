#!/usr/bin/env python3
"""A file that cannot be closed: its file system (FUSE) says nothing when it is asked to.

stuckfile.py FOLDER: sends a descriptor of the file over the socket that is its descriptor 3; over it "F" each time that
somebody closes one. Answers them all once a byte comes, or 20 s later, when "L" is sent. "N": there is no FUSE here.

Whoever looks for a file "silent" in the folder waits for as long.

A program that another test starts meanwhile has a copy of the descriptor until it runs. Its closing is answered at once, and
is not told: the test would count it, and the program would not start.
"""
import array, ctypes, os, select, socket, struct, sys, threading

peer = socket.socket(fileno=3)
libc = ctypes.CDLL(None, use_errno=True)
folder = sys.argv[1]
try:
    device = os.open("/dev/fuse", os.O_RDWR)
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(0x20000 if uid == 0 else 0x10020000) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    if uid != 0:
        for name, text in ("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1"):
            with open("/proc/self/" + name, "w") as f:
                f.write(text)
    libc.mount(b"none", b"/", None, 1 << 18 | 1 << 14, None)  # private, recursively
    options = f"fd={device},rootmode=40000,user_id={uid},group_id={gid}".encode()
    if libc.mount(b"stuck", folder.encode(), b"fuse", 6, options) != 0:
        raise OSError(ctypes.get_errno(), "mount")
except OSError as error:
    print("no FUSE:", error, flush=True)
    peer.send(b"N")
    sys.exit(0)


def attributes(node):
    mode = 0o40755 if node == 1 else 0o100644
    return struct.pack("<6Q10I", node, 5, 1, 0, 0, 0, 0, 0, 0, mode, 1, uid, gid, 0, 4096, 0)


def reply(request, body=b"", error=0):
    os.write(device, struct.pack("<IiQ", 16 + len(body), error, request) + body)


def read(path):
    with open(path) as f:
        return f.read()


def is_starting(pid):
    """Whether a process is a child of the test's that is about to run a program: it still has the test's name."""
    try:
        status = dict(line.split(":", 1) for line in read(f"/proc/{pid}/status").splitlines() if ":" in line)
        if int(status["Tgid"]) == test:
            return False
        names = {read(f"/proc/{test}/task/{thread}/comm").strip() for thread in os.listdir(f"/proc/{test}/task")}
        return status["Name"].strip() in names
    except (OSError, KeyError, ValueError):
        return False


test = os.getppid()
waiting, absent, answers = [], [], threading.Event()
answers.set()
# Held while it is decided whether a request waits: none may begin to wait once all were answered.
deciding = threading.Lock()


def waits(request, requests):
    with deciding:
        if not answers.is_set():
            requests.append(request)
            return True
    return False


def serve():
    while True:
        message = os.read(device, 1 << 17)
        length, opcode, request, node, _, _, pid = struct.unpack("<IIQQIII", message[:36])
        name = message[40:]
        if opcode == 26:  # INIT
            reply(request, struct.pack("<4I2H2I2HI7I", 7, 31, 1 << 16, 0, 12, 9, 1 << 16, 1, 0, 0, 0, *[0] * 7))
        elif opcode == 1 and name.startswith(b"silent\0"):
            if not waits(request, absent):
                reply(request, error=-2)  # ENOENT
        elif opcode == 1:  # LOOKUP
            reply(request, struct.pack("<4Q2I", 2, 0, 3600, 3600, 0, 0) + attributes(2))
        elif opcode == 3:  # GETATTR
            reply(request, struct.pack("<QII", 3600, 0, 0) + attributes(node))
        elif opcode == 14:  # OPEN
            reply(request, struct.pack("<QII", 1, 0, 0))
        elif opcode == 15:  # READ
            reply(request, b"stuck")
        elif opcode == 25 and not answers.is_set() and not is_starting(pid) and waits(request, waiting):  # FLUSH
            peer.send(b"F")
        elif opcode in (25, 18):  # RELEASE
            reply(request)
        elif opcode != 2:  # FORGET has no answer
            reply(request, error=-38)


threading.Thread(target=serve, daemon=True).start()
file = os.open(folder + "/file", os.O_RDONLY)
peer.sendmsg([b"d"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))])
# Its own is closed as ever: a process that ends with it open would wait for itself.
os.close(file)
answers.clear()
peer.send(b"D")
if not select.select([peer], [], [], 20)[0]:
    peer.send(b"L")
with deciding:
    answers.set()
while waiting:
    reply(waiting.pop())
while absent:
    reply(absent.pop(), error=-2)
while peer.recv(1):
    pass
