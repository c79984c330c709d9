#!/usr/bin/env python3
"""Many processes of one program: crowd.py SOCKET COUNT fork|alone|sessions|daemons [silent|monitors]. Each connects, says hello unless
silent, makes eight monitors where it is to, and stays until this one's standard output is closed at the other end or it is killed. Says "ready"."""
import os, select, signal, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from speaker import connect, message

path, count, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
life, hold = os.pipe()
said, says = os.pipe()


def member():
    signal.alarm(120)
    os.close(hold)
    s = connect(path, "" if "silent" in sys.argv else "crowd")
    for i in range(8 if "monitors" in sys.argv else 0):
        s.send(message(3, 4, (4 + i).to_bytes(4, "little")))
    os.write(says, b"x")
    # Until the end of the parent, or of the connection.
    while life not in select.select([life, s], [], [])[0] and s.recv(4096):
        pass
    os._exit(0)


for _ in range(count):
    if os.fork() == 0:
        if kind in ("sessions", "daemons"):
            os.setsid()
        if kind == "daemons" and os.fork():
            os._exit(0)
        member()
    if kind == "daemons":
        os.wait()
while count > 0:
    count -= len(os.read(said, 4096))
print("ready", flush=True)
signal.pause()
