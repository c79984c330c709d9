import CLinux
import Carry
import CarryModel
import CarryRecordings
import CarrySystem

/// `carry play`: plays a gesture script into an engine for tests.
enum PlayCommand: Command {
  static let name = "play"
  static let summary = "play a gesture script into an engine for tests"
  static let options: [Arguments.Option] = [.flag("verbose", letter: "v"), .value("socket")]
  static let help = """
    Usage: carry play [--verbose] [--socket PATH] SCRIPT

    Plays the fingers of a gesture script on the screen of an engine that was started with carryd --test. Regions are
    found by their labels, or by their programs' names, once they are on the screen. SCRIPT may be - for standard
    input. carry-gestures(5) describes the steps:

      press "photo 1"                       a finger comes down, and stays until it lifts
      tap 2 "photo 6"                       another finger adds an item
      move to "Holidays" in 400ms
      up
      expect "Holidays" received image/png

      --verbose, -v    print the steps of the drags, too
      --socket PATH    the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.count == 1 else { throw UsageError("carry play takes one script") }
    let file = arguments.operands[0]
    do {
      let script = try RecordingFile.script(file)
      let client: Client
      do { client = try Client(name: "carry play", socket: arguments.value("socket")) } catch {
        printer.error(error.description)
        return .noEngine
      }
      let player = try ScriptPlayer(client, screen: try ScriptScreen.size())
      if arguments.has("verbose") {
        player.onStep = { step in if step.kind != "updated" { StepLine.print(step, printer) } }
      }
      try player.play(script, file: SafeText.displayable(file, limit: 4096))
      for outcome in player.outcomes {
        guard let failure = outcome.failure else { continue }
        printer.error("\(file):\(outcome.line): expected \(outcome.words); \(failure)")
      }
      return player.outcomes.allSatisfy { $0.failure == nil } ? .done : .nothing
    } catch let problem as Problem {
      printer.error(problem.sentence)
      return problem.status == 3 ? .noEngine : .nothing
    } catch {
      printer.error(sentence(of: error))
      return .nothing
    }
  }
}
