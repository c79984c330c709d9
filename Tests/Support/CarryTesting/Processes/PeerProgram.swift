import CarrySystem

/// A program in C or C++ that tests compile themselves.
package enum PeerProgram {
  /// A compilation failure with the compiler's output.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The sources of such programs, in addition to the system's libraries.
  private static let sources = [
    "Tests/Support/Peers", "Sources/Library/CCarry", "docs/examples/*.c", "Toolkits/gtk", "Toolkits/qt",
  ]
  private static let place = ".build/peers"

  /// Compiles a program unless it exists and is newer than its sources: a compiler takes ten seconds for Qt's
  /// headers, and test lanes run in parallel.
  ///
  /// - Parameters:
  ///   - name: The program's file name, unique for each command.
  ///   - command: For a shell: the compiler with its flags, sources and libraries, without the output option.
  /// - Returns: The path of the program, in the checkout's `.build`.
  package static func build(_ name: String, _ command: String) throws -> String {
    let program = "\(Checkout.root)/\(place)/\(mark(of: command))/\(name)"
    // Waits if another process is compiling it. The program appears only once it is complete.
    let script = """
      mkdir -p "${1%/*}" && exec 9> "$1.lock" && flock 9 || exit
      if [ -e "$1" ] && [ -z "$(cd "$2" && find \(sources.joined(separator: " ")) -newer "$1")" ]; then exit; fi
      \(command) -o "$1.new" && mv "$1.new" "$1"
      """
    let compiler = try ChildProcess(["sh", "-c", script, "sh", program, Checkout.root], output: .pipe)
    var words: [String] = []
    while let line = compiler.readLine(seconds: 180) { words.append(line) }
    guard compiler.waitForExit(seconds: 10) == 0 else {
      throw Failure(description: "\(name) did not compile:\n" + words.joined(separator: "\n"))
    }
    return program
  }

  /// A directory name for a command: its FNV-1a hash.
  ///
  /// http://www.isthe.com/chongo/tech/comp/fnv/
  private static func mark(of command: String) -> String {
    let hash = command.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
