import CarryModel

/// The texts of the window for slow transfers.
package enum PanelText {
  /// What is being transferred: one item's name, or the number of items.
  static func title(_ status: TransferStatus) -> String {
    guard status.itemCount == 1 else { return "\(status.itemCount) items" }
    let name = SafeText.displayable(status.itemName)
    return name.isEmpty ? "1 item" : name
  }

  /// Bytes, rate and time left, as far as they are known.
  static func detail(_ status: TransferStatus, _ rate: TransferRate, waitsFor source: String) -> String {
    var parts: [String] = []
    if let bytes = status.bytes, bytes > 0 {
      parts.append(status.totalBytes.map { amount(bytes, of: $0) } ?? amount(bytes))
      if let rate = rate.bytesPerSecond { parts.append(amount(UInt64(min(rate, 1e18))) + "/s") }
      if let seconds = rate.secondsLeft(of: status.totalBytes) { parts.append(timeLeft(seconds)) }
    } else if let fraction = status.fraction {
      parts.append("\(Int(fraction * 100)) %")
      parts.append("\(source) prepares it")
    } else {
      parts.append("Waiting for \(source)")
    }
    return parts.joined(separator: " · ")
  }

  /// Bytes in decimal units, with one digit after the point below ten.
  package static func amount(_ bytes: UInt64) -> String {
    let (unit, name) = unit(for: bytes)
    return number(bytes, in: unit) + " " + name
  }

  private static func amount(_ bytes: UInt64, of total: UInt64) -> String {
    let (unit, name) = unit(for: max(bytes, total))
    return "\(number(bytes, in: unit)) of \(number(total, in: unit)) \(name)"
  }

  private static func unit(for bytes: UInt64) -> (UInt64, String) {
    let units: [(UInt64, String)] = [
      (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB"),
    ]
    return units.first { bytes >= $0.0 } ?? (1, "bytes")
  }

  private static func number(_ bytes: UInt64, in unit: UInt64) -> String {
    let tenths = bytes / unit * 10 + bytes % unit * 10 / unit
    return unit == 1 || tenths >= 100 ? "\(bytes / unit)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Coarse, because the estimate is.
  static func timeLeft(_ seconds: Double) -> String {
    switch seconds {
    case ..<10: "a few seconds left"
    case ..<55: "about \(Int(seconds / 5 + 1) * 5) s left"
    case ..<3570: "about \(Int((seconds / 60).rounded(.up))) min left"
    case ..<360_000: "about \(Int((seconds / 3600).rounded())) h left"
    default: "days left"
    }
  }

  /// A failure as a sentence of its own.
  static func failure(_ why: LoadFailure) -> String {
    let sentence = why.sentence
    return sentence.prefix(1).uppercased() + sentence.dropFirst()
  }
}
