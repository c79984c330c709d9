import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryWindow

/// `carry drag`: a window full of things to drag.
enum DragCommand: Command {
  static let name = "drag"
  static let summary = "a window to drag text, data or files from"
  static let options: [Arguments.Option] = [
    .value("text"), .value("type"), .value("data"), .flag("stdin", letter: "I"), .flag("all", letter: "a"),
    .flag("together"), .flag("add"), .flag("move"), .value("geometry"),
    .flag("once", letter: "x", alias: "and-exit"), .flag("target", letter: "t"), .flag("keep", letter: "k"),
    .flag("print-path", letter: "p"), .flag("null", letter: "0"), .flag("json"), .flag("with-engine"),
    .flag("start-engine"), .value("socket"),
  ]
  static let help = """
    Usage: carry drag --text STRING... [OPTION]...
           carry drag --data FILE [--type MIME] [OPTION]...
           carry drag [--all | --together | --add] FILE... [OPTION]...
           carry drag URL... [OPTION]...
           carry drag --target [--keep] [--print-path [-0]] [OPTION]...

    Opens a window with a tile for each thing, such as a file or a folder. Press a tile until it lifts, and drag it; tap
    a tile with another finger to add it to the drag. Ctrl+C copies all tiles to the clipboard. Nothing is read before a
    drop or a paste. At most \(DragThing.most) files or texts.

      --text STRING          a text; may be repeated
      --data FILE            the contents of a file, as the type that --type says, or that its name suggests; - is
                             standard input, which is read at the drop
      --type MIME            such as image/png
      --stdin, -I            read the files' paths from standard input, one a line, or each with a NUL behind it
      --all, -a              each drag takes all files, as a stack of items
      --together             all files as one item: the list of their addresses, text/uri-list
      --add                  add the files to the window of another carry drag, the newest; without one, open one
      --move                 targets may take the files away: each is removed here when all of it has arrived there;
                             files that --add brings stay
      --geometry WxH+X+Y     the window's size and place in pixels; 300x300 in the middle if left out
      --once, -x             exit after the first drag; --and-exit says the same
      --target, -t           take drops instead, and print them: as carry drop --print does
      --keep, -k             with --target: keep what was dropped in the window, to drag it elsewhere
      --print-path, -p       with --target: print the paths of dropped files
      --null, -0             with --target: end each of them with a NUL instead of a newline
      --json                 one JSON object a line
      --with-engine          exit when the engine does, with status 3, instead of waiting for the next one
      --start-engine         start carryd if none runs, and show in a window why it cannot
      --socket PATH          the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    let geometry = try geometry(arguments)
    if arguments.has("target") { return try target(arguments, printer) }
    for option in ["keep", "print-path", "null"] where arguments.has(option) {
      throw UsageError("--\(option) goes with --target")
    }
    let chosen = try chosen(arguments)
    let things: [DragThing]
    var right: AddingDoor.RightToOpen?
    do throws(Problem) {
      let named = arguments.has("stdin") ? try paths(ofInput: STDIN_FILENO) : chosen.files
      // Other programs hand over files by their addresses.
      let files = named.map { Files.exists($0) ? $0 : FileLink(address: $0)?.path ?? $0 }
      if arguments.has("add") {
        right = try AddingDoor.callOrOpen(try files.map(DragThing.absolutePath))
        if right == nil { return .done }
      }
      things = try self.things(chosen, files: files, printer)
    } catch {
      printer.error(error.sentence)
      return .nothing
    }
    guard let client = EngineConnection.open("carry drag", arguments, printer) else { return .noEngine }
    do {
      let source = try DragSource(
        things, client: client, geometry: geometry,
        .init(once: arguments.has("once"), json: arguments.has("json"), isOneStack: arguments.has("all")), printer)
      if chosen.areFilesApart { source.takeMore(printer) }
      // Whoever waits for this window finds it now.
      withExtendedLifetime(right) {}
      right = nil
      let hadEngine = ToolLoop.run(
        client, display: source.display, withEngine: arguments.has("with-engine"), printer,
        hasTransferred: { [unowned source] in source.board.hasTransferred })
      if source.board.hasTransferred { return .done }
      return hadEngine || source.board.hasFailed ? .nothing : .noEngine
    } catch {
      printer.error(error.sentence)
      return .noEngine
    }
  }

  static func geometry(_ arguments: Arguments) throws(UsageError) -> WindowGeometry? {
    guard let text = arguments.value("geometry") else { return nil }
    guard let geometry = WindowGeometry(text) else {
      throw UsageError("--geometry takes pixels such as 300x300+50+250, not '\(SafeText.displayable(text))'")
    }
    return geometry
  }

  /// `--target`: what `carry drop` does.
  private static func target(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    for option in ["stdin", "all", "together", "add", "move"] where arguments.has(option) {
      throw UsageError("--\(option) does not go with --target, which takes drops")
    }
    guard arguments.operands.isEmpty, ["text", "data", "type"].allSatisfy({ arguments.value($0) == nil }) else {
      throw UsageError("--target takes drops, and has nothing to drag")
    }
    return try DropCommand.run(arguments, printsOnlyDrops: !arguments.has("json"), printer)
  }

  /// What is to be dragged, as the command line says it.
  private struct Chosen {
    var texts: [String] = []
    var data: String?
    var type: String?
    var files: [String] = []
    var isOneItem = false
    var isMoved = false
    /// Whether each file is a tile, so that there may be more.
    var areFilesApart = false
  }

  private static func chosen(_ arguments: Arguments) throws(UsageError) -> Chosen {
    var chosen = Chosen(
      texts: arguments.values("text"), data: arguments.value("data"), type: arguments.value("type"),
      files: arguments.operands, isOneItem: arguments.has("together"), isMoved: arguments.has("move"))
    let areFiles = !chosen.files.isEmpty || arguments.has("stdin")
    for option in ["together", "add"] where arguments.has(option) && !areFiles {
      throw UsageError("--\(option) goes with files")
    }
    if arguments.has("stdin"), !chosen.files.isEmpty { throw UsageError("give --stdin or files") }
    let kinds = [!chosen.texts.isEmpty, chosen.data != nil, areFiles].count { $0 }
    guard kinds == 1 else {
      throw UsageError(
        kinds == 0 ? "nothing to drag; give --text, --data or files" : "give one of --text, --data and files")
    }
    if chosen.isOneItem, let other = ["all", "add"].first(where: arguments.has) {
      throw UsageError("--together goes without --\(other)")
    }
    if let type = chosen.type {
      guard chosen.data != nil else { throw UsageError("--type goes with --data") }
      guard SafeText.isMediaType(type), !MediaType.isPattern(type) else {
        throw UsageError("--type takes a media type such as image/png, not '\(SafeText.displayable(type))'")
      }
    }
    guard chosen.files.count <= DragThing.most, chosen.texts.count <= DragThing.most else {
      throw UsageError("at most \(DragThing.most) files or texts at once")
    }
    if chosen.files == ["-"] {
      guard !arguments.has("add") else { throw UsageError("--add goes with files") }
      (chosen.data, chosen.files) = ("-", [])
    }
    if chosen.isMoved, !areFiles || chosen.data != nil { throw UsageError("--move goes with files") }
    chosen.areFilesApart = areFiles && chosen.data == nil && !chosen.isOneItem
    return chosen
  }

  private static func things(_ chosen: Chosen, files: [String], _ printer: Printer) throws(Problem) -> [DragThing] {
    if !chosen.texts.isEmpty { return chosen.texts.map(DragThing.text) }
    if let data = chosen.data {
      return data == "-"
        ? [.standardInput(chosen.type ?? "text/plain;charset=utf-8")] : [try .file(data, type: chosen.type, printer)]
    }
    if chosen.isOneItem { return [try .list(files)] }
    return try files.map { name throws(Problem) in try .named(name, isMoved: chosen.isMoved, printer) }
  }

  /// The paths of `--stdin`, one a line; or with a NUL behind each, as `find -print0` writes them.
  private static func paths(ofInput descriptor: CInt) throws(Problem) -> [String] {
    let most = DragThing.most * 4097
    guard let bytes = try? Files.readStart(descriptor, most: most + 1), bytes.count <= most else {
      throw Problem("standard input cannot be read, or is too long for \(DragThing.most) paths")
    }
    let end = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    let paths = bytes.split(separator: end).map { line in
      String(decoding: end != 0 && line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    guard !paths.isEmpty else { throw Problem("standard input has no paths") }
    guard paths.count <= DragThing.most else { throw Problem("at most \(DragThing.most) files at once") }
    return paths
  }
}
