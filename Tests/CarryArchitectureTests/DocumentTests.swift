import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The documents that a stranger reads first: what they show compiles, and they stay short.
@Suite struct DocumentTests {
  /// The lines of the blocks of code in a language.
  private static func code(_ language: String, in file: String, isFirst: Bool = true) throws -> [Substring] {
    var lines = try Checkout.text(file).split(separator: "\n", omittingEmptySubsequences: false)[...]
    var code: [Substring] = []
    while let start = lines.firstIndex(of: "```\(language)"), !isFirst || code.isEmpty {
      code += lines[(start + 1)...].prefix { $0 != "```" }
      lines = lines[(start + 1)...]
    }
    try #require(!code.isEmpty)
    return code
  }

  private static func compile(_ lines: [Substring], _ file: String, _ command: (String) -> [String]) throws -> String {
    let folder = try TestFolder("readme")
    let path = try folder.write(lines.joined(separator: "\n") + "\n", to: file)
    let child = try ChildProcess(["sh", "-c", "exec \"$@\" 2>&1", "sh"] + command(path), output: .pipe)
    var said: [String] = []
    while let line = child.readLine(seconds: 120) { said.append(line) }
    return child.waitForExit(seconds: 10) == 0 ? "" : said.joined(separator: "\n") + "failed"
  }

  @Test("G16: the README's plugin in Swift compiles, in twelve lines") func G16_theReadmesSwift() throws {
    let lines = try Self.code("swift", in: "README.md")
    #expect(lines.count <= 13)
    let whole = lines.prefix(1) + ["let xWindow: UInt32 = 1"] + lines.dropFirst()
    let said = try Self.typecheck(Array(whole), "main.swift")
    #expect(said.isEmpty, "\(said)")
  }

  @Test("C10: the list and the text of the documents compile") func C10_listsAndTexts() throws {
    let page = "Sources/Library/Carry/Carry.docc/ListsAndTexts.md"
    let said = try Self.typecheck(try Self.code("swift", in: page, isFirst: false), "lists.swift")
    #expect(said.isEmpty, "\(said)")
  }

  @Test("G16: the short answers compile") func G16_howDoI() throws {
    let page = try Checkout.text("Sources/Library/Carry/Carry.docc/HowDoI.md")
    let blocks = page.components(between: "```swift\n", and: "```")
    #expect(blocks.count >= 20)
    var program = """
      import Carry
      class Delegate: DragInteractionDelegate, DropInteractionDelegate {
        func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] { [] }
      }

      """
    for (i, block) in blocks.enumerated() {
      program +=
        block.hasPrefix("func ")
        ? "final class Answer\(i): Delegate {\n\(block)}\n"
        : """
        func answer\(i)(
          client: Client, region: Region, session: DropSession, drag: DragInteraction, item: DragItem,
          provider: ItemProvider, downloads: String
        ) throws {
        \(block)}

        """
    }
    let said = try Self.typecheck(program.split(separator: "\n", omittingEmptySubsequences: false), "answers.swift")
    #expect(said.isEmpty, "\(said)")
  }

  private static func typecheck(_ lines: [Substring], _ file: String) throws -> String {
    let program = try Checkout.program("carry")
    let built = program.split(separator: "/").dropLast().joined(separator: "/")
    var options = [
      "-I", "/\(built)/Modules", "-Xcc", "-fmodule-map-file=\(Checkout.root)/Sources/Platform/CXcb/module.modulemap",
    ]
    for module in ["CArchive", "CLinux", "CPixbuf", "CPortal", "CWayland", "CWaylandClient"] {
      options += [
        "-I", "\(Checkout.root)/Sources/Platform/\(module)/include", "-Xcc",
        "-fmodule-map-file=/\(built)/\(module).build/module.modulemap",
      ]
    }
    return try compile(lines, file) { ["swiftc", "-typecheck", "-swift-version", "6"] + options + [$0] }
  }

  @Test("G16: the README's plugin in C compiles") func G16_theReadmesC() throws {
    let lines = try Self.code("c", in: "README.md")
    let head: [Substring] = [
      "#include <carry.h>",
      "static int32_t did_update(void *data, carry_drop_session *session) { return CARRY_OPERATION_COPY; }",
      "static void perform_drop(void *data, carry_drop_session *session) {}",
      "int main(void) {", "uint32_t window = 1;",
    ]
    let said = try Self.compile(head + lines + ["return status;", "}"], "main.c") {
      ["gcc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-I\(Checkout.headers)", $0]
    }
    #expect(said.isEmpty, "\(said)")
  }

  @Test("G16: the guides of the toolkits begin with code, which compiles") func G16_toolkits() throws {
    let toolkits = Checkout.root + "/Toolkits"
    let qt = try Self.compile(try Self.code("cpp", in: "docs/qt.md"), "main.cpp") {
      [
        "sh", "-c",
        "g++ -std=c++17 -fPIC -Werror -fsyntax-only -I'\(toolkits)/qt' $(pkg-config --cflags Qt6Widgets) \($0)",
      ]
    }
    #expect(qt.isEmpty, "\(qt)")
    let gtk = try Self.compile(["#include <carry-gtk.h>"] + Self.code("c", in: "docs/gtk.md"), "main.c") {
      ["sh", "-c", "gcc -Wall -Werror -fsyntax-only -I'\(toolkits)/gtk' $(pkg-config --cflags gtk4) \($0)"]
    }
    #expect(gtk.isEmpty, "\(gtk)")
    for page in ["docs/gtk.md", "docs/python.md"] {
      for block in try Checkout.text(page).components(between: "```python\n", and: "```") {
        let said = try Self.compile(block.split(separator: "\n", omittingEmptySubsequences: false), "main.py") {
          ["python3", "-W", "error", "-c", "import sys; compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')", $0]
        }
        #expect(said.isEmpty, "\(page): \(said)")
      }
    }
    for page in ["gtk", "qt", "python"] {
      let head = try Checkout.text("docs/\(page).md").split(separator: "\n").prefix(12)
      #expect(head.contains { $0.hasPrefix("```") }, "\(page)")
    }
  }

  @Test("the documents that a stranger reads first are short") func theyAreShort() throws {
    func count(_ file: String) throws -> Int {
      try Checkout.text(file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    #expect(try count("README.md") <= 150)
    #expect(try count("CHANGELOG.md") <= 40)
    for page in Files.list(Checkout.root + "/docs/decisions") {
      #expect(try count("docs/decisions/" + page) <= 60, "\(page)")
    }
  }

  @Test("links between documents lead somewhere") func linksLeadSomewhere() throws {
    let folders = ["", "docs/", "docs/decisions/", "docs/notes/", "Benchmarks/"]
    for folder in folders {
      for file in Files.list(Checkout.root + "/" + folder) where file.hasSuffix(".md") {
        // Not in code, where a closure of C++ looks like a link.
        let parts = try Checkout.text(folder + file).split(separator: "```", omittingEmptySubsequences: false)
        let prose = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        for link in prose.split(separator: "](").dropFirst() {
          let target = link.prefix { $0 != ")" && $0 != "#" && $0 != " " }
          guard !target.isEmpty, !target.contains("://"), link.contains(")") else { continue }
          #expect(Files.exists("\(Checkout.root)/\(folder)\(target)"), "\(folder)\(file): \(target)")
        }
      }
    }
  }

  @Test("O1, O6: examples refuse a wrong type with cancel, and forbid with a reason") func O1_O6_examples()
    throws
  {
    let examples = try ChildProcess(
      ["find", Checkout.root + "/docs/examples", "-name", "*.c", "-o", "-name", "*.py", "-o", "-name", "*.swift"],
      output: .pipe)
    var files: [String] = []
    while let line = examples.readLine(seconds: 20) { files.append(line) }
    #expect(files.count > 10)
    for file in files + [Checkout.root + "/README.md", Checkout.root + "/docs/c-guide.md"] {
      let text = String(decoding: try Files.read(file, limit: 1 << 20), as: UTF8.self)
      #expect(!text.contains("FORBIDDEN") && !text.contains(".forbidden") || text.contains("reason"), "\(file)")
    }
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    var rest = self[...]
    var found: [String] = []
    while let from = rest.firstRange(of: start), let to = rest[from.upperBound...].firstRange(of: end) {
      found.append(String(rest[from.upperBound..<to.lowerBound]))
      rest = rest[to.upperBound...]
    }
    return found
  }
}
