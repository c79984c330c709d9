#!/usr/bin/python3
"""Makes src/carry/_abi.py from carry.h: every function, struct, callback and constant for ctypes. Needs gcc and
python3-pycparser.

    ./generate.py [--check]
"""
import pathlib
import subprocess
import sys

from pycparser import c_ast, c_parser

here = pathlib.Path(__file__).resolve().parent
header = here.parents[1] / "Sources/Library/CCarry/include/carry.h"
result = here / "src/carry/_abi.py"

NUMBERS = {
    "int8_t": "c_int8", "uint8_t": "c_uint8", "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64",
    "uint64_t": "c_uint64", "size_t": "c_size_t", "double": "c_double", "int": "c_int", "char": "c_char",
}


def preprocessed():
    """The header without comments, with the few types of C that it uses."""
    text = subprocess.run(
        ["gcc", "-E", "-P", "-D__attribute__(x)=", "-"], input=header.read_text(), capture_output=True, text=True,
        check=True).stdout
    start = text.index("enum carry_status")
    return "".join(f"typedef int {name};\n" for name in NUMBERS if name.endswith("_t")) + text[start:]


class Generator:
    def __init__(self, tree):
        self.handles, self.structs, self.callbacks, self.functions, self.constants = [], {}, {}, {}, {}
        for node in tree.ext:
            self.declare(node)

    def declare(self, node):
        kind = getattr(node, "type", None)
        if isinstance(node, c_ast.Typedef):
            inner = kind.type
            if isinstance(kind, c_ast.PtrDecl) and isinstance(inner, c_ast.FuncDecl):
                self.callbacks[node.name] = self.signature(inner)
            elif isinstance(inner, c_ast.Struct) and inner.decls:
                self.structs[node.name] = [(d.name, self.name(d.type)) for d in inner.decls]
            elif isinstance(inner, c_ast.Struct):
                self.handles.append(node.name)
            elif isinstance(inner, c_ast.Enum):
                self.enumerate(inner)
        elif isinstance(kind, c_ast.FuncDecl):
            self.functions[node.name] = self.signature(kind)
        elif isinstance(kind, c_ast.Enum):
            self.enumerate(kind)

    def enumerate(self, enum):
        value = -1
        for one in enum.values.enumerators:
            value = self.value(one.value) if one.value else value + 1
            self.constants[one.name] = value

    def value(self, node):
        if isinstance(node, c_ast.UnaryOp):
            return -self.value(node.expr)
        return self.constants[node.name] if isinstance(node, c_ast.ID) else int(node.value.rstrip("uUlL"), 0)

    def signature(self, function):
        parameters = function.args.params if function.args else []
        types = [self.name(p.type) for p in parameters]
        return self.name(function.type), [t for t in types if t != "None"]

    def name(self, node):
        """The name in Python of a type in C. Handles and data are c_void_p."""
        if isinstance(node, c_ast.PtrDecl):
            inner = node.type
            if isinstance(inner, c_ast.FuncDecl):
                result, parameters = self.signature(inner)
                return f"c.CFUNCTYPE({', '.join([result] + parameters)})"
            target = self.name(inner)
            if target == "c.c_char":
                return "c.c_char_p"
            return f"c.POINTER({target})" if target in self.structs or target.startswith("c.c_") else "c.c_void_p"
        names = getattr(node.type, "names", None)
        if names is None:
            return node.type.name
        name = names[-1]
        if name == "void":
            return "None"
        return f"c.{NUMBERS[name]}" if name in NUMBERS else name

    def text(self):
        lines = ['"""carry.h for ctypes. Made by generate.py; do not edit."""', "import ctypes as c", ""]
        lines += [f"{name} = {value}" for name, value in self.constants.items()]
        lines += ["", ""]
        lines += [f"{name} = c.c_void_p" for name in self.handles]
        for name, members in self.structs.items():
            lines += ["", "", f"class {name}(c.Structure):", "    pass"]
        lines += ["", ""]
        for name, (result, parameters) in self.callbacks.items():
            lines.append(f"{name} = c.CFUNCTYPE({', '.join([result] + parameters)})")
        for name, members in self.structs.items():
            lines += ["", f"{name}._fields_ = ["]
            lines += [f'    ("{member}", {kind}),' for member, kind in members]
            lines += ["]"]
        lines += ["", "", "def declare(library: c.CDLL) -> None:", '    """Tells ctypes the types of all functions."""']
        for name, (result, parameters) in self.functions.items():
            lines += [f"    library.{name}.argtypes = [{', '.join(parameters)}]", f"    library.{name}.restype = {result}"]
        return "\n".join(lines) + "\n"


text = Generator(c_parser.CParser().parse(preprocessed())).text()
if "--check" in sys.argv[1:]:
    if result.read_text() != text:
        sys.exit(f"{result} is not what carry.h says: run {here.name}/generate.py")
else:
    result.write_text(text)
