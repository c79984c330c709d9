"""Fingers, a mouse and a keyboard, as the X server's inputtest driver plays them: real devices to every program."""
import os, socket, struct, time

# Of linux/input-event-codes.h, where X counts from 8 on; the last three are those that X has without evdev.
ESC, ONE, TWO, T, RETURN, CONTROL, A, S, F, L, M, ALT, F9, LEFT, DOWN, PAGE_DOWN = (
    1, 2, 3, 20, 28, 29, 30, 31, 33, 38, 50, 56, 67, 92, 96, 97)
TOUCH_BEGIN, TOUCH_UPDATE, TOUCH_END = 18, 19, 20
# What the driver calls its events, in xf86-input-inputtest-protocol.h.
VERSION, SYNC, MOTION, BUTTON, KEY, TOUCH = 0, 1, 2, 4, 5, 6


class Device:
    """A connection to one device. The driver takes one in its life."""

    def __init__(self, path, size):
        self.size = size
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(10)
        self.socket.connect(path)
        self.ask(VERSION, struct.pack("HH", 1, 1), 12)

    def send(self, kind, rest): self.socket.sendall(struct.pack("II", 8 + len(rest), kind) + rest)

    def ask(self, kind, rest, answer):
        self.send(kind, rest)
        while answer: answer -= len(self.socket.recv(answer))

    def sync(self):
        """Returns once the X server has seen all of it."""
        self.ask(SYNC, b"", 8)

    def valuators(self, x, y):
        values = [x / self.size[0] * 65535, y / self.size[1] * 65535] + [0.0] * 62
        return struct.pack("I8s64d64d", 0, b"\3", *values, *[0.0] * 64)

    def close(self): self.socket.close()


class Hands:
    def __init__(self, folder, size):
        self.screen, self.mouse, self.keyboard = (Device(f"{folder}/{n}", size) for n in ("touch", "pointer", "keyboard"))

    def close(self):
        for device in (self.screen, self.mouse, self.keyboard): device.close()

    # --- A finger.

    def touch(self, finger, kind, at):
        # Two words, padding, and the place: the valuators begin at a multiple of eight.
        self.screen.send(TOUCH, struct.pack("II", finger, kind) + self.screen.valuators(*at))
        self.screen.sync()

    def down(self, finger, at): self.touch(finger, TOUCH_BEGIN, at)
    def up(self, finger, at): self.touch(finger, TOUCH_END, at)

    def carry(self, finger, start, end): self.glide(lambda at: self.touch(finger, TOUCH_UPDATE, at), start, end)

    # --- The mouse.

    def point(self, at):
        self.mouse.send(MOTION, struct.pack("I", 1) + b"\0" * 4 + self.mouse.valuators(*at))
        self.mouse.sync()

    def button(self, is_press):
        self.mouse.send(BUTTON, struct.pack("iiI", 0, 1, is_press) + bytes(4 + 1040))
        self.mouse.sync()

    def click(self, at):
        self.point(at)
        self.button(True)
        self.button(False)

    def pull(self, start, end): self.glide(self.point, start, end)

    # --- Keys.

    def key(self, key, *held):
        for k, is_press in [(k, 1) for k in held] + [(key, 1), (key, 0)] + [(k, 0) for k in held]:
            self.keyboard.send(KEY, struct.pack("iI", k + 8, is_press))
        self.keyboard.sync()

    def keys(self, *all_of_them):
        for k in all_of_them: self.key(k)

    @staticmethod
    def glide(move, start, end, steps=25):
        """Goes there in a quarter of a second, as hands do: toolkits look at the way and not only at its end."""
        for i in range(1, steps + 1):
            move(tuple(a + (b - a) * i / steps for a, b in zip(start, end)))
            time.sleep(0.01)
