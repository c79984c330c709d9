import CarryLoop
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Synchronization
import Testing

/// The engine's end of the wire in this process, with clients that speak by hand and a delegate that writes down.
final class Bench {
  private static let manyDescriptors = Mutex(())

  /// Runs a test that leaves many descriptors waiting. They are counted for the whole process, and so for all tests.
  static func withManyDescriptors(_ body: (Bench) throws -> Void) throws {
    try manyDescriptors.withLock { _ in try body(try Bench()) }
  }

  let server: WireServer
  let delegate = Recorder()
  let path: String

  /// A client with an item of one text, its fourth object.
  func source() throws -> RawClient {
    let source = try client()
    source.send(
      RawClient.message(3, 3, RawClient.words([4]))
        + RawClient.message(4, 3, RawClient.string("text/plain") + RawClient.words([0])))
    #expect(settle(source, sync: 5))
    return source
  }

  /// Gives a client a region, its fourth object.
  func makeRegion(_ destination: RawClient) {
    destination.send(RawClient.message(3, 2, RawClient.words([4, 7])))
    #expect(settle(destination, sync: 5))
  }

  /// Tells the first region of a session with these items, by default one of text.
  func offer(
    _ session: UInt32 = 1,
    _ items: [ItemDescription] = [ItemDescription(id: ItemID(1), types: [OfferedType(name: "text/plain")])]
  ) {
    server.send(
      .offer(items, firstIndex: 0, isLocal: false, SourceOptions(allowsMove: false)), to: delegate.regions[0],
      of: SessionID(session))
  }

  /// Whoever has sent descriptors so far.
  private var owners: Set<UInt32> = []
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder("wire")
    path = folder.path + "/carry-0"
    server = try WireServer(listener: SocketListener(path: path, isListening: false), version: "test")
    server.delegate = delegate
  }

  deinit { server.close() }

  /// Lets the loop go round until something holds; each turn ends as the daemon's do.
  ///
  /// - Parameters:
  ///   - now: when all of the turns are; nil for what the clock says.
  ///   - later: how much later than the clock says the turns are.
  func turn(at now: Instant? = nil, later: Interval = .zero, until condition: () -> Bool) -> Bool {
    let end = MonotonicClock.now() + .seconds(20)
    while !condition() {
      guard MonotonicClock.now() < end else { return false }
      server.loop.wake(at: MonotonicClock.now() + .milliseconds(5))
      server.loop.turn()
      owners.formUnion(server.descriptorOwners)
      server.advance(to: now ?? MonotonicClock.now() + later)
      server.flush()
    }
    return true
  }

  /// Whether anything that clients sent is still to be closed.
  var isClosing: Bool { owners.contains { !AsideCloser.isDone(with: $0) } }

  /// A client that has said hello, and been heard.
  func client(at now: Instant? = nil) throws -> RawClient {
    let raw = try RawClient(path)
    let before = delegate.arrived
    raw.greet()
    _ = turn(at: now) { self.delegate.arrived > before || raw.hasEnded }
    return raw
  }

  /// Whether the engine ends the connection while the loop goes round.
  func ends(_ raw: RawClient, later: Interval = .zero) -> Bool { turn(later: later) { raw.hasEnded } }

  /// Everything that the client has sent so far is worked off.
  func settle(_ raw: RawClient, sync: UInt32) -> Bool {
    raw.send(RawClient.message(1, 0, RawClient.words([sync])))
    return turn { raw.hasEnded || raw.hasReceived(sync) }
  }
}

extension RawClient {
  /// Takes in what has come, without waiting; whether the other end has closed.
  var hasEnded: Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let n = recv(socket.raw, &bytes, bytes.count, CInt(MSG_DONTWAIT))
      if n < 0 { return clinux_errno() != EAGAIN }
      if n == 0 { return true }
      received += bytes.prefix(n)
    }
  }

  /// Whether an event of an object, or one of its events, is among what has come.
  func hasReceived(_ object: UInt32, _ opcode: UInt32? = nil) -> Bool {
    _ = hasEnded
    var at = 0
    func word(_ i: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(received[i + $1]) << UInt32($1 * 8) } }
    while at + 8 <= received.count {
      if word(at) == object, opcode == nil || opcode == word(at + 4) & 0xFFFF { return true }
      at += max(8, Int(word(at + 4) >> 16))
    }
    return false
  }
}

/// A delegate that grants everything and writes down what it is asked.
final class Recorder: ClientRequests {
  var arrived = 0
  var gone: [ClientID] = []
  var behind: [ClientID] = []
  var caughtUp: [ClientID] = []
  var monitors = 0
  var detailsAreWatched = false
  /// Which program each client is, as the server says.
  var programs: [ClientID: ProgramIdentity] = [:]
  /// The items of each answer of a source.
  var answers: [[ItemDescription]] = []
  var regions: [RegionID] = []
  /// Why no region is registered.
  var refusal: RegionRefusal?
  var images = 0
  /// How many loads were asked for; the number of the newest.
  var loads: UInt32 = 0
  /// What sources and destinations said of loads.
  var transfers: [String] = []
  /// Who gets what a source hands over.
  var destination: ClientID?
  var last = ClientID(0)
  var listed: [RegionListing] = []
  /// How often regions were listed.
  private(set) var lists = 0
  func listRegions(max: Int) -> (list: [RegionListing], count: Int) {
    lists += 1
    return (Array(listed.prefix(max)), listed.count)
  }

  func clientArrived(_ client: ClientID, _ program: ProgramIdentity) {
    arrived += 1
    programs[client] = program
    last = client
  }
  /// What the bridge has said.
  private(set) var bridgeSteps: [String] = []
  func bridgeArrived() { bridgeSteps.append("arrived") }
  func beganForeignDrag(
    _ client: ClientID, from process: Int32?, isByButton: Bool, items: [ItemDescription], over window: WindowID,
    at point: Point
  ) -> SessionID? {
    let (who, how) = (process ?? -1, isByButton ? "by button" : "by itself")
    bridgeSteps.append("began \(how) with \(items.count) of \(who) at \(Int(point.x)),\(Int(point.y))")
    return items.isEmpty ? nil : SessionID(77)
  }
  func movedForeignDrag(_ session: SessionID, to point: Point) {
    bridgeSteps.append("moved to \(Int(point.x)),\(Int(point.y))")
  }
  func droppedForeignDrag(_ session: SessionID, at point: Point) {
    bridgeSteps.append("dropped at \(Int(point.x)),\(Int(point.y))")
  }
  func endedForeignDrag(_ session: SessionID) { bridgeSteps.append("ended") }
  func touchIsTaken(_ client: ClientID, serial: UInt32) { bridgeSteps.append("took \(serial)") }
  func trialIsOver(_ client: ClientID, serial: UInt32) { bridgeSteps.append("tried \(serial)") }
  func dropPlaces(of window: WindowID) -> [Rect] { [Rect(x: -1, y: 2, width: 30, height: 4_000_000_000)] }
  func otherDragChanged(_ point: Point?) {
    bridgeSteps.append(point.map { "drag at \(Int($0.x)),\(Int($0.y))" } ?? "no drag")
  }
  /// What the shelf has asked for.
  private(set) var shelfSteps: [String] = []
  var keeps: KeptPicture?
  func keep(_ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int) -> KeptPicture? {
    shelfSteps.append("keep \(item) of \(session.raw)")
    return keeps
  }
  private(set) var withdrawn: [ItemID] = []
  func withdrew(_ client: ClientID, _ item: ItemID) { withdrawn.append(item) }
  func releasedKept(_ client: ClientID, _ item: KeptItemID) { shelfSteps.append("released \(item.raw)") }
  func identityChanged(_ client: ClientID, _ program: ProgramIdentity) { programs[client] = program }
  func isBehind(_ client: ClientID) { behind.append(client) }
  func hasRead(_ client: ClientID) { caughtUp.append(client) }
  func clientGone(_ client: ClientID) { gone.append(client) }

  /// How many of the regions stand for other applications.
  private(set) var standIns = 0
  func addRegion(_ client: ClientID, window: WindowID, isStandIn: Bool) -> Result<RegionID, RegionRefusal>? {
    if let refusal { return .failure(refusal) }
    if isStandIn { standIns += 1 }
    regions.append(RegionID(UInt32(regions.count + 1)))
    return .success(regions[regions.count - 1])
  }
  func lookUp(_ window: WindowID) {}
  func updateRegion(_ region: RegionID, rect: Rect?, roles: RegionRoles?) {}
  func setEdgeZone(_ region: RegionID, _ width: Double) {}
  func setAcceptedTypes(_ region: RegionID, _ types: [String]) {}
  private(set) var labels: [RegionID: String] = [:]
  func setLabel(_ region: RegionID, _ label: String) { labels[region] = label }
  func label(of region: RegionID) -> String? { labels[region] }
  func raise(_ region: RegionID) {}
  func removeRegion(_ region: RegionID) {}

  func answered(_ client: ClientID, _ session: SessionID, serial: UInt32, items: [ItemDescription]) {
    answers.append(items)
  }
  func configured(_ client: ClientID, _ session: SessionID, serial: UInt32, _ options: SourceOptions) {}
  func keptDropOpen(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding]) {}
  func copiesInstead(_ client: ClientID, _ session: SessionID, serial: UInt32) {}
  func answeredPress(_ client: ClientID, _ region: RegionID, serial: UInt32, mayBegin: Bool) {}
  func askAgain(_ client: ClientID, _ region: RegionID) {}
  func chose(_ client: ClientID, _ region: RegionID, serial: UInt32, _ session: SessionID?) {}
  func refusedSpring(_ client: ClientID, _ region: RegionID, _ session: SessionID) {}
  func changedPreview(_ client: ClientID, _ session: SessionID, item: ItemID, _ preview: PreviewID?) {}
  func offeredPreview(_ client: ClientID, _ session: SessionID, of item: ItemID) {}
  func answeredWillCancel(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [(ItemID, ItemPreview)]) {}
  private(set) var undoTitles: [String] = []
  private(set) var quietDrops: [Bool] = []
  func offeredUndo(_ client: ClientID, _ session: SessionID, title: String) { undoTitles.append(title) }
  func setsProgressIndicator(_ client: ClientID, _ session: SessionID, _ region: RegionID, isQuiet: Bool) {
    quietDrops.append(isQuiet)
  }
  func motionTaken(_ client: ClientID, _ session: SessionID, serial: UInt32) {}
  func answeredCanHandle(_ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, yes: Bool) {}
  func proposed(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, _ proposal: Proposal
  ) {}
  func finishedPerforming(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding]) {}

  func load(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int, type: String, as form: LoadForm,
    register: (TransferID) -> Void
  ) {
    destination = client
    loads += 1
    register(TransferID(loads))
  }
  func provided(_ client: ClientID, _ transfer: TransferID) -> ClientID? {
    transfers.append("provided")
    return destination
  }
  func failed(_ client: ClientID, _ transfer: TransferID, unusable: Bool) { transfers.append("failed") }
  func progressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress) {
    transfers.append("progressed")
  }
  func ownerProgressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress) {
    transfers.append("owner progressed")
  }
  func finished(_ client: ClientID, _ transfer: TransferID, success: Bool) {
    transfers.append(success ? "delivered" : "given up")
  }

  func helperFailed(_ helper: ClientID) { transfers.append("helper failed") }

  func owns(_ client: ClientID, _ window: WindowID) -> Bool { true }
  func makeImage(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID? {
    images += 1
    return ImageID(UInt32(images))
  }
  func makeImage(pixmap: UInt32) -> (ImageID, Size)? { nil }
  func releaseImage(_ image: ImageID) {}
  func monitorsChanged(_ clients: [ClientID]) { monitors = clients.count }
  func watchDetails(_ isWatched: Bool) { detailsAreWatched = isWatched }
}
