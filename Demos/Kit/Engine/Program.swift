import CDemoKit

/// A demo's command line and files, and starting other programs.
package enum Program {
  /// The contents of the command line.
  package struct Options {
    package var json = false
    package var geometry: WindowGeometry?
    package var flags: Set<String> = []
    package var values: [String: String] = [:]
    package var operands: [String] = []
  }

  /// Runs an app until it stops. When the app cannot start, the program ends with a sentence that says why.
  ///
  /// - Parameter content: makes the app's content, which is kept until the app stops.
  package static func run<Content>(_ name: String, _ content: (App) -> Content) {
    do throws(App.Problem) {
      let app = try App(name: name)
      let kept = content(app)
      app.run()
      withExtendedLifetime(kept) {}
    } catch {
      fail(error.sentence)
    }
  }

  /// Reads the command line. It answers `--help` and reports mistakes itself, and then ends the program.
  ///
  /// - Parameters:
  ///   - flags: the program's own options without a value.
  ///   - values: the program's own options that take a word.
  package static func options(
    _ arguments: [String], help: String, flags: [String] = [], values: [String] = []
  ) -> Options {
    var options = Options()
    var words = arguments.dropFirst()
    while let word = words.popFirst() {
      switch word {
      case "--help":
        write(help + "\n", to: 1)
        exit(0)
      case "--json": options.json = true
      case "--geometry":
        guard let geometry = words.popFirst().flatMap({ WindowGeometry($0) }) else {
          fail("--geometry takes WIDTHxHEIGHT+X+Y", status: 2)
        }
        options.geometry = geometry
      case "--":
        options.operands += words
        return options
      case _ where flags.contains(word): options.flags.insert(word)
      case _ where values.contains(word):
        guard let value = words.popFirst(), !value.isEmpty else { fail("\(word) takes a word", status: 2) }
        options.values[word] = value
      case _ where word.hasPrefix("-"): fail("no such option: \(word); --help lists them", status: 2)
      default: options.operands.append(word)
      }
    }
    return options
  }

  /// Says what is wrong and ends the program.
  package static func fail(_ sentence: String, status: Int32 = 1) -> Never {
    write(sentence + "\n", to: 2)
    exit(status)
  }

  package static func write(_ text: String, to fd: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let n = bytes.withUnsafeBytes { CDemoKit.write(fd, $0.baseAddress, $0.count) }
      if n < 0, demo_errno() == EINTR { continue }
      guard n > 0 else { return }
      bytes = bytes.dropFirst(n)
    }
  }

  /// Lets this thread sleep; for threads that make data, not for the app's own thread.
  package static func pause(_ seconds: Double) {
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    var left = timespec()
    while nanosleep(&rest, &left) < 0, demo_errno() == EINTR { rest = left }
  }

  /// The folder in which this program lies.
  package static var folder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let n = readlink("/proc/self/exe", &buffer, buffer.count)
    guard n > 0 else { return "." }
    let path = String(decoding: buffer.prefix(n).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Starts a program, found along PATH; never through a shell.
  ///
  /// - Returns: its process, or nil when it could not be started.
  package static func start(_ words: [String]) -> Int32? {
    guard let name = words.first else { return nil }
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for p in argv { free(p) } }
    // The started program must outlive this one.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    return posix_spawnp(&process, name, nil, &attributes, &argv, demo_environment()) == 0 ? process : nil
  }

  /// Takes the processes that `start` made and that have ended since the last call.
  package static func takeEnded() -> [Int32] {
    var ended: [Int32] = []
    while true {
      let process = waitpid(-1, nil, WNOHANG)
      guard process > 0 else { return ended }
      ended.append(process)
    }
  }
}
