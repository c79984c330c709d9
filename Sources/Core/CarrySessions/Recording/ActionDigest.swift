import CarryModel

/// What an input led to, in a few characters: a session recording keeps the digest, and a replay compares it.
package enum ActionDigest {
  /// The number of actions and a hash of them; nil if there are none. What monitors are told does not count, so that a
  /// replay may have a monitor that the recorded engine did not have.
  package static func text(_ actions: ArraySlice<SessionAction>) -> String? {
    var count = 0
    // FNV-1a.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for action in actions {
      if case .monitor = action { continue }
      count += 1
      for byte in description(of: action).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return count == 0 ? nil : "\(count) \(String(hash, radix: 16))"
  }

  /// All parts of a value, the same in every process: a dictionary's order is not, so its entries are sorted.
  static func description(of value: Any) -> String {
    // A recording has no text of references.
    if let reference = value as? FileReference { return "\(reference.helper)" }
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return "\(value)" }
    var parts = mirror.children.map { ($0.label.map { $0 + ":" } ?? "") + description(of: $0.value) }
    if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { parts.sort() }
    return "(" + parts.joined(separator: ",") + ")"
  }
}
