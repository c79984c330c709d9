import CarryConfiguration
import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings
import CarrySystem
import CLinux

/// `carry replay`: the contacts and gestures that recordings contain.
enum ReplayCommand: Command {
  static let name = "replay"
  static let summary = "print what is in a recording of fingers or of a session; needs no display"
  static let options: [Arguments.Option] = [
    .flag("fast"), .flag("json"), .value("screen"), .value("config"), .flag("explain"),
  ]
  static let help = """
    Usage: carry replay [--fast] [--json] [--screen WIDTHxHEIGHT] [--config FILE] FILE...
           carry replay [--json] [--explain] SESSION...

    Plays recordings (evemu's or libinput's), one after the other, in real time, and prints what their contacts do and
    the gestures they make over one region that covers the screen. Times count from the recording's first event.

      --fast           as fast as possible, with the same output
      --json           one JSON object a line
      --screen WxH     the screen the device covers, in pixels; if left out, the range of axes that count pixels, or
                       1920x1080
      --config FILE    settings, as carryd has them; every default if left out, so that the output is the same for all

    X and Y are pixels of the screen, PANEL-X and PANEL-Y units of the device. contact-began, contact-ended and
    contact-cancelled have both; a contact's end has its duration in seconds, and its path's length in mm, or in device
    units where the device's size is not known. lift-began, lifted, lift-reversed, drag-began, tap and press-failed have
    pixels. On a trackpad they are made at a pointer that starts in the middle of the screen (contacts from 1001 on) and
    moves 10 pixels a millimetre; drag-ended is where it dropped, button-pressed and button-released are clicks. The exit
    status is 1 for a recording without a contact, or with events that take no effect.

    A SESSION is a file of carryd --record-session. It is played at once through an engine without a display, which has to
    do what the recorded one did; the first difference is an error. The steps of its drags are printed.

      --explain        also, whenever it changes, the regions under the finger and why each is the target or not

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("a file is missing") }
    let size = try arguments.size("screen")
    var settings = Settings()
    if let file = arguments.value("config") {
      do { settings = try ConfigurationFile.load(file) } catch {
        printer.error(error.sentence)
        return .nothing
      }
    }
    var status = CommandStatus.done
    for file in arguments.operands {
      do throws(FileProblem) {
        if SessionRecording.recognises(file) {
          var report = SessionReport(json: arguments.has("json"), explains: arguments.has("explain"), printer)
          try report.play(file)
          continue
        }
        let recording = try RecordingFile.load(file)
        if arguments.has("explain") {
          throw FileProblem(file: file, message: "has no targets to explain: it is no session")
        }
        let player = try RecordingPlayer(recording, startingAt: .zero, file: file)
        let size = size ?? pixels(of: player.description) ?? (width: 1920, height: 1080)
        let report = ReplayReport(
          player.description, screen: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
          settings: settings, json: arguments.has("json"), printer)
        let progress = Progress(SafeText.displayable(file, limit: 4096))
        printer.beforeWriting = { progress?.clear() }
        defer { printer.beforeWriting = {} }
        if arguments.has("fast") {
          playAtOnce(player, report, progress)
        } else {
          playInRealTime(player, report, printer, progress)
        }
        report.finish()
        progress?.clear()
        printer.flush()
        let name = SafeText.displayable(file, limit: 4096)
        for line in player.problems.lines(file: name) { printer.error(line) }
        if !report.hasContacts { printer.error("\(name): \(noContact)") }
        if !report.hasContacts || player.problems.hasMistake { status = .nothing }
      } catch {
        printer.error(error.sentence)
        status = .nothing
      }
    }
    return status
  }

  /// The size of a screen whose pixels the axes count, as in recordings that are written by hand.
  static func pixels(of description: DeviceDescription) -> (width: Int, height: Int)? {
    guard description.kind == .touchscreen, let axes = description.positionAxes,
      [axes.x, axes.y].allSatisfy({ $0.minimum == 0 && $0.resolution == 0 && (319..<4096).contains($0.maximum) })
    else { return nil }
    let (width, height) = (Int(axes.x.maximum) + 1, Int(axes.y.maximum) + 1)
    // Panels that count something else usually have the same range across and down.
    return [width, height].max() ?? 0 >= 5 * min(width, height) / 4 ? (width, height) : nil
  }

  /// What is wrong with a recording that has no contact.
  static let noContact =
    "no contact: a finger needs a tracking id (39), positions (35 and 36) and a SYN_REPORT (0000 0000) behind them"

  private static func show(_ progress: Progress, _ player: RecordingPlayer, _ at: Instant) {
    let (time, whole) = ((at - .zero).seconds, player.duration.seconds)
    progress.show(
      whole > 0 ? time / whole : 1,
      note: "\(Decimal.fixed(min(time, whole), places: 1)) of \(Decimal.fixed(whole, places: 1)) s",
      at: MonotonicClock.now())
  }

  /// Plays in slices of the recording's time, so that progress can be shown between them.
  private static func playAtOnce(_ player: RecordingPlayer, _ report: ReplayReport, _ progress: Progress?) {
    guard let progress else { return player.playAll { report.frame($0) } }
    let start = MonotonicClock.now()
    while let next = player.nextTime {
      player.advance(to: next + .seconds(1)) { report.frame($0) }
      let now = MonotonicClock.now()
      if now - start >= Progress.worthwhile { show(progress, player, next) }
    }
  }

  /// Plays at the recording's own speed. The player's clock starts at zero; the real clock is read between waits only.
  private static func playInRealTime(
    _ player: RecordingPlayer, _ report: ReplayReport, _ printer: Printer, _ progress: Progress?
  ) {
    let isLong = player.duration >= Progress.worthwhile
    let start = MonotonicClock.now()
    while let next = [player.nextTime, player.isFinished ? nil : report.nextDeadline].compactMap({ $0 }).min() {
      let now = Instant.zero + (MonotonicClock.now() - start)
      if now < next {
        printer.flush()
        if isLong, let progress { show(progress, player, now) }
        let milliseconds = ((next - now).microseconds + 999) / 1000
        // In a long pause the progress bar must still move.
        poll(nil, 0, CInt(clamping: max(1, isLong && progress != nil ? min(100, milliseconds) : milliseconds)))
        continue
      }
      player.advance(to: next) { report.frame($0) }
      report.advance(to: next)
    }
  }
}
