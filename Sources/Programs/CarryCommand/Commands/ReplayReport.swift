package import CarryContacts
import CarryGestures
package import CarryModel

/// Turns the frames of a recording into lines: contacts as the device reports them, and the gestures that they make
/// over one region that covers the screen. A trackpad's gestures happen at a pointer that starts in the middle of the
/// screen.
package final class ReplayReport {
  private struct Live {
    var begun: Instant
    var x: Int32
    var y: Int32
    /// Millimetres, or device units when the device's size is not known.
    var travel = 0.0
  }

  private let mapping: ScreenMapping
  private let millimetres: (x: Double, y: Double)?
  private let json: Bool
  private let printer: Printer
  private var engine: GestureEngine
  private var gestures: [GestureEvent] = []
  private var live: [ContactID: Live] = [:]
  private var began = 0
  private var trackpad: TrackpadRecognizer?
  private var trackpadTouches: [Touch] = []
  private var isButtonDown = false

  package init(_ description: DeviceDescription, screen: Rect, settings: Settings, json: Bool, _ printer: Printer) {
    mapping = ScreenMapping(description, screen: screen)
    millimetres = description.millimetresPerUnit
    engine = GestureEngine(settings: settings)
    if description.kind == .trackpad {
      let pointer = VirtualPointer(
        screen: screen, pixelsPerMillimetre: settings.trackpad.pixelsPerMillimetre)
      trackpad = TrackpadRecognizer(
        description, settings: settings, identifiers: Self.virtualFingers, pointer: pointer)
    }
    self.json = json
    self.printer = printer
    if !json { printer.line(Self.row("SECONDS", "EVENT", "CONTACT", ["X", "Y", "PANEL-X", "PANEL-Y"], "")) }
  }

  /// Whether any contact has begun.
  var hasContacts: Bool { began > 0 }

  /// Numbers for fingers at the pointer, from 1001 on. The pad's own contacts count from 1, so nobody mixes them up.
  private static var virtualFingers: ContactIDSource { ContactIDSource(after: 1000) }

  /// When something happens without a frame: a finger held still may lift its item during a pause between frames.
  package var nextDeadline: Instant? {
    [engine.nextDeadline, trackpad?.nextDeadline].compactMap { $0 }.min()
  }

  /// Lets time pass up to `now`.
  package func advance(to now: Instant) {
    while let due = trackpad?.nextDeadline, due <= now {
      advanceGestures(to: due)
      trackpad?.advance(to: due, into: &trackpadTouches)
      takeTrackpad()
    }
    advanceGestures(to: now)
  }

  private func advanceGestures(to now: Instant) {
    engine.advance(to: now, into: &gestures)
    if !gestures.isEmpty { printGestures() }
  }

  /// Hands the touches of the fingers at the pointer to the gesture engine.
  private func takeTrackpad() {
    for touch in trackpadTouches {
      advanceGestures(to: touch.time)
      engine.handle(touch, into: &gestures)
      if !gestures.isEmpty { printGestures() }
    }
    trackpadTouches.removeAll(keepingCapacity: true)
  }

  /// Reports the next frame; its time is relative to the recording's start.
  package func frame(_ frame: ContactFrame) {
    let now = frame.time
    advance(to: now)
    defer {
      if trackpad != nil {
        printButton(frame)
        trackpad?.handle(frame, into: &trackpadTouches)
        takeTrackpad()
      }
    }
    for contact in frame.contacts {
      switch contact.phase {
      case .began:
        began += 1
        live[contact.id] = Live(begun: now, x: contact.x, y: contact.y)
        print("contact-began", contact.id, screen(contact), now, panel: contact)
      case .moved:
        travel(contact)
      case .ended, .cancelled:
        printEnd(of: contact, contact.phase == .ended ? "contact-ended" : "contact-cancelled", now)
      }
      if trackpad == nil {
        let place = mapping.point(x: contact.x, y: contact.y)
        engine.handle(
          Touch(id: contact.id, phase: contact.phase, point: place, scale: mapping.scale, time: now), into: &gestures)
      }
      if !gestures.isEmpty { printGestures() }
    }
  }

  /// Reports, after the last frame, the gestures that were still waiting for time to pass.
  package func finish() {
    while let due = nextDeadline {
      advance(to: due)
      // A finger that the recording never lifted was ended with the last frame, so deadlines run out. Should one fail
      // to move, the loop must end all the same.
      if nextDeadline == due { break }
    }
  }

  private func travel(_ contact: Contact) {
    guard var known = live[contact.id] else { return }
    let dx = (Double(contact.x) - Double(known.x)) * (millimetres?.x ?? 1)
    let dy = (Double(contact.y) - Double(known.y)) * (millimetres?.y ?? 1)
    known.travel += (dx * dx + dy * dy).squareRoot()
    known.x = contact.x
    known.y = contact.y
    live[contact.id] = known
  }

  private func printGestures() {
    for gesture in gestures {
      trackpad?.handle(gesture)
      guard let name = name(gesture.kind) else { continue }
      print(name, gesture.contact, gesture.point, gesture.time)
    }
    gestures.removeAll(keepingCapacity: true)
  }

  /// The word for a gesture, or nil: a press and the motion of a drag already show in the contact's own lines.
  private func name(_ kind: GestureEvent.Kind) -> String? {
    switch kind {
    case .liftBegan: "lift-began"
    case .lifted: "lifted"
    case .liftReversed: "lift-reversed"
    case .dragBegan: "drag-began"
    // On a touchscreen the end of the contact says it already; on a trackpad the finger may be up long before.
    case .dragEnded: trackpad == nil ? nil : "drag-ended"
    case .tapped: "tap"
    case .pressFailed: "press-failed"
    default: nil
    }
  }

  private func printEnd(of contact: Contact, _ event: String, _ now: Instant) {
    travel(contact)
    print(event, contact.id, screen(contact), now, panel: contact, live[contact.id])
    live[contact.id] = nil
  }

  /// Where a contact is on the screen; nil for one on a trackpad, which is not there.
  private func screen(_ contact: Contact) -> Point? {
    trackpad == nil ? mapping.point(x: contact.x, y: contact.y) : nil
  }

  private func printButton(_ frame: ContactFrame) {
    guard frame.keys.isButtonDown != isButtonDown else { return }
    isButtonDown = frame.keys.isButtonDown
    let event = isButtonDown ? "button-pressed" : "button-released"
    if json {
      var line = JSONLine()
      line.add("t", frame.time.seconds)
      line.add("event", event)
      printer.line(line.text)
    } else {
      printer.line(Self.row(Decimal.fixed(frame.time.seconds, places: 3), event, "", [], ""))
    }
  }

  private func print(
    _ event: String, _ id: ContactID, _ point: Point?, _ time: Instant, panel: Contact? = nil, _ ended: Live? = nil
  ) {
    let duration = ended.map { (time - $0.begun).seconds }
    let unit = millimetres == nil ? "units" : "mm"
    if json {
      var line = JSONLine()
      line.add("t", time.seconds)
      line.add("event", event)
      line.add("contact", Int(id.raw))
      if let point {
        line.add("x", point.x)
        line.add("y", point.y)
      }
      if let panel {
        line.add("panel-x", Int(panel.x))
        line.add("panel-y", Int(panel.y))
      }
      if let ended, let duration {
        line.add("duration", duration)
        line.add("travel", ended.travel)
        line.add("unit", unit)
      }
      printer.line(line.text)
    } else {
      var note = ""
      if let ended, let duration {
        note = "\(Decimal.fixed(duration, places: 3)) s, \(Decimal.fixed(ended.travel, places: 1)) \(unit)"
      }
      let row = Self.row(
        Decimal.fixed(time.seconds, places: 3), event, String(id.raw),
        (point.map { [$0.x, $0.y].map { Decimal.fixed($0, places: 0) } } ?? ["", ""])
          + (panel.map { [String($0.x), String($0.y)] } ?? []), note)
      printer.line(row)
    }
  }

  private static func row(
    _ time: String, _ event: String, _ contact: String, _ positions: [String], _ note: String
  ) -> String {
    func pad(_ s: String, _ n: Int) -> String { s + String(repeating: " ", count: max(1, n - s.count)) }
    func right(_ s: String, _ n: Int) -> String { String(repeating: " ", count: max(0, n - s.count)) + s }
    let all = positions + [String](repeating: "", count: max(0, 4 - positions.count))
    let line =
      right(time, 10) + "  " + pad(event, 18) + right(contact, 7) + all.map { " " + right($0, 8) }.joined() + "  "
      + note
    return String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.endIndex)])
  }
}
