import CarryContacts
import CarryGestures
import CarryModel

/// A pad, its recogniser and the gesture engine behind it, wired as the daemon wires them. Times are milliseconds,
/// positions on the pad millimetres, the pointer's screen pixels.
struct TrackpadScript: ~Copyable {
  enum Pad { case clickpad, plain, box, single }

  static func description(_ pad: Pad) -> DeviceDescription {
    var d = DeviceDescription(name: "pad")
    d.properties.insert(UInt16(Evdev.propPointer))
    if pad == .clickpad { d.properties.insert(UInt16(Evdev.propButtonPad)) }
    if pad == .box { d.properties.insert(UInt16(Evdev.propSemiMT)) }
    // 100 × 60 mm.
    let x = AxisRange(0, 1000, resolution: 10)
    let y = AxisRange(0, 600, resolution: 10)
    d.axes = [Evdev.absX: x, Evdev.absY: y]
    if pad != .single {
      d.axes[Evdev.absMtSlot] = AxisRange(0, pad == .box ? 1 : 4)
      d.axes[Evdev.absMtPositionX] = x
      d.axes[Evdev.absMtPositionY] = y
    }
    d.codes[Evdev.key] = CodeSet([Evdev.btnTouch, Evdev.btnLeft, Evdev.btnToolFinger])
    return d
  }

  let settings: Settings
  var pad: TrackpadRecognizer
  var engine: GestureEngine
  /// What the virtual fingers did, without the moves: `began 1 500,400`.
  var log: [String] = []
  var gestures: [GestureEvent] = []
  private var down: [UInt32: (x: Double, y: Double)] = [:]
  private var keys = TrackpadKeys()
  private var first: ContactID?

  init(_ kind: Pad, ownPointer: Bool = false, change: (inout Settings) -> Void = { _ in }) {
    var settings = Settings()
    change(&settings)
    self.settings = settings
    let screen = Rect(x: 0, y: 0, width: 1280, height: 800)
    pad = TrackpadRecognizer(
      Self.description(kind), settings: settings, identifiers: ContactIDSource(),
      pointer: ownPointer ? VirtualPointer(screen: screen, pixelsPerMillimetre: 10) : nil)
    engine = GestureEngine(settings: settings)
  }

  static func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  mutating func pointer(_ x: Double, _ y: Double, ms: Int) {
    wait(ms: ms)
    var touches: [Touch] = []
    pad.pointerMoved(to: Point(x: x, y: y), time: Self.at(ms), into: &touches)
    handle(touches)
  }

  mutating func down(_ id: UInt32, _ x: Double, _ y: Double, ms: Int) {
    down[id] = (x, y)
    frame([(id, .began, x, y)], ms)
  }

  mutating func move(_ id: UInt32, _ x: Double, _ y: Double, ms: Int) {
    down[id] = (x, y)
    frame([(id, .moved, x, y)], ms)
  }

  mutating func up(_ id: UInt32, ms: Int) {
    let p = down.removeValue(forKey: id) ?? (0, 0)
    frame([(id, .ended, p.x, p.y)], ms)
  }

  mutating func palm(_ id: UInt32, ms: Int) {
    let p = down.removeValue(forKey: id) ?? (0, 0)
    frame([(id, .cancelled, p.x, p.y)], ms)
  }

  mutating func button(_ isDown: Bool, ms: Int) {
    keys.isButtonDown = isDown
    frame([], ms)
  }

  /// What the keys of a pad that counts say, with the next frame.
  mutating func fingers(_ count: Int) { keys.fingerCount = count }

  mutating func tap(_ id: UInt32, _ x: Double, _ y: Double, ms: Int) {
    down(id, x, y, ms: ms)
    up(id, ms: ms + 80)
  }

  mutating func unplug(ms: Int) {
    wait(ms: ms)
    var touches: [Touch] = []
    pad.cancel(at: Self.at(ms), into: &touches)
    handle(touches)
  }

  private mutating func frame(_ changes: [(UInt32, Contact.Phase, Double, Double)], _ ms: Int) {
    wait(ms: ms)
    let contacts = changes.map {
      Contact(id: ContactID($0.0), slot: Int($0.0), phase: $0.1, x: Int32($0.2 * 10), y: Int32($0.3 * 10))
    }
    var touches: [Touch] = []
    pad.handle(ContactFrame(time: Self.at(ms), contacts: contacts, keys: keys), into: &touches)
    handle(touches)
  }

  mutating func wait(ms: Int) {
    while true {
      let due = min(pad.nextDeadline ?? .distantFuture, engine.nextDeadline ?? .distantFuture)
      guard due <= Self.at(ms) else { return }
      advanceEngine(due)
      var touches: [Touch] = []
      pad.advance(to: due, into: &touches)
      handle(touches)
    }
  }

  private mutating func advanceEngine(_ now: Instant) {
    var list: [GestureEvent] = []
    engine.advance(to: now, into: &list)
    note(list)
  }

  private mutating func note(_ list: [GestureEvent]) {
    for event in list { pad.handle(event) }
    gestures += list
  }

  private mutating func handle(_ touches: [Touch]) {
    for touch in touches {
      advanceEngine(touch.time)
      if touch.phase != .moved {
        log.append("\(touch.phase) \(touch.id.raw) \(Int(touch.point.x)),\(Int(touch.point.y))")
      }
      var list: [GestureEvent] = []
      engine.handle(touch, into: &list)
      note(list)
    }
  }

  /// The gestures of the virtual finger 1, without its moves.
  var kinds: [GestureEvent.Kind] {
    gestures.filter { $0.contact == ContactID(1) && $0.kind != .dragMoved }.map(\.kind)
  }
}
