#!/usr/bin/env python3
"""A client in a process of its own: speaker.py SOCKET NAME [fork]. Says hello and stays.

With "fork" a child keeps the connection, and the process ends once it is answered; prints the child's number.
"""
import os, signal, socket, struct, sys


def text(t):
    b = t.encode() + b"\0"
    return struct.pack("<I", len(b)) + b + b"\0" * (-len(b) % 4)


def message(target, opcode, body):
    return struct.pack("<II", target, (8 + len(body)) << 16 | opcode) + body


def connect(path, name):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    s.send(message(1, 1, struct.pack("<I", 2)))
    s.send(message(2, 0, struct.pack("<I", 1) + text("carry_manager") + struct.pack("<II", 1, 3)))
    if name:
        s.send(message(3, 1, text(name)))
    return s


if __name__ == "__main__":
    s = connect(sys.argv[1], sys.argv[2])
    if "fork" in sys.argv:
        child = os.fork()
        if child == 0:
            signal.pause()
        s.recv(4096)
        print(child, flush=True)
    else:
        signal.pause()
