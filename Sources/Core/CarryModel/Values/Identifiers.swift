// Code on the path of every motion compares `raw`: Swift does not inline `==` of `package` types in other modules.

/// A number that stands for something. In a session recording it is written as the number alone.
package protocol Identifier: Hashable, Codable {
  var raw: UInt32 { get }
  init(_ raw: UInt32)
}

extension Identifier {
  package init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(UInt32.self)) }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

/// A finger for as long as it touches. Unlike a kernel tracking id, the number is never reused while the program
/// runs.
package struct ContactID: Identifier, Comparable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
  package static func < (a: ContactID, b: ContactID) -> Bool { a.raw < b.raw }
}

/// An input device, or a recording that replaces one. Numbers count up from 1.
package struct DeviceID: Hashable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
  /// The device of a finger whose device is unknown.
  package static let unknown = DeviceID(0)
}

/// A connected application.
package struct ClientID: Identifier, Comparable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
  package static func < (a: ClientID, b: ClientID) -> Bool { a.raw < b.raw }
}

/// One drag, from lift to end. Numbers count up from 1.
package struct SessionID: Identifier, Comparable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
  package static func < (a: SessionID, b: SessionID) -> Bool { a.raw < b.raw }
}

/// A rectangle of an X window that a client registered with one or more interactions.
package struct RegionID: Identifier, Comparable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
  package static func < (a: RegionID, b: RegionID) -> Bool { a.raw < b.raw }
}

/// A drag item of a client.
package struct ItemID: Identifier, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// An item that the shelf keeps. Numbers count up from 1.
package struct KeptItemID: Identifier, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// One load of one representation, from request to delivery.
package struct TransferID: Identifier, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// An X window.
package struct WindowID: Identifier, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// A picture with its place, as described by an application.
package struct PreviewID: Identifier, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// A snapshot held by the display: the picture of an item.
package struct ImageID: Hashable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// Allocates numbers from 1 up.
package struct IdentifierSource: Sendable {
  private var last: UInt32 = 0
  package init() {}
  package init(after last: UInt32) { self.last = last }
  package mutating func next() -> UInt32 {
    last = last == .max ? 1 : last + 1
    return last
  }
}
