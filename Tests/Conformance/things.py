"""What is carried: as `carry drag` takes it, as applications show it, and what must arrive."""
import struct
from desk import ROOT

# Seconds until the data of the slow promise comes, counted from the drop.
SLOW = 4
PICTURE = f"{ROOT}/docs/images/dock.png"
WORDS = "hello from a finger"


class Thing:
    """
    arguments: of `carry drag`. slow: what a shell prints into its standard input some seconds after the drop.
    words, files: what an application shows, to be dragged out of it.
    expected: words that must arrive, or of some words one."""

    def __init__(self, expected, arguments=(), slow=None, words=None, files=()):
        self.expected, self.arguments, self.slow, self.words, self.files = expected, list(arguments), slow, words, list(files)

    def came(self, got):
        return all(any(w in got for w in ([one] if isinstance(one, str) else one)) for one in self.expected)


def text(words=WORDS):
    # Nautilus makes a file of it, with a name of its first words.
    return Thing([(words, "hello from a .txt")], ["--text", words], words=words)


def one_file(desk, name="note.txt", data=b"on the lake\n"):
    path = desk.write(name, data)
    return Thing([name], [path], files=[path])


def contents(ending):
    """Of a file that an application can open: a text, a picture, a second of silence, or a safe that is none."""
    if ending == ".png":
        with open(PICTURE, "rb") as f: return f.read()
    if ending == ".wav":
        form = (b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
        return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 8036, *form, b"data", 8000) + b"\x80" * 8000
    return {"": b"", ".txt": b"on the lake\n", ".kdbx": b"\3\xd9\xa2\x9a\x67\xfb\x4b\xb5"}[ending]


def make(desk, what, takes_text=True, ending=".txt"):
    """What a column of the tables is about. Where an application takes no text, a picture is promised."""
    if what == "text": return text()
    if what == "one file": return one_file(desk, f"note{ending}", contents(ending))
    if what == "three files":
        names = [f"part-{i}{ending}" for i in (1, 2, 3)]
        files = [one_file(desk, name, contents(ending)).files[0] for name in names]
        return Thing(names, ["--together", *files], files=files)
    # Some take the file, and some what is in it. A copy, which an application may move away.
    if what == "picture":
        picture = desk.write("dock.png", contents(".png"))
        return Thing([("dock.png", "picture", "image/")], [picture], files=[picture])
    if what == "8 MiB":
        large = contents("" if ending == ".txt" else ending).ljust(8 << 20, b"a")
        return one_file(desk, f"large{'.bin' if ending == '.txt' else ending}", large)
    if what == "slow promise":
        if takes_text: return Thing(text().expected, ["-"], f"printf '{WORDS}'")
        return Thing([".png"], ["--type", "image/png", "--data", "-"], f"cat '{PICTURE}'")
    raise KeyError(what)
