#!/usr/bin/env python3
"""provider.c in Python: the file provider of promises.c. A manifest names this file, so it must be executable."""
import carry


def provide(reference, type):
    """A target requests the item that the application named `reference`."""
    kind, _, number = reference.partition(" ")
    if kind != "letter" or not number.isdigit():
        raise LookupError("There is no such letter.")
    return f"Letter {number}, as {type}, from its file provider in Python"


carry.run_provider("Letters", provide)
