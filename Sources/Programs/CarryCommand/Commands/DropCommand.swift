import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryWindow

/// `carry drop`: a window that takes drops.
enum DropCommand: Command {
  static let name = "drop"
  static let summary = "a window that keeps, prints or saves what is dropped on it"
  static let options: [Arguments.Option] = [
    .value("accept"), .value("to"), .flag("move"), .flag("preserve"), .flag("print"),
    .flag("print-path", letter: "p"), .flag("null", letter: "0"), .flag("keep", letter: "k"), .value("exec"),
    .value("geometry"),
    .flag("once", letter: "x", alias: "and-exit"), .flag("json"), .flag("with-engine"), .flag("start-engine"),
    .value("socket"),
  ]
  static let help = """
    Usage: carry drop [--accept MIME]... [--to DIR] [OPTION]...

    Opens a window that accepts drops, and pastes by Ctrl+V. Dropped items stay in the window as tiles, to be dragged
    elsewhere, unless --to says where to save them; files never replace others. Of each item one representation is
    loaded: the first accepted type that the item has, or its best one. Text is printed as well.

      --accept MIME          take only items of this type, such as image/png, image/* or text/plain; may be repeated,
                             in the order of preference; everything if left out
      --to DIR               save into this directory: files and folders, whole
      --move                 with --to: have the source let go of what was saved whole, where it allows that
      --preserve             with --to: what is saved keeps its time and permissions
      --print                print what was dropped and nothing else: the path of each thing saved, or the data itself
      --print-path, -p       print the path of each dropped file and nothing else: without --to, of the file where it is,
                             if the source tells
      --null, -0             end each printed path with a NUL instead of a newline, for xargs -0
      --keep, -k             keep dropped items as tiles also with --to or --print. Without --to, tiles are in memory:
                             at most 64 MiB
      --exec PROGRAM         with --to: run the program with the path of each thing saved as its argument
      --geometry WxH+X+Y     the window's size and place in pixels; 300x300 in the middle if left out
      --once, -x             exit after the first drop, which has to be text unless --to or --print is given;
                             --and-exit says the same
      --json                 one JSON object a line
      --with-engine          exit when the engine does, with status 3, instead of waiting for the next one
      --start-engine         start carryd if none runs, and show in a window why it cannot
      --socket PATH          the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    try run(arguments, printsOnlyDrops: arguments.has("print"), printer)
  }

  /// - Parameter printsOnlyDrops: whether nothing is printed but what was dropped.
  static func run(
    _ arguments: Arguments, printsOnlyDrops: Bool, _ printer: Printer
  ) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else {
      throw UsageError("carry drop takes no operands; --to says where to save")
    }
    let geometry = try DragCommand.geometry(arguments)
    printer.endsPathsWithNUL = arguments.has("null")
    for type in arguments.values("accept") where !SafeText.isMediaType(type) {
      throw UsageError("--accept takes a media type such as image/png or image/*, not '\(SafeText.displayable(type))'")
    }
    let folder = arguments.value("to")
    for option in ["move", "preserve", "exec"]
    where folder == nil && (arguments.has(option) || arguments.value(option) != nil) {
      throw UsageError("--\(option) goes with --to")
    }
    if arguments.has("json") {
      for option in ["print", "print-path"] where arguments.has(option) {
        throw UsageError("give one of --\(option) and --json")
      }
    }
    // What is neither saved, printed nor kept would be lost.
    let isLeft = folder == nil && !printsOnlyDrops && !arguments.has("print-path") && !arguments.has("keep")
    if isLeft, arguments.has("once"), let type = arguments.values("accept").first(where: { !$0.hasPrefix("text/") }) {
      throw UsageError("--once with --accept \(type) goes with --to or --print: it would be lost otherwise")
    }
    if arguments.has("keep"), arguments.has("once") { throw UsageError("give one of --keep and --once") }
    if let folder {
      do throws(Problem) { try checkFolder(folder) } catch {
        printer.error(error.sentence)
        return .nothing
      }
    }
    guard let client = EngineConnection.open("carry drop", arguments, printer) else { return .noEngine }
    do {
      let prints = printsOnlyDrops || arguments.has("print-path")
      let accepted = arguments.values("accept")
      let handling = DropTarget.Handling(
        accepted: accepted.isEmpty && isLeft && arguments.has("once") ? ["text/*"] : accepted, folder: folder,
        moves: arguments.has("move"), keepsAttributes: arguments.has("preserve"), printsOnlyDrops: prints,
        printsPlaces: arguments.has("print-path") && folder == nil,
        keeps: arguments.has("keep") || isLeft && !arguments.has("once"),
        program: arguments.value("exec"), once: arguments.has("once"), json: arguments.has("json"))
      let target = try DropTarget(client: client, geometry: geometry, handling, printer)
      let hadEngine = ToolLoop.run(
        client, display: target.display, withEngine: arguments.has("with-engine"), printer)
      if target.hasFailed { return .nothing }
      if target.hasReceived { return .done }
      return hadEngine ? .nothing : .noEngine
    } catch {
      printer.error(error.sentence)
      return .noEngine
    }
  }

  /// Whether files can be made in a directory now.
  static func canSave(in path: String) -> Bool {
    guard let folder = try? SaveFolder(path) else { return false }
    return (try? folder.checkAccess()) != nil
  }

  /// Throws the reason why nothing could be saved in a directory.
  static func checkFolder(_ path: String) throws(Problem) {
    let folder: SaveFolder
    do { folder = try SaveFolder(path) } catch {
      guard !path.contains("\u{FFFD}") else {
        throw Problem("\(path): --to takes a directory whose name is UTF-8")
      }
      throw Problem(
        error.code == ENOTDIR || error.code == ENOENT
          ? "\(path): \(error.reason); --to takes a directory that exists" : error.sentence)
    }
    do { try folder.checkAccess() } catch { throw Problem("\(error.sentence); no file can be made there") }
  }
}
