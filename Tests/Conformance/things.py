"""What is carried: as `carry drag` takes it, as applications show it, and what must arrive."""
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


def make(desk, what, takes_text=True):
    """What a column of the tables is about. Where an application takes no text, a picture is promised."""
    if what == "text": return text()
    if what == "one file": return one_file(desk)
    if what == "three files":
        files = [one_file(desk, f"part-{i}.txt").files[0] for i in (1, 2, 3)]
        return Thing([f"part-{i}.txt" for i in (1, 2, 3)], ["--together", *files], files=files)
    # Some take the file, and some what is in it.
    if what == "picture": return Thing([("dock.png", "picture", "image/")], [PICTURE], files=[PICTURE])
    if what == "8 MiB": return one_file(desk, "large.bin", b"a" * (8 << 20))
    if what == "slow promise":
        if takes_text: return Thing(text().expected, ["-"], f"printf '{WORDS}'")
        return Thing([".png"], ["--type", "image/png", "--data", "-"], f"cat '{PICTURE}'")
    raise KeyError(what)
