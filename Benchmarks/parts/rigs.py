"""The comparators, built in a copy."""
import os, shutil, subprocess

from .measuring import ROOT, SCRATCH


def reason(errors):
    """What the compiler says; what make says of it last explains nothing."""
    lines = errors.strip().splitlines()
    return next((line for line in lines if "error:" in line), lines[-1] if lines else "not built")


class Rigs:
    """The comparators that can be built here."""
    PROGRAMS = {"1-input": ["evbench"], "2-ipc": ["pingpong"], "3-bulk": ["bulk", "xincr"], "4-preview": ["preview"],
                "5-hittest": ["hittest"], "6-xdnd": ["xdndrun", "xlibpeer", "gtk3peer", "gtk4peer", "qt6peer"]}

    def __init__(self):
        self.have, self.missing = {}, []
        source = os.environ.get("CARRY_RIGS") or os.path.join(ROOT, "..", "shared", "rigs")
        self.recording = None
        traces = os.path.join(os.path.dirname(os.path.abspath(source)), "traces")
        known = os.path.join(traces, "ep0430m09.4-finger-drag.events")
        if os.path.exists(known): self.recording = known
        copy = os.path.join(SCRATCH, "rigs")
        for directory, programs in self.PROGRAMS.items():
            for program in programs:
                there = os.path.join(source, directory)
                if not os.path.isdir(there):
                    self.missing.append(f"{directory}/{program}: no {there}")
                    continue
                here = os.path.join(copy, directory)
                os.makedirs(os.path.join(copy, "common"), exist_ok=True)
                os.makedirs(here, exist_ok=True)
                for folder, to in ((os.path.join(source, "common"), os.path.join(copy, "common")), (there, here)):
                    for name in os.listdir(folder):
                        if name.endswith((".c", ".cpp", ".h", ".py")) or name == "Makefile":
                            new, old = os.path.join(to, name), os.path.join(folder, name)
                            if not os.path.exists(new) or os.path.getmtime(old) > os.path.getmtime(new):
                                shutil.copyfile(old, new)
                r = subprocess.run(["make", "-s", "-C", here, program], capture_output=True, text=True)
                path = os.path.join(here, program)
                if r.returncode == 0 and os.path.exists(path): self.have[program] = path
                else: self.missing.append(f"{directory}/{program}: {reason(r.stderr)}")

    def command(self, program, *arguments):
        return [self.have[program], *arguments] if program in self.have else None
