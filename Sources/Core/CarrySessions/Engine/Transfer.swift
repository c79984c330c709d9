import CarryModel

/// One load, from the destination's request to its end.
struct Transfer {
  let id: TransferID
  let session: SessionID
  /// The owner of the item.
  let owner: ClientID
  let destination: ClientID
  let item: ItemID
  let type: String
  /// Where the item comes from, if the shelf has lent it to the session.
  let origin: ItemOrigin?
  /// Whether the owner has provided the descriptor, so that the destination is reading.
  var isProvided = false
  var deadline: Instant
  /// The owner's progress, for the destination.
  var ofOwner = PacedProgress()
  /// The destination's progress, for the owner.
  var ofDestination = PacedProgress()

  /// The size in bytes that the source has stated; nil if it has not.
  var promisedBytes: UInt64?

  /// When the next report may be forwarded.
  var nextReport: Instant? { Instant.earliest(ofOwner.due, ofDestination.due) }

  /// The total in bytes; nil while unknown. The destination's total takes precedence over the source's, and a total
  /// below the bytes received is ignored.
  var totalBytes: UInt64? {
    guard let total = ofDestination.newest?.total ?? promisedBytes else { return nil }
    return total >= ofDestination.newest?.completed ?? 0 ? total : nil
  }

  /// Progress from 0 to 1: by the destination's bytes, or before those by the owner's units; nil while unknown.
  var fraction: Double? {
    if let arrived = ofDestination.newest?.completed, arrived > 0 {
      return totalBytes.map { $0 == 0 ? 1 : min(1, Double(arrived) / Double($0)) }
    }
    return ofOwner.newest?.fraction
  }
}
