import CarryModel
package import CarrySystem
import CLinux

/// How a program ends.
package enum CommandStatus: Int32, Sendable {
  case done = 0
  /// Nothing was transferred, or the input could not be used.
  case nothing = 1
  case usage = 2
  /// There is no engine or no display.
  case noEngine = 3
}

/// One of the tool's commands.
package protocol Command {
  static var name: String { get }
  /// The line in the list of commands.
  static var summary: String { get }
  static var help: String { get }
  static var options: [Arguments.Option] { get }
  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus
}

/// The command-line tool `carry`.
package enum CarryTool {
  package static var version: String { "\(Version.text)" }

  static var commands: [any Command.Type] {
    [
      DragCommand.self, DropCommand.self, CopyCommand.self, PasteCommand.self, MonitorCommand.self, RegionsCommand.self,
      InspectCommand.self, PlayCommand.self, TestCommand.self, ReplayCommand.self, DescribeCommand.self,
      ConvertCommand.self, RecordCommand.self, DevicesCommand.self, DoctorCommand.self, PolicyCommand.self,
    ]
  }

  /// What is not listed: parts of other commands, each a process of its own.
  private static var parts: [any Command.Type] { [ThumbnailProcess.self] }

  /// Runs the command of the process's arguments and exits.
  package static func run() -> Never {
    clinux_fill_standard_streams()
    let printer = Printer()
    let status = run(Array(CommandLine.arguments.dropFirst()), printer)
    let isWritten = printer.finish()
    exit(isWritten || status != .done ? status.rawValue : CommandStatus.nothing.rawValue)
  }

  /// Runs a command; `words` do not hold the program's name.
  package static func run(_ words: [String], _ printer: Printer) -> CommandStatus {
    defer { printer.flush() }
    guard let first = words.first else {
      printer.error("a command is missing; 'carry --help' lists them")
      return .usage
    }
    switch first {
    case "--help", "-h", "help":
      printer.line(help)
      return .done
    case "--version":
      printer.line("carry \(version)")
      return .done
    default: break
    }
    guard let command = (commands + parts).first(where: { $0.name == first }) else {
      let what = first.hasPrefix("-") ? "option" : "command"
      printer.error("unknown \(what) \(first); 'carry --help' lists all of them")
      return .usage
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), options: command.options)
      if arguments.has("help") {
        printer.line(command.help)
        return .done
      }
      return try command.run(arguments, printer)
    } catch {
      printer.error("\(error.sentence); see 'carry \(command.name) --help'")
      return .usage
    }
  }

  static var help: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let list = commands.map {
      "  carry \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.summary)"
    }
    return """
      Multi-touch drag and drop for the X desktop.

      \(list.joined(separator: "\n"))

      'carry COMMAND --help' says more about a command; 'carry --version' prints the version.
      \(exitStatuses)
      """
  }

  static let exitStatuses = """
    Exit status: 0 done, 1 the input could not be used or nothing was transferred, 2 wrong usage,
    3 no engine or no display.
    """
}
