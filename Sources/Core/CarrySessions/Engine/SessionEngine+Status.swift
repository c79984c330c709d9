package import CarryModel

/// The state of drops, for the window that shows slow transfers.
extension SessionEngine {
  /// Where a session was dropped, in screen pixels.
  package func place(ofDrop id: SessionID) -> Point? { sessions.find(id).flatMap { $0.drop == nil ? nil : $0.point } }

  /// The progress of the loads of a drop; nil if none is under way.
  package func transferStatus(of id: SessionID) -> TransferStatus? {
    guard let session = sessions.find(id), let drop = session.drop, transfers.contains(where: { $0.session == id })
    else {
      return nil
    }
    var status = TransferStatus(
      itemCount: session.items.count, itemName: session.items.first?.name ?? "", source: session.client,
      destination: drop.client)
    status.isQuiet = drop.isQuiet
    var bytes: UInt64? = drop.bytesOver
    var total: UInt64? = drop.bytesOver
    var fractions: Double? = Double(drop.loadsOver)
    var loads = drop.loadsOver
    var hasBytes = drop.loadsOver > 0
    for transfer in transfers where transfer.session == id {
      loads += 1
      hasBytes = hasBytes || transfer.ofDestination.newest != nil
      let arrived = transfer.ofDestination.newest?.completed ?? 0
      bytes = Self.sum(bytes, arrived)
      total = Self.sum(total, transfer.totalBytes)
      fractions = fractions.flatMap { sum in transfer.fraction.map { sum + $0 } }
    }
    status.bytes = hasBytes ? bytes : nil
    status.totalBytes = total
    if let total, total > 0, let bytes, bytes > 0 {
      status.fraction = min(1, Double(bytes) / Double(total))
    } else if let fractions, loads > 0 {
      status.fraction = fractions / Double(loads)
    }
    return status
  }

  private static func sum(_ a: UInt64?, _ b: UInt64?) -> UInt64? {
    guard let a, let b else { return nil }
    let (sum, isTooMuch) = a.addingReportingOverflow(b)
    return isTooMuch ? nil : sum
  }

  /// The destination shows the progress of a drop itself, or leaves that to the engine.
  package mutating func setsProgressIndicator(
    isQuiet: Bool, by client: ClientID, _ id: SessionID, region: RegionID
  ) {
    guard let session = sessions.find(id), let drop = session.drop, drop.client == client, drop.region == region,
      drop.mayLoad
    else { return }
    session.drop?.isQuiet = isQuiet
  }

  /// The user cancels a drop's loads: all of them fail as cancelled, and no more may begin.
  package mutating func cancelLoads(of id: SessionID, at now: Instant, into actions: inout [SessionAction]) {
    guard let session = sessions.find(id), session.drop != nil else { return }
    session.drop?.cancelLoads()
    endTransfers(.cancelled, at: now, into: &actions) { $0.session == id }
  }
}
