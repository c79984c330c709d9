/// A key with the modifiers that are held with it, such as `Super+Shift+d`.
package struct KeyChord: Equatable, Codable, Sendable {
  package struct Modifiers: OptionSet, Equatable, Codable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let control = Modifiers(rawValue: 2)
    package static let alt = Modifiers(rawValue: 4)
    package static let `super` = Modifiers(rawValue: 8)
  }

  private static let names: [(String, Modifiers)] = [
    ("Ctrl", .control), ("Alt", .alt), ("Super", .super), ("Shift", .shift),
  ]

  package var modifiers: Modifiers
  /// The key's X name: `d`, `F9`, `Return`.
  package var key: String

  /// Nil for an unknown modifier, or for a key that every application needs.
  package init?(_ text: String) {
    var parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    guard let last = parts.popLast(), !last.isEmpty, last.utf8.count <= 32,
      last.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 })
    else { return nil }
    var held: Modifiers = []
    for part in parts {
      guard let found = Self.names.first(where: { $0.0 == part }), !held.contains(found.1) else { return nil }
      held.insert(found.1)
    }
    // Grabbing a key that people type or navigate with (a letter, Tab, the space bar) would take it from every
    // application.
    let isSpare =
      last.hasPrefix("XF86") || last.first == "F" && last.count > 1 && last.dropFirst().allSatisfy(\.isNumber)
    guard isSpare || !held.isDisjoint(with: [.control, .alt, .super]) else { return nil }
    modifiers = held
    key = last
  }

  package var text: String {
    (Self.names.filter { modifiers.contains($0.1) }.map(\.0) + [key]).joined(separator: "+")
  }
}

/// The commands of a drag by keyboard (Z14).
package enum KeyStep: Equatable, Sendable {
  case pickUp
  case next
  case previous
  /// Picks up, and drops.
  case confirm
}
