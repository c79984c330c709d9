package import CarryModel

/// An XDND message, versions 3 to 5: https://www.freedesktop.org/wiki/Specifications/XDND/
///
/// Atoms, windows and timestamps are the X server's numbers.
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

  /// The five 32-bit values of a message.
  package struct Words: Equatable, Sendable {
    package var w0, w1, w2, w3, w4: UInt32

    package init(_ w0: UInt32, _ w1: UInt32 = 0, _ w2: UInt32 = 0, _ w3: UInt32 = 0, _ w4: UInt32 = 0) {
      (self.w0, self.w1, self.w2, self.w3, self.w4) = (w0, w1, w2, w3, w4)
    }
  }

  /// The supported versions. Older ones have no timestamps, and all current toolkits ignore them.
  package static let versions: ClosedRange<UInt32> = 3...5

  /// - Parameters:
  ///   - types: The first three types; 0 for none.
  ///   - hasMore: Whether the source's window has the complete list of types.
  case enter(version: UInt32, types: (UInt32, UInt32, UInt32), hasMore: Bool)
  /// - Parameter point: In pixels of the screen; signed 16-bit coordinates.
  case position(Point, time: UInt32, action: UInt32)
  case status(accepts: Bool, action: UInt32)
  case leave
  case drop(time: UInt32)
  /// - Parameters:
  ///   - accepted: Whether the target accepted the drop; meaningless before version 5.
  ///   - action: The action performed.
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

  /// Encodes the message.
  ///
  /// - Parameter sender: The sending window: the source's, or the target's.
  package func words(from sender: UInt32) -> Words {
    switch self {
    case .enter(let version, let types, let hasMore):
      Words(sender, version << 24 | (hasMore ? 1 : 0), types.0, types.1, types.2)
    case .position(let point, let time, let action): Words(sender, 0, Self.packed(point), time, action)
    // Bit 1: send more positions within the rectangle, which is empty.
    case .status(let accepts, let action): Words(sender, (accepts ? 1 : 0) | 2, 0, 0, accepts ? action : 0)
    case .leave: Words(sender)
    case .drop(let time): Words(sender, 0, time)
    case .finished(let accepted, let action): Words(sender, accepted ? 1 : 0, accepted ? action : 0)
    }
  }

  /// Decodes a message. Any values are valid.
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

  /// Packs two coordinates into one word. Chromium reads them as unsigned, so they are clamped to the screen's upper
  /// left corner.
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
