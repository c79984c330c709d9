"""The references that have no tool of their own: carry.h, the protocol and the package for Python, each as Markdown."""
import ast, re, textwrap
import xml.etree.ElementTree as xml


def linked(line, names):
    """A line of a plain comment as Markdown, with the names in it linked."""
    if line.startswith("    "):
        return line
    line = re.sub(r"[<*]", r"\\\g<0>", line)
    return re.sub(r"(?<![\w.])[a-z_]+(\.[a-z_]+)?(?![`\w])",
                  lambda m: f"[`{m[0]}`](#{m[0]})" if m[0] in names else m[0], line)


def item(id, code, language, text):
    return f'<section id="{id}">\n\n```{language}\n{code}\n```\n\n{text}\n\n</section>\n\n'


def header(path):
    _, intro, text = re.split(r"@file carry\.h\n|#ifndef CARRY_H", path.read_text())
    entries = re.findall(r"^/\* -+ ([^\n]+?) -+ \*/|^/\*\*(.*?)\*/\n(.*?)(?=^/\*|^#if|^#endif|^#define CARRY_\w+\n|\Z)",
                         text, re.M | re.S)

    def name(code):
        outside = re.sub(r"\{.*\}", "", code, flags=re.S)
        return next(filter(None, re.search(r"\((?:\*|\w+ )(carry_\w+)\)\(|(carry_\w+)\(|#define (\w+)|(carry_\w+) ?;|"
                                           r"enum (\w+)", outside).groups()))

    names = {name(code) for _, _, code in entries if code.strip()}

    def comment(text):
        lines = [linked(re.sub(r"^ ?\*? ?", "", line), names) for line in text.strip("*/\n ").split("\n")]
        text = "\n".join(lines).replace("@return", "- **returns**")
        return re.sub(r"^@param (\w+(, \w+)*)", r"- **\1**:", text, flags=re.M)

    # The page has a list of contents of its own.
    intro = re.sub(r" \* Contents, .*?(?= \* The common case)", "", intro, flags=re.S)
    page = "# carry.h\n\n" + comment(intro) + "\n\n"
    for section, text, code in (e for e in entries if e[0] or e[2].strip()):
        code = re.sub(r"CARRY_(API|NONNULL) ", "", code.strip()).replace("CARRY_NULLABLE", "_Nullable")
        if not "{" in code and not "#" in code:
            code = " ".join(code.split())
            code = code if len(code) <= 100 else re.sub(r"(?<=,) ", "\n    ", code)
        page += f"## {section}\n\n" if section else item(name(code), code, "c", comment(text))
    return page


def protocol(path):
    tree = xml.parse(path).getroot()
    interfaces = tree.findall("interface")
    names = {i.get("name") for i in interfaces}
    names |= {f'{i.get("name")}.{m.get("name")}' for i in interfaces for m in [*i.iter("request"), *i.iter("event")]}

    def text(element):
        lines = textwrap.dedent(element.text or "").strip().split("\n") if element is not None else []
        # A line with columns is part of a table.
        columns = re.compile(r"\w\S* {2,}\S|^-  ")
        return "\n".join("    " + line if columns.search(line) else linked(line, names) for line in lines)

    def type_(argument):
        kind = argument.get("interface") or argument.get("enum")
        return argument.get("type") + (f" {kind}" if kind else "")

    page = f"# {path.stem}\n\n" + text(tree.find("description")) + "\n\n"
    for interface in interfaces:
        page += f'<span id="{interface.get("name")}"></span>\n\n## {interface.get("name")}\n\n'
        page += text(interface.find("description")) + "\n\n"
        for member in interface:
            about = member.find("description")
            if member.tag == "description":
                continue
            id = f'{interface.get("name")}.{member.get("name")}'
            if member.tag == "enum":
                code = f'enum {member.get("name")}' + (" (bits)" if member.get("bitfield") else "")
                parts = [(f'{e.get("name")} = {e.get("value")}', e) for e in member.findall("entry")]
            else:
                parts = [(a.get("name"), a) for a in member.findall("arg")]
                arguments = ", ".join(f"{name}: {type_(a)}" for name, a in parts)
                code = f'{member.tag} {member.get("name")}({arguments})'
                parts = [p for p in parts if p[1].get("summary")]
            said = ""
            for name, part in parts:
                said += f'- **{name}**: {linked(" ".join((part.get("summary") or "").split()), names)}\n'
            summary = linked(about.get("summary"), names) + "." if about is not None else ""
            page += item(id, code, "text", f"{summary[:1].upper()}{summary[1:]}\n\n{text(about)}\n\n{said}")
    return page


def python(folder):
    page = "# The package carry\n\n"
    for file in ["__init__", "tk", "qt", "gtk"]:
        source = (folder / (file + ".py")).read_text()
        lines, tree = source.split("\n"), ast.parse(source)
        module = "carry" if file == "__init__" else "carry." + file

        def text(node):
            return re.sub(r"^(\w+): ", r"- **\1**: ", ast.get_docstring(node) or "", flags=re.M)

        def attributes(made):
            for node in made.body if made else []:
                targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
                names = [n.attr for t in targets if t for n in getattr(t, "elts", [t]) if isinstance(n, ast.Attribute)]
                names = [n for n in names if not n.startswith("_")]
                about = re.match(r" *#:(.*)", lines[node.lineno - 2])
                if names:
                    yield f'- **{", ".join(names)}**' + (f":{about[1]}" if about else "")

        def entries(body, prefix):
            for node in body:
                if getattr(node, "name", "_").startswith("_"):
                    continue
                id = prefix + node.name
                if isinstance(node, ast.ClassDef):
                    made = next((n for n in node.body if getattr(n, "name", "") == "__init__"), None)
                    constants = [ast.unparse(n.targets[0]) for n in node.body if isinstance(n, ast.Assign)]
                    code = f"class {node.name}" + (f"({ast.unparse(made.args)})" if made else "")
                    parts = [f'- **{", ".join(constants)}**'] if constants else [*attributes(made)]
                    yield id, code, "\n".join([text(node), "", *parts])
                    yield from entries(node.body, id + ".")
                elif text(node):
                    head = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
                    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                    yield id, f"{head} {id[len(module) + 1:]}({ast.unparse(node.args)}){returns}", text(node)

        page += f"## {module}\n\n{ast.get_docstring(tree)}\n\n"
        for id, code, about in entries(tree.body, module + "."):
            page += item(id, re.sub(r"\(self(, )?", "(", code).replace("'", ""), "python", about)
    return page
