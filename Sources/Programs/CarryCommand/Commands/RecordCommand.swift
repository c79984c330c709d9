import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings
import CarrySystem
import CLinux

/// `carry record`: a device's events, to a file.
enum RecordCommand: Command {
  static let name = "record"
  static let summary = "record a touch device, until Ctrl-C"
  static let options: [Arguments.Option] = [.value("device"), .flag("force")]
  static let help = """
    Usage: carry record [--device NODE] [--force] FILE

    Records a touch device, with its description: in the format of libinput record if FILE ends in .yml or .yaml,
    otherwise in that of evemu. Ctrl-C ends the recording. Keys are never recorded, whatever the device.

      --device NODE    such as /dev/input/event4; the only touchscreen if left out
      --force          replace FILE if it is there

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.count == 1 else { throw UsageError("carry record takes one file") }
    let path = arguments.operands[0]
    if !arguments.has("force"), Files.exists(path) {
      printer.error("\(SafeText.displayable(path, limit: 4096)): there is such a file; --force replaces it")
      return .nothing
    }
    guard RecordingFile.Format(path: path) != .script else {
      throw UsageError("carry record keeps every event; carry convert makes a script of the recording")
    }
    do {
      let recorder = try EventRecorder(node: try arguments.value("device") ?? onlyTouchscreen())
      let events = record(recorder, printer)
      guard !events.isEmpty else {
        printer.error("no event came; nothing is written")
        return .nothing
      }
      let rebased = Recording(description: recorder.description, events: events).rebased()
      let bytes = try RecordingFile.encode(
        recorder.description, events: rebased.events, as: RecordingFile.Format(path: path), node: recorder.node)
      try OutputFile.write(bytes, to: path, replacing: arguments.has("force"))
      printer.error("\(events.count) events")
      return .done
    } catch {
      printer.error(sentence(of: error))
    }
    return .nothing
  }

  private static func onlyTouchscreen() throws(DeviceError) -> String {
    let found = DeviceScanner.list().filter { $0.kind == .touchscreen }
    if found.count == 1 { return found[0].node }
    throw DeviceError(
      node: "/dev/input", reason: .missing,
      explanation: found.isEmpty
        ? "there is no touchscreen" : "there are several touchscreens: \(found.map(\.node).joined(separator: ", "))",
      advice: "name one with --device; 'carry devices --all' lists what there is")
  }

  /// Records until a signal, or until the device is gone.
  private static func record(_ recorder: EventRecorder, _ printer: Printer) -> [EvdevEvent] {
    var set = sigset_t()
    sigemptyset(&set)
    for n in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, n) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let signals = Descriptor(owning: signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK)))
    printer.error("recording \(recorder.node), \(SafeText.displayable(recorder.description.name)); Ctrl-C ends it")
    var events: [EvdevEvent] = []
    while true {
      var fds = [
        pollfd(fd: recorder.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&fds, 2, -1) < 0, clinux_errno() != EINTR { return events }
      if fds[1].revents != 0 { return events }
      do {
        try recorder.read { event in
          if events.isEmpty { events = recorder.initialEvents(at: event.time) }
          events.append(event)
        }
      } catch {
        printer.error(error.sentence)
        return events
      }
    }
  }
}
