package import CarryModel

/// A message of XDND, versions 3 to 5: https://www.freedesktop.org/wiki/Specifications/XDND/
///
/// Atoms, windows and times are the X server's numbers.
package enum XdndMessage: Equatable, Sendable {
  /// The kinds of messages; the raw value is the name of the message's atom.
  package enum Kind: String, CaseIterable, Sendable {
    case enter = "XdndEnter"
    case position = "XdndPosition"
    case status = "XdndStatus"
    case leave = "XdndLeave"
    case drop = "XdndDrop"
    case finished = "XdndFinished"
  }

  /// The five numbers that a message carries.
  package struct Words: Equatable, Sendable {
    package var w0, w1, w2, w3, w4: UInt32

    package init(_ w0: UInt32, _ w1: UInt32 = 0, _ w2: UInt32 = 0, _ w3: UInt32 = 0, _ w4: UInt32 = 0) {
      (self.w0, self.w1, self.w2, self.w3, self.w4) = (w0, w1, w2, w3, w4)
    }
  }

  /// The versions that Carry speaks. Older ones have no time stamps, and every toolkit of today ignores them.
  package static let versions: ClosedRange<UInt32> = 3...5

  /// - Parameters:
  ///   - types: the first three types, 0 for none.
  ///   - hasMore: whether the source's window has the whole list of types.
  case enter(version: UInt32, types: (UInt32, UInt32, UInt32), hasMore: Bool)
  /// - Parameter point: pixels of the screen, of 16 bits with a sign each.
  case position(Point, time: UInt32, action: UInt32)
  case status(accepts: Bool, action: UInt32)
  case leave
  case drop(time: UInt32)
  /// - Parameters:
  ///   - accepted: whether the target took the drop; nil before version 5, which is the first to say so.
  ///   - action: what it did.
  case finished(accepted: Bool, action: UInt32)

  package var kind: Kind {
    switch self {
    case .enter: .enter
    case .position: .position
    case .status: .status
    case .leave: .leave
    case .drop: .drop
    case .finished: .finished
    }
  }

  /// The numbers of the message.
  ///
  /// - Parameter sender: the window that speaks: the source's, or the target's.
  package func words(from sender: UInt32) -> Words {
    switch self {
    case .enter(let version, let types, let hasMore):
      Words(sender, version << 24 | (hasMore ? 1 : 0), types.0, types.1, types.2)
    case .position(let point, let time, let action): Words(sender, 0, Self.packed(point), time, action)
    // Bit 1: more positions are welcome within the rectangle, which is empty.
    case .status(let accepts, let action): Words(sender, (accepts ? 1 : 0) | 2, 0, 0, accepts ? action : 0)
    case .leave: Words(sender)
    case .drop(let time): Words(sender, 0, time)
    case .finished(let accepted, let action): Words(sender, accepted ? 1 : 0, accepted ? action : 0)
    }
  }

  /// Reads a message; whatever the numbers are, there is one.
  package init(_ kind: Kind, _ words: Words) {
    switch kind {
    case .enter:
      self = .enter(version: words.w1 >> 24, types: (words.w2, words.w3, words.w4), hasMore: words.w1 & 1 != 0)
    case .position: self = .position(Self.unpacked(words.w2), time: words.w3, action: words.w4)
    case .status: self = .status(accepts: words.w1 & 1 != 0, action: words.w4)
    case .leave: self = .leave
    case .drop: self = .drop(time: words.w2)
    case .finished: self = .finished(accepted: words.w1 & 1 != 0, action: words.w2)
    }
  }

  /// Two coordinates in one number. Chromium takes them for unsigned, so nothing is said of places beyond the upper left
  /// corner of the screen.
  static func packed(_ point: Point) -> UInt32 {
    func clamped(_ v: Double) -> UInt32 { v.isFinite ? UInt32(max(0, min(32767, v))) : 0 }
    return clamped(point.x) << 16 | clamped(point.y)
  }

  static func unpacked(_ word: UInt32) -> Point {
    Point(
      x: Double(Int16(truncatingIfNeeded: word >> 16)), y: Double(Int16(truncatingIfNeeded: word & 0xFFFF)))
  }

  package static func == (a: XdndMessage, b: XdndMessage) -> Bool {
    a.kind == b.kind && a.words(from: 0) == b.words(from: 0)
  }
}
