import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings
import CarrySystem

/// `carry describe`: what a recording holds.
enum DescribeCommand: Command {
  static let name = "describe"
  static let summary = "describe a recording: device, axes, contacts, problems"
  static let options: [Arguments.Option] = [.flag("json"), .value("picture"), .flag("force")]
  static let help = """
    Usage: carry describe [--json] FILE...
           carry describe --picture OUT.svg [--force] FILE

    Prints the device of a recording, its axes, the number of events and contacts, and its problems. FILE is a recording
    of evemu or libinput record. If it has no device description, the description is read from the file beside it that
    has .desc or .prop in place of FILE's last extensions. The exit status is 1 for a recording without a contact, or
    with events that take no effect.

      --json           one JSON object for each file
      --picture OUT    draw it: the paths of the contacts, when each was down, the gestures that they make, and where the
                       panel or the kernel lost them
      --force          replace OUT if it is there

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("a file is missing") }
    if let out = arguments.value("picture") { return try draw(arguments, to: out, printer) }
    var status = CommandStatus.done
    for file in arguments.operands {
      do {
        let summary = try RecordingSummary(file: file, RecordingFile.load(file))
        if arguments.has("json") { printer.line(summary.json.text) } else { summary.print(printer) }
        if summary.isUseless { status = .nothing }
      } catch {
        printer.error(error.sentence)
        status = .nothing
      }
    }
    return status
  }

  private static func draw(
    _ arguments: Arguments, to out: String, _ printer: Printer
  ) throws(UsageError) -> CommandStatus {
    guard arguments.operands.count == 1, !arguments.has("json") else {
      throw UsageError("--picture takes one recording, and no --json")
    }
    let file = arguments.operands[0]
    do {
      let recording = try RecordingFile.load(file)
      let size = recording.description.flatMap { ReplayCommand.pixels(of: $0) } ?? (width: 1920, height: 1080)
      let picture = try RecordingPicture(
        recording, file: file, screen: Size(width: Double(size.width), height: Double(size.height)))
      try OutputFile.write(Array(picture.svg.utf8), to: out, replacing: arguments.has("force"))
      return .done
    } catch {
      printer.error(sentence(of: error))
      return .nothing
    }
  }
}

/// The facts about a recording that `carry describe` prints.
struct RecordingSummary {
  let file: String
  let description: DeviceDescription
  /// The description as recorded; the player may have converted it.
  let original: DeviceDescription
  var events = 0
  var seconds = 0.0
  var contacts = 0
  var maxAtOnce = 0
  /// How often a trackpad's button went down.
  var clicks = 0
  var problems: ProblemList
  /// Other devices in the recording.
  private let others: [String]
  /// The axes of contacts that events name, and the device has not.
  private let missingAxes: [UInt16]
  /// Whether the device has no touch axes. Nothing can play such a recording, but it is described all the same.
  private var lacksAxes: Bool { original.protocol == .none }

  init(file: String, _ recording: Recording) throws(FileProblem) {
    self.file = file
    original = recording.description ?? DeviceDescription()
    others = recording.others
    events = recording.events.count
    seconds = recording.events.last?.time.seconds ?? 0
    let named = Set(recording.events.lazy.filter { $0.type == Evdev.abs }.map(\.code))
    let known = original.axes
    missingAxes = named.filter { $0 >= Evdev.absMtSlot && known[$0] == nil }.sorted()
    guard original.protocol != .none else {
      // A mouse or a keyboard has no contacts, but it can still be described.
      description = original
      problems = recording.problems
      return
    }
    let player = try RecordingPlayer(recording, startingAt: .zero, file: file)
    description = player.description
    var live = 0
    var begun = 0
    var most = 0
    var presses = 0
    var isDown = false
    player.playAll { frame in
      for contact in frame.contacts {
        switch contact.phase {
        case .began:
          begun += 1
          live += 1
        case .moved: break
        case .ended, .cancelled: live -= 1
        }
      }
      most = max(most, live)
      if frame.keys.isButtonDown, !isDown { presses += 1 }
      isDown = frame.keys.isButtonDown
    }
    contacts = begun
    maxAtOnce = most
    clicks = presses
    problems = player.problems
  }

  /// Whether the recording cannot be what it was made for: it has no contact, or events that take no effect.
  var isUseless: Bool { !lacksAxes && (contacts == 0 || problems.hasMistake) }

  /// The recording's problems, one line each.
  private func problemLines(file: String) -> [String] {
    let lines =
      problems.lines(file: file)
      + missingAxes.map { "\(file): the device's description lacks \(EvdevNames.axis($0)), which events have" }
    guard lacksAxes else { return contacts > 0 ? lines : lines + ["\(file): \(ReplayCommand.noContact)"] }
    return [
      "\(file): the device \(original.reasonForNoTouch), so it cannot be replayed; record a touchscreen or a trackpad"
    ]
      + lines
  }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("file", file)
    line.add("name", original.name)
    line.add("bus", Self.hex(original.bus))
    line.add("vendor", Self.hex(original.vendor))
    line.add("product", Self.hex(original.product))
    line.add("version", Self.hex(original.version))
    line.add("kind", original.kind.rawValue)
    line.add("protocol", original.protocol.rawValue)
    line.add("slots", description.slotCount)
    line.add("semi-multitouch", original.isSemiMultitouch)
    if original.kind == .trackpad {
      line.add("clickpad", original.isClickpad)
      line.add("clicks", clicks)
    }
    line.add(
      "axes",
      original.axes.keys.sorted().compactMap { code in
        guard let range = original.axes[code] else { return nil }
        var axis = JSONLine()
        axis.add("axis", EvdevNames.axis(code))
        axis.add("min", Int(range.minimum))
        axis.add("max", Int(range.maximum))
        axis.add("fuzz", Int(range.fuzz))
        axis.add("flat", Int(range.flat))
        axis.add("resolution", Int(range.resolution))
        return axis
      })
    if !others.isEmpty { line.add("others", others) }
    line.add("events", events)
    line.add("duration", seconds)
    line.add("contacts", contacts)
    line.add("at-once", maxAtOnce)
    line.add("problems", problemLines(file: file))
    return line
  }

  func print(_ printer: Printer) {
    let ids = [original.bus, original.vendor, original.product, original.version].map(Self.hex)
    printer.line("\(SafeText.displayable(file, limit: 4096))")
    printer.line("  device    \(SafeText.displayable(original.name))")
    printer.line("  ids       bus \(ids[0]) vendor \(ids[1]) product \(ids[2]) version \(ids[3])")
    let semi = original.isSemiMultitouch ? ", semi-multitouch: good for one finger" : ""
    printer.line("  kind      \(original.kind.rawValue), \(original.protocol.rawValue)\(semi)")
    if original.kind == .trackpad {
      let way =
        original.isClickpad
        ? "the pad is the button: click and hold lifts" : "buttons beside the pad: tap and hold lifts"
      printer.line("  button    \(way)")
    }
    for code in original.axes.keys.sorted() {
      guard let range = original.axes[code] else { continue }
      let resolution = range.resolution > 0 ? ", \(range.resolution) units a millimetre" : ""
      printer.line("  axis      \(EvdevNames.axis(code)) \(range.minimum)…\(range.maximum)\(resolution)")
    }
    for other in others { printer.line("  other     \(SafeText.displayable(other)), which is not played") }
    printer.line("  events    \(events) in \(Decimal.fixed(seconds, places: 3)) s")
    let clicked = original.kind == .trackpad ? ", \(clicks) \(clicks == 1 ? "click" : "clicks")" : ""
    printer.line("  contacts  \(contacts), at most \(maxAtOnce) at once\(clicked)")
    for problem in problemLines(file: SafeText.displayable(file, limit: 4096)) {
      printer.line("  problem   \(problem)")
    }
  }
}
