/// The progress of a transfer, in units of the reporting side: bytes for a destination, any unit for a source.
package struct TransferProgress: Equatable, Codable, Sendable {
  package var completed: UInt64
  /// The total in the same units; nil while it is not known.
  package var total: UInt64?

  package init(completed: UInt64, total: UInt64? = nil) {
    self.completed = completed
    self.total = total
  }

  /// From 0 to 1; nil while the total is not known. A client may report more than the total.
  package var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, Double(completed) / Double(total))
  }
}

/// The two 32-bit arguments of a message that carry a 64-bit number.
package struct Halves {
  package let high: UInt32
  package let low: UInt32

  package init(_ value: UInt64) {
    high = UInt32(value >> 32)
    low = UInt32(truncatingIfNeeded: value)
  }

  package static func whole(_ high: UInt32, _ low: UInt32) -> UInt64 { UInt64(high) << 32 | UInt64(low) }
}

extension TransferProgress {
  /// Decodes the arguments of a message, in which a total of 0 means none.
  package init(_ high: UInt32, _ low: UInt32, of totalHigh: UInt32, _ totalLow: UInt32) {
    let total = Halves.whole(totalHigh, totalLow)
    self.init(completed: Halves.whole(high, low), total: total == 0 ? nil : total)
  }
}
