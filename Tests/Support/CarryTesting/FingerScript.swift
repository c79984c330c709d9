package import CarryContacts
import CarryModel
import CarryRecordings

/// Writes recordings of fingers on a touchscreen or a trackpad: where and when they come down, move, and lift.
///
/// Times are in milliseconds from the start, positions in units of the screen (pixels, if it is as large as the X
/// screen). Steps may be written in any order; the recording has a frame every 10 ms while anything happens.
package struct FingerScript {
  package enum Surface: Sendable {
    case touchscreen
    /// 10 units per millimetre; the pad is the button.
    case clickpad
    /// The same with a separate button.
    case plainPad
    /// The same, but it reports only the number of fingers and their bounding box.
    case semiMultitouchPad
  }

  struct Key {
    var ms: Int
    var x: Int
    var y: Int
  }

  struct Finger {
    var keys: [Key]
    var up: Int?
  }

  /// Milliseconds between two frames of the device.
  package var step = 10
  let width: Int
  let height: Int
  private(set) var fingers: [Finger] = []
  private let surface: Surface
  private var clicks: [(ms: Int, isDown: Bool)] = []

  /// Creates a surface with this many units in each direction.
  package init(width: Int, height: Int, _ surface: Surface = .touchscreen) {
    self.width = width
    self.height = height
    self.surface = surface
  }

  /// The button goes down or up.
  package mutating func button(_ isDown: Bool, at ms: Int) { clicks.append((ms, isDown)) }

  /// A finger comes down.
  ///
  /// - Returns: Its number, for the other steps.
  package mutating func down(_ x: Int, _ y: Int, at ms: Int) -> Int {
    fingers.append(Finger(keys: [Key(ms: ms, x: x, y: y)]))
    return fingers.count - 1
  }

  /// The finger stays until `start` and is at the position at `end`; in between, it moves evenly.
  package mutating func move(_ finger: Int, to x: Int, _ y: Int, from start: Int, until end: Int) {
    guard let last = fingers[finger].keys.last else { return }
    fingers[finger].keys.append(Key(ms: start, x: last.x, y: last.y))
    fingers[finger].keys.append(Key(ms: end, x: x, y: y))
  }

  /// A step while a finger carries.
  package enum Step {
    /// Moves straight to a point, between two times in milliseconds.
    case to(Int, Int, ClosedRange<Int>)
    /// Another finger taps.
    case tap(Int, Int, at: Int)
  }

  /// A finger that comes down, moves, and lifts.
  package mutating func carry(from start: (x: Int, y: Int), at ms: Int, _ steps: Step..., upAt end: Int) {
    let finger = down(start.x, start.y, at: ms)
    for step in steps {
      switch step {
      case .to(let x, let y, let time): move(finger, to: x, y, from: time.lowerBound, until: time.upperBound)
      case .tap(let x, let y, let time): tap(x, y, at: time)
      }
    }
    up(finger, at: end)
  }

  /// Delays everything written so far.
  package mutating func delay(by ms: Int) {
    for i in fingers.indices {
      for k in fingers[i].keys.indices { fingers[i].keys[k].ms += ms }
      fingers[i].up = fingers[i].up.map { $0 + ms }
    }
    for i in clicks.indices { clicks[i].ms += ms }
  }

  package mutating func up(_ finger: Int, at ms: Int) { fingers[finger].up = ms }

  /// Comes down and lifts in one place.
  package mutating func tap(_ x: Int, _ y: Int, at ms: Int, lasting duration: Int = 80) {
    let finger = down(x, y, at: ms)
    up(finger, at: ms + duration)
  }

  /// Ten slots; a touchscreen does not report its size in millimetres.
  package var device: DeviceDescription {
    var d = DeviceDescription()
    d.bus = 3
    var keys = [Evdev.btnTouch]
    var resolution: Int32 = 10
    switch surface {
    case .touchscreen:
      d.name = "Carry test touchscreen"
      d.properties.insert(UInt16(Evdev.propDirect))
      resolution = 0
    case .clickpad:
      d.name = "Carry test clickpad"
      d.properties.insert(UInt16(Evdev.propPointer))
      d.properties.insert(UInt16(Evdev.propButtonPad))
    case .plainPad:
      d.name = "Carry test trackpad"
      d.properties.insert(UInt16(Evdev.propPointer))
    case .semiMultitouchPad:
      d.name = "Carry test box pad"
      d.properties.insert(UInt16(Evdev.propPointer))
      d.properties.insert(UInt16(Evdev.propSemiMT))
    }
    if surface != .touchscreen { keys += [Evdev.btnLeft] + TrackpadKeys.tools.map(\.code) }
    let x = AxisRange(0, Int32(width - 1), resolution: resolution)
    let y = AxisRange(0, Int32(height - 1), resolution: resolution)
    d.axes[Evdev.absX] = x
    d.axes[Evdev.absY] = y
    d.axes[Evdev.absMtSlot] = AxisRange(0, surface == .semiMultitouchPad ? 1 : 9)
    d.axes[Evdev.absMtPositionX] = x
    d.axes[Evdev.absMtPositionY] = y
    d.axes[Evdev.absMtTrackingID] = AxisRange(0, 65_535)
    for (type, codes) in [(Evdev.syn, [Evdev.synReport]), (Evdev.key, keys), (Evdev.abs, Array(d.axes.keys))] {
      d.codes[type] = CodeSet(codes)
    }
    return d
  }

  private static func position(_ finger: Finger, at ms: Int) -> (x: Int, y: Int)? {
    guard let first = finger.keys.first, let last = finger.keys.last, ms >= first.ms else { return nil }
    if ms >= last.ms { return (last.x, last.y) }
    for (a, b) in zip(finger.keys, finger.keys.dropFirst()) where ms >= a.ms && ms < b.ms {
      let f = Double(ms - a.ms) / Double(b.ms - a.ms)
      return (a.x + Int((Double(b.x - a.x) * f).rounded()), a.y + Int((Double(b.y - a.y) * f).rounded()))
    }
    return (first.x, first.y)
  }

  /// The time of the last step, in milliseconds.
  package var duration: Int {
    max(fingers.map { max($0.keys.last?.ms ?? 0, $0.up ?? 0) }.max() ?? 0, clicks.map(\.ms).max() ?? 0)
  }

  package var events: [EvdevEvent] {
    let end = duration
    var count = 0
    var list: [EvdevEvent] = []
    var slotOf: [Int: Int] = [:]
    var places: [Int: (x: Int, y: Int)] = [:]
    var current = 0
    for ms in stride(from: 0, through: end, by: step) {
      let time = Instant(microseconds: Int64(ms) * 1000)
      var frame: [EvdevEvent] = []
      func put(_ type: UInt16, _ code: UInt16, _ value: Int) {
        frame.append(EvdevEvent(time: time, type: type, code: code, value: Int32(value)))
      }
      func select(_ slot: Int) {
        if slot != current { put(Evdev.abs, Evdev.absMtSlot, slot) }
        current = slot
      }
      for (i, finger) in fingers.enumerated() {
        let isUp = finger.up.map { ms >= $0 } ?? false
        if let slot = slotOf[i] {
          if isUp {
            select(slot)
            put(Evdev.abs, Evdev.absMtTrackingID, -1)
            slotOf[i] = nil
          } else if let p = Self.position(finger, at: ms), let old = places[i], p != old {
            select(slot)
            if p.x != old.x { put(Evdev.abs, Evdev.absMtPositionX, p.x) }
            if p.y != old.y { put(Evdev.abs, Evdev.absMtPositionY, p.y) }
            places[i] = p
          }
        } else if !isUp, let p = Self.position(finger, at: ms), places[i] == nil {
          let slot = (0...9).first { s in !slotOf.values.contains(s) } ?? 0
          slotOf[i] = slot
          places[i] = p
          select(slot)
          put(Evdev.abs, Evdev.absMtTrackingID, i)
          put(Evdev.abs, Evdev.absMtPositionX, p.x)
          put(Evdev.abs, Evdev.absMtPositionY, p.y)
        }
      }
      if surface != .touchscreen {
        func tool(_ n: Int) -> UInt16? { TrackpadKeys.tools.first { $0.fingers == n }?.code }
        if slotOf.count != count {
          if let old = tool(count) { put(Evdev.key, old, 0) }
          if (count == 0) != slotOf.isEmpty { put(Evdev.key, Evdev.btnTouch, count == 0 ? 1 : 0) }
          count = slotOf.count
          if let new = tool(count) { put(Evdev.key, new, 1) }
        }
        for click in clicks where click.ms == ms { put(Evdev.key, Evdev.btnLeft, click.isDown ? 1 : 0) }
      }
      if !frame.isEmpty {
        put(Evdev.syn, Evdev.synReport, 0)
        list += frame
      }
    }
    return list
  }

  /// The recording as an evemu file.
  package var text: [UInt8] { EvemuWriter.text(device, events: events) }
}
