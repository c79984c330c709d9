import CarryX
import CX11
package import CarryModel

/// A touchscreen as the X server knows it.
package struct TouchDevice: Equatable, Sendable {
  /// The id of the slave device, which raw events carry.
  package var id: UInt32
  package var name: String
  /// The kernel's node; nil if the driver does not report it.
  package var node: String?
  /// The range of raw positions along this axis.
  package var x: ClosedRange<Double>
  package var y: ClosedRange<Double>
  /// The "Coordinate Transformation Matrix": from the device to the screen, both as 0…1.
  package var transformation: Transform

  package init(
    id: UInt32, name: String, node: String?, x: ClosedRange<Double>, y: ClosedRange<Double>,
    transformation: Transform = .identity
  ) {
    (self.id, self.name, self.node, self.x, self.y) = (id, name, node, x, y)
    self.transformation = transformation
  }

  /// A raw position as 0…1 of the device, before the matrix.
  package func normalized(_ raw: Point) -> Point {
    func part(_ v: Double, _ range: ClosedRange<Double>) -> Double {
      let span = range.upperBound - range.lowerBound
      return span > 0 && v.isFinite ? max(0, min(1, (v - range.lowerBound) / span)) : 0
    }
    return Point(x: part(raw.x, x), y: part(raw.y, y))
  }

  /// A raw position in pixels of a screen.
  package func point(_ raw: Point, on screen: Size) -> Point {
    let p = transformation.apply(normalized(raw))
    guard p.x.isFinite, p.y.isFinite else { return Point(x: screen.width / 2, y: screen.height / 2) }
    return Point(x: p.x * screen.width, y: p.y * screen.height)
  }
}

/// The X server's touchscreens, read again whenever one is added, removed, or mapped in another way.
final class TouchDevices {
  private let server: XServer
  /// XInput's major opcode; nil if the server is older than XInput 2.2.
  private let opcode: CInt?
  private let node, matrix, float: Atom
  private var isStale = true
  private var watched: [CInt] = []
  private(set) var list: [TouchDevice] = []

  init(_ server: XServer) {
    self.server = server
    let display = server.display
    opcode = XInput(on: display)?.opcode
    node = XInternAtom(display, "Device Node", 0)
    matrix = XInternAtom(display, "Coordinate Transformation Matrix", 0)
    float = XInternAtom(display, "FLOAT", 0)
    guard opcode != nil else { return }
    XInput.select([XI_HierarchyChanged, XI_PropertyEvent], device: XIAllDevices, on: server.root, display)
    _ = refresh()
  }

  /// Selects raw events for touches that begin or buttons that go down.
  func watchPresses(touches: Bool, buttons: Bool) {
    var kinds: [CInt] = touches ? [XI_RawTouchBegin] : []
    if buttons { kinds.append(XI_RawButtonPress) }
    guard kinds != watched, opcode != nil, server.isAlive else { return }
    watched = kinds
    XInput.select(kinds, on: server.root, server.display)
  }

  func isPress(_ event: XEvent) -> Bool {
    guard event.type == GenericEvent, let opcode, event.xcookie.extension == opcode else { return false }
    return event.xcookie.evtype == XI_RawTouchBegin || event.xcookie.evtype == XI_RawButtonPress
  }

  /// Whether the event was about devices. If so, call `refresh` soon.
  func handle(_ event: XEvent) -> Bool {
    guard event.type == GenericEvent, let opcode, event.xcookie.extension == opcode,
      event.xcookie.evtype == XI_HierarchyChanged || event.xcookie.evtype == XI_PropertyEvent
    else { return false }
    isStale = true
    return true
  }

  /// Reads the list again if something has changed, which takes some round trips. Returns whether the list is
  /// different now.
  func refresh() -> Bool {
    guard isStale, opcode != nil, server.isAlive else { return false }
    isStale = false
    let new = read()
    defer { list = new }
    return new != list
  }

  private func read() -> [TouchDevice] {
    var count: CInt = 0
    guard let devices = XIQueryDevice(server.display, XIAllDevices, &count) else { return [] }
    defer { XIFreeDeviceInfo(devices) }
    var found: [TouchDevice] = []
    for i in 0..<Int(max(0, count)) where devices[i].use == XISlavePointer && devices[i].enabled != 0 {
      var isDirect = false
      var ranges: [CInt: ClosedRange<Double>] = [:]
      for c in 0..<Int(max(0, devices[i].num_classes)) {
        guard let info = devices[i].classes[c] else { continue }
        switch info.pointee.type {
        case XITouchClass:
          info.withMemoryRebound(to: XITouchClassInfo.self, capacity: 1) {
            if $0.pointee.mode == XIDirectTouch { isDirect = true }
          }
        case XIValuatorClass:
          info.withMemoryRebound(to: XIValuatorClassInfo.self, capacity: 1) {
            let (low, high) = ($0.pointee.min, $0.pointee.max)
            if low.isFinite, high.isFinite, low < high { ranges[$0.pointee.number] = low...high }
          }
        default:
          break
        }
      }
      guard isDirect else { continue }
      let id = devices[i].deviceid
      found.append(
        TouchDevice(
          id: UInt32(clamping: id), name: devices[i].name.map { String(cString: $0) } ?? "", node: text(id, node),
          x: ranges[0] ?? 0...65_535, y: ranges[1] ?? 0...65_535, transformation: Transform(floats(id, matrix))))
    }
    return found
  }

  private func property(_ device: CInt, _ name: Atom, _ body: (_ type: Atom, UnsafeRawBufferPointer) -> Void) {
    var type: Atom = 0
    var format: CInt = 0
    var (items, rest): (UInt, UInt) = (0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    guard
      XIGetProperty(
        server.display, device, name, 0, 256, 0, Atom(AnyPropertyType), &type, &format, &items, &rest, &data)
        == Success, let data
    else { return }
    defer { XFree(data) }
    // Unlike XGetWindowProperty, XIGetProperty returns 32-bit values as 32 bits each.
    body(type, UnsafeRawBufferPointer(start: data, count: Int(items) * Int(format / 8)))
  }

  private func text(_ device: CInt, _ name: Atom) -> String? {
    var found: String?
    property(device, name) { _, bytes in
      found = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return found
  }

  private func floats(_ device: CInt, _ name: Atom) -> [Double] {
    var found: [Double] = []
    property(device, name) { type, bytes in
      guard type == float else { return }
      for i in 0..<(bytes.count / 4) {
        found.append(Double(bytes.loadUnaligned(fromByteOffset: i * 4, as: Float.self)))
      }
    }
    return found.allSatisfy(\.isFinite) ? found : []
  }
}
