import CLinux
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// The clipboard of the X display: what the user copies and pastes, in this and in all other applications.
///
/// The same item providers serve a drag, a drop and the clipboard. What is copied is a promise: its data is made when
/// another application pastes it. The clipboard needs no engine.
///
/// ```swift
/// try client.pasteboard.setItemProviders([ItemProvider(text: "Hello")])   // Copy
/// try region.paste()                                                      // Paste: calls `onPaste`
/// ```
///
/// All calls come from the client's thread.
public final class Pasteboard {
  private unowned let client: Client
  /// The connection to the X server, made when it is needed first.
  private var connection: PasteboardConnection?
  /// What this application has copied last, for as long as it is what the clipboard holds.
  private var copied: Copied?
  /// What was copied before, and is still waited for by who asked for it then.
  private var former: [OfferedData] = []
  /// Files that were made for what was copied before. Others may still read those.
  private var formerFiles: [(file: OpenedFile, until: Instant)] = [] {
    didSet { connection?.turnsAt = formerFiles.first?.until }
  }
  /// What is known of the clipboard while its types are asked for.
  private var reading: [PasteboardReading] = []
  /// Called when another application has copied something, and the clipboard is not this application's any more.
  public var onReplaced: (() -> Void)?

  /// Whether the client goes: completions that are called then may copy, and nobody would answer.
  private var isClosed = false

  private static let mostFormer = 8
  private static let filesStay = Interval.seconds(600)
  private static let mostReadings = 16

  private struct Copied {
    var providers: [ItemProvider]
    var data: OfferedData
  }

  init(_ client: Client) { self.client = client }

  /// The X display's name, such as `:0`; nil for that of the environment. Set it before the first use.
  public var displayName: String?

  /// Puts items on the clipboard, in the place of what is there: Copy. Without items a clipboard of this application's becomes
  /// empty, and another's stays as it is.
  ///
  /// Other applications find the representations that every application may see; files and folders are addresses to them.
  /// The providers' handlers are called when somebody pastes, and may be called any number of times; also after the next
  /// copy, for who has asked before it. What they have made is kept for others who paste, up to 64 MiB, until the next copy.
  ///
  /// - Parameter providers: at most 64.
  /// - Throws: `ClientError` when the X display cannot be reached, or there are more items.
  public func setItemProviders(_ providers: [ItemProvider]) throws(ClientError) {
    guard providers.count <= Limits.itemsPerSession else {
      throw ClientError("a clipboard has at most \(Limits.itemsPerSession) items, not \(providers.count)")
    }
    let connection = try connect()
    letGo()
    guard !providers.isEmpty else { return connection.disown() }
    for provider in providers { provider.loadingClient = client }
    let data = OfferedData(providers.map { DragItem(itemProvider: $0) }, mostRequests: nil, isCopied: true)
    var isOwned = connection.own()
    // One that turned out to be of no use has another in its place.
    if connection.isLost { isOwned = try connect().own() }
    guard isOwned else { throw ClientError("another application keeps the clipboard") }
    copied = Copied(providers: providers, data: data)
  }

  /// Whether this application has copied what the clipboard holds.
  public var isOwn: Bool { copied != nil }

  /// Finds what the clipboard holds: Paste.
  ///
  /// Several files are an item each; everything else is one item with all its types. The providers can be loaded from
  /// at once and later, for as long as the clipboard holds the same; once something else is copied, their loads fail. Whoever
  /// has copied it may be slow, or may not answer: then there are no items.
  ///
  /// - Parameter completion: called once, on the client's thread, after this has returned; no items when there is nothing,
  ///   or nothing that is known. Not called when the client is closed before, unless the client has an executor: then
  ///   `close()` calls it, without items, so that no task waits for ever.
  /// - Throws: `ClientError` when the X display cannot be reached.
  public func loadItemProviders(_ completion: @escaping ([ItemProvider]) -> Void) throws(ClientError) {
    let connection = try connect()
    // Another application may have copied, and this one not have heard of it.
    if let copied, connection.isOwner { return later(completion, copied.providers) }
    // An owner may answer a little at a time, for an hour, and another application may have copied since.
    if reading.count >= Self.mostReadings, let oldest = reading.first { oldest.fail() }
    let next = PasteboardReading(connection, client)
    reading.append(next)
    next.start { [weak self, unowned next] providers in
      self?.reading.removeAll { $0 === next }
      self?.later(completion, providers)
    }
    connection.settle()
  }

  /// Never from within the call that asks.
  private func later(_ completion: @escaping ([ItemProvider]) -> Void, _ providers: [ItemProvider]) {
    let answer = OnClientThread((completion, providers))
    client.transfers.completions.add { answer.value.0(answer.value.1) }
  }

  /// Leaves the items to the clipboard manager, where one runs, so that they are there when this application has ended.
  /// `Client.close()` calls it.
  ///
  /// - Parameter seconds: how long to wait at most.
  /// - Returns: whether the manager has taken them.
  @discardableResult
  public func leaveToManager(seconds: Double = 2) -> Bool {
    guard let copied, let connection, connection.beginLeaving(copied.data.offer.types) else { return false }
    let deadline = MonotonicClock.now() + .seconds(max(0, seconds))
    while connection.isLeaving, deadline > MonotonicClock.now(), wait(for: connection, until: deadline) {}
    connection.endLeaving()
    return connection.hasLeft
  }

  // MARK: Inside

  /// Opens the connection, unless it is open.
  func connect() throws(ClientError) -> PasteboardConnection {
    if let connection {
      if !connection.isLost { return connection }
      end(connection)
    }
    guard !isClosed, !client.isClosed else { throw ClientError("the client is closed, and has no clipboard any more") }
    let connection = try PasteboardConnection(displayName)
    connection.onRequest = { [unowned self] in serve($0) }
    connection.onReplaced = { [unowned self] in replaced() }
    self.connection = connection
    connection.turnsAt = formerFiles.first?.until
    for fd in connection.descriptors { client.listen(to: fd) }
    return connection
  }

  /// The connection is lost, or is needed no longer: what came over it, and is still waited for, does not come.
  private func end(_ connection: PasteboardConnection) {
    guard self.connection === connection else { return }
    self.connection = nil
    // Whoever keeps what was pasted keeps the descriptors, too.
    for fd in connection.descriptors { client.endListening(to: fd) }
    letGo()
    endFormer(most: 0)
    for next in reading { next.fail() }
    connection.end()
  }

  /// Handles what has come from the X server.
  func turn() {
    let now = MonotonicClock.now()
    formerFiles.removeAll { $0.until <= now }
    guard let connection else { return }
    connection.turn()
    if connection.isLost { end(connection) }
  }

  /// Waits for the X server and for the loads of what was copied; nothing else of the client's is handled.
  ///
  /// - Returns: false when nothing came until the deadline.
  private func wait(for connection: PasteboardConnection, until deadline: Instant) -> Bool {
    var fds = (connection.descriptors + client.transfers.descriptors).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let left = max(0, (deadline - MonotonicClock.now()).microseconds / 1000 + 1)
    let isReady = poll(&fds, nfds_t(fds.count), CInt(clamping: left)) > 0
    client.transfers.turn()
    connection.turn()
    return isReady
  }

  /// The client is going.
  func close() {
    leaveToManager()
    isClosed = true
    if let connection { end(connection) }
  }

  private func replaced() {
    guard copied != nil else { return }
    letGo()
    onReplaced?()
  }

  private func letGo() {
    guard let copied else { return }
    self.copied = nil
    former.append(copied.data)
    copied.data.onWork = { [weak self] in self?.endFormer(most: Self.mostFormer) }
    endFormer(most: Self.mostFormer)
  }

  /// Ends what was copied before and is waited for no longer, and the oldest of more than `most`.
  private func endFormer(most: Int) {
    let until = MonotonicClock.now() + Self.filesStay
    while let over = former.firstIndex(where: { !$0.isAwaited }) ?? (former.count > most ? 0 : nil) {
      let data = former.remove(at: over)
      formerFiles += data.files.map { ($0, until) }
      data.end()
    }
  }

  private func serve(_ request: SelectionServer.Request) {
    guard let connection else { return }
    // Some programs wait for each answer for ever, also while something else is being copied.
    guard let copied, let type = connection.name(of: request.target) else { return connection.server.refuse(request) }
    switch type {
    case "TARGETS": connection.answerTypes(copied.data.offer.types, to: request)
    case "TIMESTAMP": connection.answerTime(to: request)
    case "SAVE_TARGETS": connection.server.answer(request, [], at: MonotonicClock.now())
    default:
      guard let program = connection.beginAnswer(request) else { return connection.server.refuse(request) }
      copied.data.convert(type) { [weak connection] in connection?.answer(request, of: program, $0) }
    }
  }
}

extension Client {
  /// The clipboard of the X display. It needs no engine.
  public var pasteboard: Pasteboard {
    if let ownPasteboard { return ownPasteboard }
    let pasteboard = Pasteboard(self)
    ownPasteboard = pasteboard
    return pasteboard
  }
}
