import Carry
import CarryModel
import CarrySelections
import CarryXdnd

@testable import CarryBridge

/// An X server that exists in memory: windows and their properties, one pointer, one selection. It records what the
/// bridge sends and does, and its clock stands still until a test moves it.
final class RecordingDisplay: LiftDisplay, SelectionDisplay {
  /// Something that the bridge did, in order.
  enum Deed: Equatable {
    case sent(XdndMessage, from: UInt32, to: UInt32, at: UInt32)
    /// Asked the selection's owner for this type.
    case converted(String)
    case pointed(CarryModel.Point)
    case pressed
    case released
    case shown(UInt32)
    case hidden(UInt32)
    case destroyed(UInt32)
    case cutAway(UInt32)
    case watchedOwners(UInt32)
    case watchedDestruction(UInt32)
  }

  struct Window {
    var process: Int32?
    var frame = CarryModel.Rect(x: 0, y: 0, width: 10, height: 10)
    var words: [String: [UInt32]] = [:]
    var texts: [String: [UInt8]] = [:]
    var picture: SeenPicture?
  }

  private(set) var deeds: [Deed] = []
  var windows: [UInt32: Window] = [:]
  private var atoms: [String: UInt32] = [:]
  private var lastWindow: UInt32 = 0x100000
  private var serverTime: UInt32 = 1000
  private var sequence: UInt32 = 0
  var now = Instant(microseconds: 1_000_000)
  /// The owner of the XDND selection.
  var owner: UInt32 = 0
  var hasButtonDown = true
  private(set) var place = CarryModel.Point(x: 5, y: 5)
  var windowUnderPointer: UInt32 = 0
  /// The conversions that the owner has not answered, the newest last.
  private(set) var requests: [(type: String, requestor: UInt32, property: UInt32)] = []
  private var answers: [UInt32: PropertyValue] = [:]

  /// What was done since the last call.
  func drain() -> [Deed] {
    defer { deeds = [] }
    return deeds
  }

  func pass(_ milliseconds: Int) { now = now + .milliseconds(milliseconds) }

  // MARK: The selection's owner

  /// Answers the newest request: with bytes, or with a refusal.
  func answer(_ bytes: [UInt8]?, through reader: SelectionReader) {
    guard let request = requests.popLast() else { return }
    if let bytes { answers[request.requestor] = PropertyValue(type: atom(request.type), format: 8, bytes: bytes) }
    reader.answered(
      atom("XdndSelection"), to: request.requestor, property: bytes == nil ? 0 : request.property, at: now)
  }

  // MARK: XDisplay

  func newTime(at now: Instant) -> UInt32 {
    serverTime += 1
    return serverTime
  }

  func atom(_ name: String) -> UInt32 {
    let atom = atoms[name] ?? UInt32(atoms.count + 1)
    atoms[name] = atom
    return atom
  }

  func names(of atoms: [UInt32]) -> [String] {
    atoms.compactMap { atom in self.atoms.first { $0.value == atom }?.key }
  }

  func makeWindow() -> UInt32 {
    lastWindow += 1
    windows[lastWindow] = Window()
    return lastWindow
  }

  func connection(of window: UInt32) -> UInt32 { window & ~0xFFFFF }
  func process(of window: UInt32) -> Int32? { windows[window]?.process }
  func frame(of window: UInt32) -> CarryModel.Rect? { windows[window]?.frame }
  func watchDestruction(of window: UInt32) { deeds.append(.watchedDestruction(window)) }

  func words(_ window: UInt32, _ property: String, most: Int) -> [UInt32] {
    Array((windows[window]?.words[property] ?? []).prefix(most))
  }

  func bytes(_ window: UInt32, _ property: String, most: Int) -> [UInt8]? {
    windows[window]?.texts[property].flatMap { $0.count <= most ? $0 : nil }
  }

  func setAtoms(_ atoms: [UInt32], _ property: String, of window: UInt32) { windows[window]?.words[property] = atoms }

  func setText(_ text: String, _ property: String, of window: UInt32) {
    windows[window]?.texts[property] = Array(text.utf8)
  }

  func delete(_ property: String, of window: UInt32) { windows[window]?.texts[property] = nil }

  func send(_ message: XdndMessage, from window: UInt32, to target: UInt32, at receiver: UInt32) {
    deeds.append(.sent(message, from: window, to: target, at: receiver))
  }

  // MARK: LiftDisplay

  let screen = CarryModel.Rect(x: 0, y: 0, width: 1280, height: 800)
  let scale = 1.0

  func pointer() -> CarryModel.Point? { place }

  func point(to point: CarryModel.Point) {
    place = point
    deeds.append(.pointed(point))
  }

  func pointerIs(in window: UInt32) -> Bool { window == windowUnderPointer }
  func press(_ isPress: Bool) { deeds.append(isPress ? .pressed : .released) }
  func watchOwners(for window: UInt32) { deeds.append(.watchedOwners(window)) }
  func makeDropWindow(side: Int) -> UInt32 { makeWindow() }
  func show(_ window: UInt32, around point: CarryModel.Point, side: Int) { deeds.append(.shown(window)) }
  func hide(_ window: UInt32) { deeds.append(.hidden(window)) }
  func picture(of window: UInt32, scale: Double) -> SeenPicture? { windows[window]?.picture }
  func cutAway(_ window: UInt32) { deeds.append(.cutAway(window)) }

  // MARK: SelectionDisplay

  func isThere(_ window: UInt32) -> Bool { windows[window] != nil }
  func makeRequestor() -> UInt32 { makeWindow() }

  /// A requestor's end cancels its request.
  func destroyWindow(_ window: UInt32) {
    windows[window] = nil
    requests.removeAll { $0.requestor == window }
    deeds.append(.destroyed(window))
  }

  func ownerAndSequence(of selection: UInt32) -> (owner: UInt32, sequence: UInt32) {
    sequence += 1
    return (owner, sequence)
  }

  func convert(_ selection: UInt32, to target: UInt32, into property: UInt32, of window: UInt32, time: UInt32) -> UInt32
  {
    let type = names(of: [target])[0]
    requests.append((type, window, property))
    deeds.append(.converted(type))
    sequence += 1
    return sequence
  }

  func removeProperty(_ property: UInt32, of window: UInt32, most: Int) -> PropertyValue? {
    answers.removeValue(forKey: window) ?? PropertyValue(type: 0, format: 0, bytes: [])
  }
}

extension XdndMessage {
  /// The words of an XdndEnter message with these types.
  ///
  /// - Parameter hasMore: Whether the source's window has the complete list, as it gets here if there are more than
  ///   three.
  static func enter(
    from source: UInt32, _ types: [String], _ display: RecordingDisplay, hasMore: Bool = false
  ) -> Words {
    if types.count > 3 { display.setAtoms(types.map { display.atom($0) }, "XdndTypeList", of: source) }
    let atoms = types.map { display.atom($0) } + [0, 0, 0]
    return XdndMessage.enter(version: 5, types: (atoms[0], atoms[1], atoms[2]), hasMore: hasMore || types.count > 3)
      .words(from: source)
  }
}
