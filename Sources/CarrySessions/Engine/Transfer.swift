import CarryModel

/// One load, from the destination's request to its end.
struct Transfer {
  let id: TransferID
  let session: SessionID
  /// The owner of the item.
  let owner: ClientID
  let destination: ClientID
  let item: ItemID
  /// Z15: where the item comes from, if the shelf has lent it to the session.
  let origin: ItemOrigin?
  /// The owner handed over the descriptor; the destination reads.
  var isProvided = false
  var deadline: Instant
  /// How far the owner is, for the destination.
  var ofOwner = PacedProgress()
  /// How far the destination is, for the owner.
  var ofDestination = PacedProgress()

  /// How many bytes the source has promised for it; nil where it did not say.
  var promisedBytes: UInt64?

  /// When a report may be passed on.
  var nextReport: Instant? { Instant.earliest(ofOwner.due, ofDestination.due) }

  /// R5: the bytes of the whole; nil while nobody knows. What the destination says counts more than what the source
  /// promised, and less than what has come is no total.
  var totalBytes: UInt64? {
    guard let total = ofDestination.newest?.total ?? promisedBytes else { return nil }
    return total >= ofDestination.newest?.completed ?? 0 ? total : nil
  }

  /// R5: from 0 to 1: the destination's bytes, or before those the owner's units; nil while nobody knows.
  var fraction: Double? {
    if let arrived = ofDestination.newest?.completed, arrived > 0 {
      return totalBytes.map { $0 == 0 ? 1 : min(1, Double(arrived) / Double($0)) }
    }
    return ofOwner.newest?.fraction
  }
}
