import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry copy`: puts things on the clipboard.
enum CopyCommand: Command {
  static let name = "copy"
  static let summary = "put text, data or files on the clipboard"
  /// `--detached` is what the command says to its own process in the background.
  static let options: [Arguments.Option] = [
    .value("text"), .value("type"), .value("data"), .flag("foreground"), .flag("detached"),
  ]
  static let help = """
    Usage: carry copy FILE...
           carry copy --text STRING...
           carry copy [--data FILE] [--type MIME]

    Puts files and folders, texts or data on the X clipboard, for any application to paste. Without operands, the data is
    standard input. A process in the background serves the clipboard until something else is copied. No engine is needed.

      --text STRING     a text; may be repeated
      --data FILE       the contents of a file, as the type that --type says, or that its name suggests
      --type MIME       the type of the data; text/plain;charset=utf-8 for standard input if left out
      --foreground      serve the clipboard in this process, and exit when something else is copied

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    let type = arguments.value("type")
    let texts = arguments.values("text")
    guard [!texts.isEmpty, arguments.value("data") != nil, !arguments.operands.isEmpty].count(where: { $0 }) <= 1 else {
      throw UsageError("give one of --text, --data and files")
    }
    guard type == nil || texts.isEmpty && arguments.operands.isEmpty else {
      throw UsageError("--type goes with --data or standard input")
    }
    if let type, !SafeText.isMediaType(type) || MediaType.isPattern(type) {
      throw UsageError("--type takes a media type such as image/png, not '\(SafeText.displayable(type))'")
    }
    guard max(texts.count, arguments.operands.count) <= DragThing.most else {
      throw UsageError("at most \(DragThing.most) files or texts at once")
    }
    let isOfInput = texts.isEmpty && arguments.operands.isEmpty && ["-", nil].contains(arguments.value("data"))
    guard arguments.has("foreground") else { return serveInBackground(readsInput: isOfInput, printer) }
    let things: [DragThing]
    do throws(Problem) {
      if !texts.isEmpty {
        things = texts.map(DragThing.text)
      } else if let data = arguments.value("data"), !isOfInput {
        things = [try .file(data, type: type, printer)]
      } else if !arguments.operands.isEmpty {
        // As file managers copy: their addresses.
        things = [try .list(arguments.operands)]
      } else {
        things = [.bytes(try standardInput(), type: type ?? "text/plain;charset=utf-8", name: nil)]
      }
    } catch {
      printer.error(error.sentence)
      return .nothing
    }
    return serve(things, isDetached: arguments.has("detached"), printer)
  }

  private static func memory(_ bytes: [UInt8]) throws -> Descriptor {
    let file = Descriptor(owning: try check("memfd_create") { clinux_memfd_create("carry copy") })
    var sent = 0
    while sent < bytes.count {
      sent += try check("write") { bytes.withUnsafeBytes { write(file.raw, $0.baseAddress! + sent, $0.count - sent) } }
    }
    return file
  }

  private static func standardInput() throws(Problem) -> [UInt8] {
    do { return try Files.readAll("/dev/stdin", limit: 1 << 30) } catch { throw Problem(error.sentence) }
  }

  private static func serve(_ things: [DragThing], isDetached: Bool, _ printer: Printer) -> CommandStatus {
    do {
      let client = try Client(awaitingEngineAs: "carry copy")
      defer { client.close() }
      client.pasteboard.onReplaced = { [unowned client] in client.stop() }
      try client.pasteboard.setItemProviders(things.map { $0.provider() })
      if isDetached {
        // File systems can be unmounted meanwhile.
        chdir("/")
        printer.line(Self.sign)
        printer.flush()
        // A shell that reads the command's output must not wait for this process.
        for fd in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(fd) }
        clinux_fill_standard_streams()
      }
      try client.run()
      return .done
    } catch {
      printer.error("\(error)")
      return .noEngine
    }
  }

  /// What the process in the background prints once it has the clipboard.
  private static let sign = "copied"

  /// Runs this command again in the background, until it has the clipboard.
  ///
  /// - Parameter readsInput: whether the data is standard input. It is read here: in the background, the command would compete
  ///   with the shell for a terminal's input.
  private static func serveInBackground(readsInput: Bool, _ printer: Printer) -> CommandStatus {
    var input: Descriptor?
    if readsInput {
      do {
        input = try memory(try standardInput())
      } catch {
        printer.error("\(error)")
        return .nothing
      }
    }
    do throws(SystemError) {
      let pipe = try Pipe()
      let words = ["carry", name, "--foreground", "--detached"] + CommandLine.arguments.dropFirst(2)
      let pid = try DetachedProcess.start(
        "/proc/self/exe", words, input: input?.raw, output: pipe.write.raw, error: STDERR_FILENO)
      let output = pipe.takeReading()
      // Its own copy of the other end would keep the pipe open for ever.
      if let said = try? Files.readStart(output.raw, most: sign.utf8.count), !said.isEmpty { return .done }
      var status: CInt = 0
      waitpid(pid, &status, 0)
      return CommandStatus(rawValue: status >> 8 & 0xFF) ?? .nothing
    } catch {
      printer.error(error.sentence)
      return .nothing
    }
  }
}
