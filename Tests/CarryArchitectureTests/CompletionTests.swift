import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The completions offer what `--help` lists: the options of each command, no more and no less.
@Suite struct CompletionTests {
  private static let folder = Checkout.root + "/Sources/Install/completions"

  private static func run(_ arguments: [String]) throws -> (status: CInt?, lines: [String]) {
    let child = try ChildProcess(arguments, output: .pipe)
    var lines: [String] = []
    while let line = child.readLine(seconds: 20) { lines.append(line) }
    return (child.waitForExit(seconds: 20), lines)
  }

  /// The words with two dashes in front in some lines, each once, sorted; `--` in the middle of a word is none.
  private static func options(_ lines: [String]) -> [String] {
    var found: Set<String> = []
    for line in lines {
      for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "-" }) where word.hasPrefix("--") {
        if word.count > 2 { found.insert(String(word)) }
      }
    }
    return found.sorted()
  }

  /// The options by command, "" for those of `carry` itself, and of `carryd`.
  private static func known() throws -> [(command: [String], options: [String])] {
    let carry = try Checkout.program("carry")
    let list = try run([carry, "--help"]).lines
    let commands = list.filter { $0.hasPrefix("  carry ") }.map { String($0.split(separator: " ")[1]) }
    #expect(commands.contains("drag") && commands.contains("doctor"))
    var all: [(command: [String], options: [String])] = []
    for command in commands {
      // What the help lists, one a line; what it merely speaks of may be another program's.
      let help = try run([carry, command, "--help"]).lines.filter { $0.hasPrefix("  --") }
      // A letter may follow.
      let names = help.map { line in String(line.drop { $0 == " " }.prefix { $0 != " " && $0 != "," }) }
      all.append((["carry", command], (names + ["--help"]).sorted()))
    }
    let daemon = try run([try Checkout.program("carryd"), "--help"]).lines.filter { $0.hasPrefix("  --") }
    let names = daemon.flatMap { line in options([String(line.prefix(25))]) }
    all.append((["carryd"], names.sorted()))
    return all
  }

  @Test("lines of the help fit into 120 columns") func theHelpIsNotTooWide() throws {
    let carry = try Checkout.program("carry")
    for command in try Self.known().map(\.command) + [["carry"]] {
      let words = command[0] == "carry" ? [carry] + command.dropFirst() : [try Checkout.program(command[0])]
      for line in try Self.run(words + ["--help"]).lines { #expect(line.count <= 120, "\(command): \(line)") }
    }
  }

  @Test func bashOffersWhatTheHelpLists() throws {
    for file in ["carry.bash", "carryd.bash"] {
      #expect(try Self.run(["bash", "-n", Self.folder + "/" + file]).status == 0)
    }
    for (command, options) in try Self.known() {
      let script = """
        source '\(Self.folder)/\(command[0]).bash'
        COMP_WORDS=(\(command.joined(separator: " ")) --)
        COMP_CWORD=\(command.count)
        _\(command[0])
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      #expect(try Self.run(["bash", "--norc", "-c", script]).lines.sorted() == options, "\(command)")
    }
    let script = "source '\(Self.folder)/carry.bash'; COMP_WORDS=(carry ''); COMP_CWORD=1; _carry; echo ${COMPREPLY[@]}"
    let first = try Self.run(["bash", "--norc", "-c", script]).lines.joined().split(separator: " ").map(String.init)
    #expect(
      first.sorted()
        == (try Self.known().compactMap { $0.command.dropFirst().first } + ["--help", "--version"]).sorted())
  }

  @Test func zshOffersWhatTheHelpLists() throws {
    let text = String(decoding: try Files.read(Self.folder + "/_carry", limit: 1 << 16), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (command, options) in try Self.known() {
      let start = command.count == 1 ? "_carryd() {" : "        \(command[1]))"
      let from = try #require(lines.firstIndex(of: start), "\(command) is not in _carry")
      let part = lines[(from + 1)...].prefix {
        !$0.hasPrefix("}") && !($0.hasPrefix("        ") && $0.hasSuffix(")") && !$0.contains("'"))
      }
      #expect(Self.options(Array(part)).filter { $0 != "--" } == options, "\(command)")
      if command.count == 2 { #expect(text.contains("'\(command[1]):"), "\(command)") }
    }
    if (try? Self.run(["zsh", "--version"]).status) == 0 {
      #expect(try Self.run(["zsh", "-n", Self.folder + "/_carry"]).status == 0)
    } else {
      print("left out: zsh is not installed, so its syntax is not checked")
    }
  }

  @Test func fishOffersWhatTheHelpLists() throws {
    for (command, options) in try Self.known() {
      let bytes = try Files.read(Self.folder + "/\(command[0]).fish", limit: 1 << 16)
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      let mine = lines.filter { line in
        guard line.hasPrefix("complete -c \(command[0]) ") else { return false }
        guard let condition = line.split(separator: "'").dropFirst().first, line.contains("-n '") else {
          return !line.contains("-n ")
        }
        return command.count == 2 && condition.split(separator: " ").dropFirst().contains(Substring(command[1]))
      }
      let names = mine.compactMap { line -> String? in
        let words = line.split(separator: " ")
        return words.firstIndex(of: "-l").map { "--" + words[$0 + 1] }
      }
      #expect(names.sorted() == options, "\(command)")
      if command.count == 2 { #expect(lines.contains { $0.contains(" -a \(command[1]) ") }, "\(command)") }
    }
    if (try? Self.run(["fish", "--version"]).status) == 0 {
      for file in ["carry.fish", "carryd.fish"] {
        #expect(try Self.run(["fish", "-n", Self.folder + "/" + file]).status == 0)
      }
    } else {
      print("left out: fish is not installed, so its syntax is not checked")
    }
  }
}
