#!/usr/bin/python3
"""Builds the site of the documentation, around the archive of DocC: docs/site/build.py .build/docs. See `make docs`."""
import html, os, pathlib, re, shutil, subprocess, sys

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin
from pygments import formatters, highlight, lexers, util

import references

here, site = pathlib.Path(__file__).resolve().parent, pathlib.Path(sys.argv[1]).resolve()
root = here.parents[1]
header, protocol = "Sources/Library/CCarry/include/carry.h", "Sources/Platform/CWayland/protocol/carry-v1.xml"
# Sources that have a reference.
places = {header: "c/index.html", protocol: "protocol/index.html", "Toolkits/gtk/carry-gtk.h": "gtk4/index.html"}
index = (here / "index.md").read_text()
menu = re.findall(r"^\|.*\| \[(.*?)\]\((.*?)\) \|$", index, re.M)
pages, seen, waiting = {}, set(), [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("docs/decisions/*.md")]
seen.update(waiting)


def color(text, name, *_):
    try:
        lexer = lexers.get_lexer_for_filename(name) if "." in name else lexers.get_lexer_by_name(name or "text")
    except util.ClassNotFound:
        lexer = lexers.TextLexer()
    return highlight(text, lexer, formatters.HtmlFormatter(nowrap=True))


def slug(title):  # as forges make it
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


markdown = MarkdownIt("commonmark", {"highlight": color}).enable("table")
markdown.use(anchors_plugin, max_level=4, slug_func=slug)


def write(path, title, body):
    """A page of the site; its links are relative to the page."""
    up = "../" * path.count("/")
    bar = "".join(f'<a href="{up}{to}">{name}</a>' for name, to in [("Carry", "index.html"), *menu])
    pages[path] = page = (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{up}style.css">\n'
        f"<nav>{bar}</nav>\n<main>\n{body}\n</main></html>\n")
    (site / path).parent.mkdir(parents=True, exist_ok=True)
    (site / path).write_text(page)


def place(source, link):
    """Where a file of the checkout is in the site; makes it wait for its page if it has none yet."""
    file = (source.parent / link).resolve()
    name = str(file.relative_to(root))
    if not file.exists():
        sys.exit(f"{source.relative_to(root)}: no file {link}")
    if "Carry.docc" in name:
        return f"swift/documentation/carry/{file.stem.lower()}/index.html"
    if file not in seen:
        seen.add(file)
        waiting.append(file)
    return places.get(name) or (name + "/index.html" if file.is_dir() else re.sub(r"\.md$", "", name) + (
        "" if file.suffix in (".png", ".svg") else ".html"))


def resolve(body, source, path):
    def replace(match):
        attribute, link, anchor = match.groups()
        if re.match("[a-z]+:", link):
            return match[0]
        return f'{attribute}="{os.path.relpath(place(source, link), os.path.dirname(path))}{anchor or ""}"'
    return re.sub(r'\b(href|src)="([^"#]+)(#[^"]*)?"', replace, body)


def file_page(file):
    name = str(file.relative_to(root))
    path = place(file, file.name)
    if name in places:
        return
    if file.is_dir():
        names = sorted(f.name for f in file.iterdir())
        list_ = "".join(f'<li><a href="{n}">{n}</a></li>' for n in names)
        write(path, name, resolve(f"<h1>{name}</h1><ul>{list_}</ul>", file / "x", path))
    elif file.suffix in (".png", ".svg"):
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, site / path)
    elif file.suffix == ".md":
        text = file.read_text()
        write(path, text.split("\n", 1)[0].strip("# "), resolve(markdown.render(text), file, path))
    else:
        write(path, name, f"<h1>{name}</h1><pre>{color(file.read_text(), file.name)}</pre>")


def reference(path, text):
    body = markdown.render(text)
    sections = re.findall(r'<h2 id="(.*?)">(.*?)</h2>', body)
    list_ = "".join(f'<li><a href="#{id}">{title}</a></li>' for id, title in sections)
    write(path, text.split("\n", 1)[0].strip("# "), body.replace("</h1>", f"</h1>\n<ul class=contents>{list_}</ul>", 1))


def widgets(version):
    """The reference of GTK's widgets, from the introspection data."""
    gir = site.parent / f"gtk/CarryGtk{version}-0.gir"
    settings = site.parent / f"gtk/gi-docgen{version}.toml"
    settings.write_text((here / "gi-docgen.toml").read_text().replace("@version@", str(version)))
    done = subprocess.run(["gi-docgen", "generate", "--quiet", "--fatal-warnings", "-C", settings, "--no-namespace-dir",
                           "--output-dir", site / f"gtk{version}", gir])
    if done.returncode:
        sys.exit(f"{gir}: gi-docgen fails with status {done.returncode}")


def check():
    """Every link of our pages leads to a page, and to a heading of it."""
    for path, page in pages.items():
        for link, anchor in re.findall(r'\b(?:href|src)="([^"#]*)(#[^"]*)?"', page):
            target = os.path.normpath(os.path.join(os.path.dirname(path), link)) if link else path
            target += "/index.html" if link.endswith("/") else ""
            if re.match("[a-z]+:", link):
                continue
            if not (site / target).is_file() or anchor and f'id="{anchor[1:]}"' not in (site / target).read_text():
                sys.exit(f"{path}: the link {link}{anchor} leads nowhere")


reference("c/index.html", references.header(root / header))
reference("protocol/index.html", references.protocol(root / protocol))
reference("python/index.html", references.python(root / "Toolkits/python/src/carry"))
for version in (4, 3):
    widgets(version)
while waiting:
    file_page(waiting.pop())
source = (root / "Sources/Core/CarryModel/Values/Version.swift").read_text()
index = index.replace("@version@", re.search(r'StaticString = "([\d.]+)"', source)[1])
write("index.html", "Carry", markdown.render(index))
shutil.copy(here / "style.css", site)
check()
