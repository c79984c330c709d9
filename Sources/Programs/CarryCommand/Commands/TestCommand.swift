import CLinux
import Carry
import CarryModel
import CarryRecordings
import CarrySystem

/// `carry test`: plays gesture scripts before programs on an X server of their own, and reports as a test.
enum TestCommand: Command {
  static let name = "test"
  static let summary = "test programs with gesture scripts, without a touchscreen"
  static let options: [Arguments.Option] = [.value("keep"), .value("screen"), .value("wait")]
  static let help = """
    Usage: carry test [OPTION]... SCRIPT... -- PROGRAM...

    Starts an X server, an engine for tests and the programs, plays each script before them, and prints what was expected
    and what came of it in TAP, the Test Anything Protocol. Each script begins anew, with new programs. Each PROGRAM is
    one argument with its arguments in it, as sh's exec takes it. Your desktop and its engine are left alone. Needs Xvfb.

      carry test holidays.gestures -- ./album './target "a folder"'

    Of a script that fails, these files are kept: the programs' output, the engine's log with the steps of the drags, the
    session, which carry replay --explain explains, and a picture of the screen, if ImageMagick is there.

      --keep DIR       where they are kept; carry-test if left out
      --screen WxH     the screen's size; the script's if left out
      --wait N         begin when N programs have a region on the screen, instead of all: for programs that accept drops
                       by XDND only

    Exit status: 0 everything came as expected, 1 it did not, 2 wrong usage or script, 3 something could not be started.
    """

  private static let maxScreen = 8192.0

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    let scripts = Array(arguments.operands.prefix(arguments.countBeforeDashes ?? 0))
    let programs = Array(arguments.operands.dropFirst(scripts.count))
    guard !scripts.isEmpty, !programs.isEmpty else {
      throw UsageError("carry test takes scripts, then --, then programs")
    }
    var wanted = programs.count
    if let text = arguments.value("wait") {
      guard let count = Int(text), (0...programs.count).contains(count) else {
        throw UsageError("--wait takes a number from 0 to \(programs.count), not '\(SafeText.displayable(text))'")
      }
      wanted = count
    }
    var screen: Size?
    if let text = arguments.value("screen") {
      let parts = text.split(separator: "x").compactMap { Double($0) }
      guard parts.count == 2, parts.allSatisfy({ (100...maxScreen).contains($0) }) else {
        throw UsageError("--screen takes a size such as 1280x800, not '\(SafeText.displayable(text))'")
      }
      screen = Size(width: parts[0], height: parts[1])
    }
    // Before anything is started, so that a mistake has no other effects.
    var loaded: [(file: String, script: GestureScript)] = []
    for file in scripts {
      do throws(FileProblem) {
        let script = try RecordingFile.script(file)
        guard !script.expectations.isEmpty else {
          throw FileProblem(file: file, message: "expects nothing, and would pass whatever happens; add an expect line")
        }
        guard max(script.screen.width, script.screen.height) <= maxScreen || screen != nil else {
          throw FileProblem(file: file, line: 1, message: "a screen has \(Int(maxScreen)) pixels at most; see --screen")
        }
        loaded.append((file, script))
      } catch {
        printer.error(error.sentence)
        return .usage
      }
    }
    var report = TestReport(printer, count: loaded.reduce(0) { $0 + $1.script.expectations.count })
    // The server, the engine and the programs end with this command, unless it is killed.
    let interruption = Interruption()
    var names: [String: Int] = [:]
    for (file, script) in loaded {
      // Of several scripts with one name each keeps files of its own.
      var name = file.split(separator: "/").last.map(String.init) ?? file
      if name.hasSuffix(".gestures") { name.removeLast(9) }
      names[name, default: 0] += 1
      if let count = names[name], count > 1 { name += "-\(count)" }
      let run = TestRun(
        file, named: name, script, programs, wanted: wanted, screen: screen ?? script.screen,
        keep: arguments.value("keep") ?? "carry-test", interruption)
      do { try run.run(&report) } catch {
        report.bailOut(error.sentence)
        return error.status == 3 ? .noEngine : .nothing
      }
    }
    return report.hasFailed ? .nothing : .done
  }
}

/// The Test Anything Protocol, version 13.
struct TestReport {
  private let printer: Printer
  private var number = 0
  private(set) var hasFailed = false

  init(_ printer: Printer, count: Int) {
    self.printer = printer
    printer.line("TAP version 13\n1..\(count)")
    printer.flush()
  }

  mutating func add(_ words: String, failure: String?) {
    number += 1
    if failure != nil { hasFailed = true }
    // A number sign would begin a directive, such as TODO.
    let description = SafeText.displayable(words, limit: 4096)
      .replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    printer.line("\(failure == nil ? "ok" : "not ok") \(number) - \(description)")
    if let failure { printer.line("# \(SafeText.displayable(failure, limit: 4096))") }
    printer.flush()
  }

  /// A line for people, which is no result.
  func addDiagnostic(_ words: String) {
    printer.line("# \(SafeText.displayable(words, limit: 4096))")
    printer.flush()
  }

  mutating func bailOut(_ why: String) {
    hasFailed = true
    printer.line("Bail out! \(SafeText.displayable(why, limit: 4096))")
    printer.flush()
  }
}

extension GestureScript {
  var expectations: [(line: Int, Expectation)] {
    steps.compactMap { step in
      if case .expect(let expectation, _) = step.action { (step.line, expectation) } else { nil }
    }
  }
}
