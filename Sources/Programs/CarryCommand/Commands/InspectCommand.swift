import CLinux
import CarrySystem

/// `carry inspect`: the window is a program of its own, in Python, so that `carry` needs no toolkit.
enum InspectCommand: Command {
  static let name = "inspect"
  static let summary = "show live what the engine sees, to find out why a drag did not work"
  static let options: [Arguments.Option] = [.flag("terminal"), .value("socket")]
  static let help = """
    Usage: carry inspect [--terminal] [--socket PATH]

    Opens a window with a picture of the desktop: every region, the drags under way, and where drags were released. The
    drags of the last minute are listed with their steps; select a step to see the desktop as it was then. Select a
    region to read what it accepts, what covers it, and why the selected drag was not dropped on it. Needs the package
    carry-inspect.

      --terminal       print the same facts as text, again whenever they change, until Ctrl-C; needs python3 only
      --socket PATH    the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else { throw UsageError("carry inspect takes no operands") }
    let own = EngineConnection.own
    guard let program = program(beside: own) else {
      printer.error("carry-inspect is not installed: install the package carry-inspect")
      return .nothing
    }
    // It reads `carry regions` and `carry monitor` of this version.
    setenv("CARRY", own, 1)
    var words = [program]
    if arguments.has("terminal") { words.append("--terminal") }
    if let socket = arguments.value("socket") { setenv("CARRY_SOCKET", Files.absolute(socket), 1) }
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    execv(program, &argv)
    let code = clinux_errno()
    for word in argv { free(word) }
    // The kernel reports a missing interpreter as if the program itself were not there.
    printer.error(
      code == ENOENT
        ? "carry inspect needs Python: install the package python3"
        : SystemError(code: code, call: "execv", subject: program).sentence)
    return .nothing
  }

  /// Beside this tool, where `make install` puts it, in `$PATH`, or in the checkout that this tool was built in.
  private static func program(beside own: String) -> String? {
    var places: [String] = []
    if let slash = own.lastIndex(of: "/") {
      places += ["\(own[..<slash])/carry-inspect", "\(own[..<slash])/../libexec/carry/carry-inspect"]
      if let build = own.firstRange(of: "/.build/") {
        places.append("\(own[..<build.lowerBound])/Toolkits/inspect/carry-inspect")
      }
    }
    places += (environment("PATH") ?? "").split(separator: ":").map { "\($0)/carry-inspect" }
    return places.first { access($0, X_OK) == 0 }
  }
}
