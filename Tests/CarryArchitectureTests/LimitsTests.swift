import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// `docs/limits.md` says what the code says.
@Suite struct LimitsTests {
  private typealias L = Limits

  private static let limits: [String: Int] = [
    "incomingBytes": L.incomingBytes, "incomingBytesPerConversion": L.incomingBytesPerConversion,
    "incomingBytesKept": L.incomingBytesKept, "incomingAddressBytes": L.incomingAddressBytes,
    "foreignLiftBytes": L.foreignLiftBytes, "outgoingBytes": L.outgoingBytes,
    "outgoingTransfers": L.outgoingTransfers, "offeredBytes": L.offeredBytes,
    "offeredBytesKept": L.offeredBytesKept, "offeredAddressBytes": L.offeredAddressBytes,
    "unreadBytesPerWindow": L.unreadBytesPerWindow, "unreadProperties": L.unreadProperties,
    "pictureBytes": L.pictureBytes, "pictureBytesPerClient": L.pictureBytesPerClient, "heldBytes": L.heldBytes,
    "heldBytesPerProcess": L.heldBytesPerProcess, "queuedBytes": L.queuedBytes, "clients": L.clients,
    "regions": L.regions, "outboxBytes": L.outboxBytes, "reservedBytes": L.reservedBytes,
    "blockingThreads": L.blockingThreads, "blockingThreadsPerMount": L.blockingThreadsPerMount,
    "writersPerDrop": L.writersPerDrop, "slowWritersPerDrop": L.slowWritersPerDrop, "offeredLoads": L.offeredLoads,
    "folderCopies": L.folderCopies, "abandonedReaders": L.abandonedReaders, "closingThreads": L.closingThreads,
    "stuckProgramReadings": L.stuckProgramReadings, "reservedDescriptors": L.reservedDescriptors,
    "waitingDescriptorsPerClient": L.waitingDescriptorsPerClient, "waitingDescriptors": L.waitingDescriptors,
    "queuedDescriptors": L.queuedDescriptors, "closingFiles": L.closingFiles,
    "outboxDescriptors": L.outboxDescriptors, "fewOutboxDescriptors": L.fewOutboxDescriptors,
  ]

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(Checkout.root + path, limit: 1 << 20), as: UTF8.self)
  }

  @Test func thePageNamesEachLimit() throws {
    var listed: [String: Int] = [:]
    for line in try Self.text("/docs/limits.md").split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      let name = String(cells[0].dropFirst().prefix { $0 != "`" })
      let words = cells[1].split(separator: " ")
      let unit = words.count == 1 ? 0 : ["KiB": 10, "MiB": 20][String(words[1])]
      listed[name] = try #require(Int(words[0]), "\(line)") << (try #require(unit, "\(line)"))
    }
    #expect(listed == Self.limits)
  }

  /// What bounds memory, threads or descriptors is in the table, not beside the code that uses it.
  @Test func theTableHasEachResource() throws {
    let declarations = try Self.text("/Sources/Core/CarryModel/Values/ResourceLimits.swift").split(separator: "\n")
      .filter { $0.hasPrefix("  package static let ") }.map { String($0.split(separator: " ")[3]) }
    #expect(declarations.count > 20)
    for name in declarations { #expect(Self.limits[name] != nil, "\(name) is not in docs/limits.md") }
  }
}
