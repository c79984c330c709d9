#!/usr/bin/env python3
"""provider.c in Python: the file provider of promises.c. A manifest names this file, so it must be executable."""
import ctypes as c
import sys

carry = c.CDLL("libcarry.so.0")
PROVIDE = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p)
carry.carry_provider_run.argtypes = [c.c_char_p, PROVIDE, c.c_int32, c.c_void_p, c.c_void_p]
carry.carry_request_answer_data.argtypes = [c.c_void_p, c.c_char_p, c.c_size_t]
carry.carry_request_fail.argtypes = [c.c_void_p, c.c_char_p]
carry.carry_last_error.restype = c.c_char_p


@PROVIDE
def provide(_, request, reference, type):
    """A target requests the item that the application named `reference`."""
    kind, _, number = reference.decode().partition(" ")
    if kind != "letter" or not number.isdigit():
        carry.carry_request_fail(request, b"There is no such letter.")
        return
    letter = f"Letter {number}, as {type.decode()}, from its file provider in Python".encode()
    carry.carry_request_answer_data(request, letter, len(letter))


if carry.carry_provider_run(b"Letters", provide, -1, None, None) < 0:
    sys.exit("provider: " + carry.carry_last_error().decode())
