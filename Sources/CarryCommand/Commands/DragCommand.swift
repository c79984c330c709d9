import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry drag`: a window full of things to drag.
enum DragCommand: Command {
  static let name = "drag"
  static let summary = "a window to drag text, data or files from"
  static let options: [Arguments.Option] = [
    .value("text"), .value("type"), .value("data"), .flag("together"), .flag("move"), .value("geometry"), .flag("once"),
    .flag("json"),
    .flag("with-engine"), .value("socket"),
  ]
  static let help = """
    Usage: carry drag --text STRING... [OPTION]...
           carry drag --data FILE [--type MIME] [OPTION]...
           carry drag [--together] FILE... [OPTION]...

    Opens a window with a tile for each thing, such as a file or a folder. Press a tile until it lifts, and drag it; tap a tile with another
    finger to add it to the drag. Nothing is read before a drop. At most 64 files or texts.

      --text STRING          a text; may be repeated
      --data FILE            the contents of a file, as the type that --type says, or that its name suggests; - is
                             standard input, which is read at the drop
      --type MIME            such as image/png
      --move                 targets may take the files away: each is removed here when all of it has arrived there
      --together             all files as one item: the list of their addresses, text/uri-list
      --geometry WxH+X+Y     the window's size and place in pixels; 300x300 in the middle if left out
      --once                 exit after the first drag
      --json                 one JSON object a line
      --with-engine          exit when the engine does, with status 3, instead of waiting for the next one
      --socket PATH          the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    let geometry = try geometry(arguments)
    let things: [DragSource.Thing]
    do { things = try self.things(arguments, printer) } catch let e as UsageError { throw e } catch {
      printer.error(sentence(of: error))
      return .nothing
    }
    let client: Client
    do { client = try Client(name: "carry drag", socket: arguments.value("socket")) } catch {
      printer.error(error.description)
      return .noEngine
    }
    do {
      let source = try DragSource(
        things, client: client, geometry: geometry, once: arguments.has("once"), json: arguments.has("json"), printer)
      let hadEngine = ToolLoop.run(
        client, window: source.window, withEngine: arguments.has("with-engine"), printer)
      if source.hasTransferred { return .done }
      return hadEngine || source.hasFailed ? .nothing : .noEngine
    } catch {
      printer.error(error.sentence)
      return .noEngine
    }
  }

  static func geometry(_ arguments: Arguments) throws(UsageError) -> Geometry {
    guard let text = arguments.value("geometry") else { return .standard }
    guard let geometry = Geometry(text) else {
      throw UsageError("--geometry takes pixels such as 300x300+50+250, not '\(SafeText.displayable(text))'")
    }
    return geometry
  }

  private static func things(_ arguments: Arguments, _ printer: Printer) throws -> [DragSource.Thing] {
    let texts = arguments.values("text")
    let data = arguments.value("data")
    let type = arguments.value("type")
    let files = arguments.operands
    let kinds = [!texts.isEmpty, data != nil, !files.isEmpty].count { $0 }
    if arguments.has("together"), files.isEmpty { throw UsageError("--together goes with files") }
    guard kinds == 1 else {
      throw UsageError(
        kinds == 0 ? "nothing to drag; give --text, --data or files" : "give one of --text, --data and files")
    }
    if let type {
      guard data != nil else { throw UsageError("--type goes with --data") }
      guard SafeText.isMediaType(type), !MediaType.isPattern(type) else {
        throw UsageError("--type takes a media type such as image/png, not '\(SafeText.displayable(type))'")
      }
    }
    guard files.count <= 64, texts.count <= 64 else { throw UsageError("at most 64 files or texts at once") }
    if !texts.isEmpty {
      return texts.map { text in
        .init(title: SafeText.displayable(text, limit: 60), detail: "text/plain") { ItemProvider(text: text) }
      }
    }
    if data == "-" || files == ["-"] { return [standardInput(type ?? "text/plain;charset=utf-8", printer)] }
    if arguments.has("together") {
      return [try together(files)]
    }
    if arguments.has("move"), files.isEmpty { throw UsageError("--move goes with files") }
    let paths: [String] = if let data { [data] } else { files }
    return try paths.map { (path: String) throws -> DragSource.Thing in
      // An unreadable file is reported now, not after somebody has dragged it across the screen.
      try checkFile(path)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let type = type ?? ItemProvider.type(ofFileAt: path)
      let picture = type == "image/png" ? path : nil
      var thing = DragSource.Thing(title: SafeText.displayable(name, limit: 60), detail: type, picture: picture) {
        let provider = ItemProvider()
        provider.suggestedName = name
        provider.preferredPresentationSize = picture.flatMap { size(ofPNG: $0) }
        provider.registerFileRepresentation(forType: type) { completion in
          // The file may have gone since, or be something else now. Who runs the tool learns it, not only the target.
          do throws(Problem) {
            try checkFile(path)
            completion(.success(path))
          } catch {
            printer.error(error.sentence)
            completion(.failure(ClientSideError(description: error.sentence)))
          }
        }
        return provider
      }
      if arguments.has("move") { thing.letGo = try removal(of: path) }
      return thing
    }
  }

  /// Removes a file that another application has now, if it is still the one that was dragged.
  private static func removal(of path: String) throws(Problem) -> () throws(Problem) -> Void {
    var before = stat()
    guard lstat(path, &before) == 0, before.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
      throw Problem("\(SafeText.displayable(path)): --move takes regular files, no folders and no links")
    }
    return { () throws(Problem) in
      var now = stat()
      guard lstat(path, &now) == 0 else { return }
      guard now.st_dev == before.st_dev, now.st_ino == before.st_ino, now.st_size == before.st_size,
        now.st_mtim.tv_sec == before.st_mtim.tv_sec, now.st_mtim.tv_nsec == before.st_mtim.tv_nsec
      else { throw Problem("\(SafeText.displayable(path)): it has changed, and stays") }
      guard unlink(path) == 0 else {
        throw Problem("\(SafeText.displayable(path)): \(String(cString: strerror(clinux_errno())))")
      }
    }
  }

  /// The size of a picture, in pixels, so that a target can make room for it before it comes.
  private static func size(ofPNG path: String) -> (width: Int, height: Int)? {
    // The signature, then the first chunk, which has the size: https://www.w3.org/TR/png/#11IHDR
    guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 24)
    guard read(file.raw, &bytes, 24) == 24, bytes[..<8] == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
      return nil
    }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    let size = (number(16), number(20))
    return (1...65_535).contains(size.0) && (1...65_535).contains(size.1) ? size : nil
  }

  /// Several files as one item: the list of their addresses.
  private static func together(_ files: [String]) throws(Problem) -> DragSource.Thing {
    var addresses: [String] = []
    for path in files {
      try checkFile(path)
      guard let real = realpath(path, nil) else {
        throw Problem("\(SafeText.displayable(path)): \(String(cString: strerror(clinux_errno())))")
      }
      defer { free(real) }
      addresses.append(SafeText.fileAddress(ofPath: String(cString: real)))
    }
    let list = Array((addresses.joined(separator: "\r\n") + "\r\n").utf8)
    let text = Array(addresses.joined(separator: "\n").utf8)
    return DragSource.Thing(title: files.count == 1 ? "1 file" : "\(files.count) files", detail: "text/uri-list") {
      let provider = ItemProvider(data: list, type: "text/uri-list")
      provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") { $0(.success(text)) }
      return provider
    }
  }

  /// Standard input, which is handed over when it is dropped. A pipe's content can be had once.
  private static func standardInput(_ type: String, _ printer: Printer) -> DragSource.Thing {
    DragSource.Thing(title: "Standard input", detail: type) {
      let provider = ItemProvider()
      provider.registerRepresentation(forType: type) { $0(.success(.descriptor(STDIN_FILENO))) }
      return provider
    }
  }

  /// The error that the destination gets.
  private struct ClientSideError: Error, CustomStringConvertible { let description: String }

  /// Throws the reason why a file or folder cannot be dragged.
  private static func checkFile(_ path: String) throws(Problem) {
    let shown = SafeText.displayable(path, limit: 4096)
    var status = stat()
    // Bytes of the name that were not UTF-8 have been replaced on the way here, so the real name is lost.
    guard !path.contains("\u{FFFD}") || access(path, F_OK) == 0 else {
      throw Problem("\(shown): names that are not UTF-8 cannot be dragged; rename the file")
    }
    guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
      throw Problem("\(shown): \(String(cString: strerror(clinux_errno())))")
    }
    switch status.st_mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG), UInt32(S_IFDIR): return
    default: throw Problem("\(shown): neither a regular file nor a folder")
    }
  }
}
