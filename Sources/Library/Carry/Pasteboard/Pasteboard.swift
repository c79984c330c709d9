import CLinux
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// The clipboard of the X display, which the user copies to and pastes from, in this and in all other applications.
///
/// The same item providers serve a drag, a drop and the clipboard. Copied items are promises: their data is produced
/// when another application pastes it. The clipboard needs no engine.
///
/// ```swift
/// try client.pasteboard.setItemProviders([ItemProvider(text: "Hello")])   // Copy
/// try region.paste()                                                      // Paste: calls `onPaste`
/// ```
///
/// All calls come from the client's thread.
public final class Pasteboard {
  private unowned let client: Client
  /// The connection to the X server, opened on first use.
  private var connection: PasteboardConnection?
  /// The last copy of this application, while it is the clipboard's content.
  private var copied: Copied?
  /// Earlier copies with pending requests.
  private var former: [OfferedData] = []
  /// Files created for earlier copies. Other programs may still read them.
  private var formerFiles: [(file: OpenedFile, until: Instant)] = [] {
    didSet { connection?.turnsAt = formerFiles.first?.until }
  }
  /// The running queries of the clipboard's content.
  private var reading: [PasteboardReading] = []
  /// Called when the clipboard no longer belongs to this application: another one has copied something, or the X server
  /// is gone.
  public var onReplaced: (() -> Void)?

  /// Whether the client is closing: completions called then may copy, and no requests would be answered.
  private var isClosed = false

  private static let maxFormer = 8
  private static let filesStay = Interval.seconds(600)
  private static let maxReadings = 16

  private struct Copied {
    enum Server {
      /// The application's thread, which calls the providers' handlers.
      case here(OfferedData)
      /// `CopyThread`; the window that owns the clipboard.
      case thread(window: UInt32)
    }

    var providers: [ItemProvider]
    var server: Server
  }

  /// Serves copies whose data is there already.
  private var thread: CopyThread?
  /// Whether this is the pasteboard of such a thread.
  var isOfThread = false

  init(_ client: Client) { self.client = client }

  /// The X display's name, such as `:0`; nil for the one in the environment. Set it before the first use.
  public var displayName: String?

  /// Copies items to the clipboard, replacing its content.
  ///
  /// Without items, the clipboard becomes empty if it belongs to this application; otherwise it is unchanged. Other
  /// applications find the representations that every application may see; files and folders are offered as
  /// addresses. The providers' handlers are called when an application pastes, and may be called any number of times;
  /// also after the next copy, for earlier requests. Their results are kept for further pastes, up to 64 MiB, until
  /// the next copy.
  ///
  /// Texts, bytes and existing files are served from a thread of the library. Handlers run on the client's thread: a
  /// toolkit that waits for the clipboard without returning to its loop, such as Qt, cannot paste their data in this
  /// same application.
  ///
  /// - Parameter providers: at most 128.
  /// - Throws: `ClientError` if the X display cannot be reached, or there are more items.
  public func setItemProviders(_ providers: [ItemProvider]) throws(ClientError) {
    guard providers.count <= Limits.itemsPerSession else {
      throw ClientError("a clipboard has at most \(Limits.itemsPerSession) items, not \(providers.count)")
    }
    let connection = try connect()
    disown()
    guard !providers.isEmpty else {
      thread?.disown()
      return connection.disown()
    }
    for provider in providers { provider.loadingClient = client }
    let ready = providers.compactMap(\.ready)
    if ready.count == providers.count, let thread = startedThread() {
      copied = Copied(providers: providers, server: .thread(window: try thread.copy(ready)))
      return
    }
    let data = OfferedData(providers.map { DragItem(itemProvider: $0) }, maxRequests: nil, isCopied: true)
    var isOwned = connection.own()
    // An unusable connection is replaced.
    if connection.isLost { isOwned = try connect().own() }
    guard isOwned else { throw ClientError("another application keeps the clipboard") }
    copied = Copied(providers: providers, server: .here(data))
  }

  /// Nil if no thread can be started.
  private func startedThread() -> CopyThread? {
    if let thread, thread.isOfThisProcess { return thread }
    guard !isOfThread else { return nil }
    let tell = OnClientThread { [weak self] in self?.threadReplaced() }
    let completions = client.transfers.completions
    thread = try? CopyThread(client.name, displayName: displayName) { completions.add { tell.value() } }
    return thread
  }

  private func threadReplaced() {
    // The thread also loses the clipboard to the next copy of this application.
    guard case .thread(let window)? = copied?.server, connection?.owner != window else { return }
    replaced()
  }

  /// Whether the clipboard's content was copied by this application.
  public var isOwn: Bool { copied != nil }

  /// Reads the clipboard's content, to paste it.
  ///
  /// Several files are an item each; everything else is one item with all its types. The providers can be loaded from
  /// at once and later, while the clipboard's content is the same; once something else is copied, their loads fail.
  /// The application that has copied it may be slow, or may not answer: then there are no items.
  ///
  /// - Parameter completion: called once, on the client's thread, after this has returned; no items if the clipboard
  ///   is empty, or has no known types. Not called if the client is closed before, unless the client has an executor:
  ///   then `close()` calls it, without items, so that no task waits forever.
  /// - Throws: `ClientError` if the X display cannot be reached.
  public func loadItemProviders(_ completion: @escaping ([ItemProvider]) -> Void) throws(ClientError) {
    let connection = try connect()
    // Another application may have copied without this one having been notified yet.
    if let copied, isOwner(copied, connection) { return later(completion, copied.providers) }
    // An owner may answer in small parts for an hour, and another application may have copied since.
    if reading.count >= Self.maxReadings, let oldest = reading.first { oldest.fail() }
    let next = PasteboardReading(connection, client)
    reading.append(next)
    next.start { [weak self, unowned next] providers in
      self?.reading.removeAll { $0 === next }
      self?.later(completion, providers)
    }
    connection.updateTimer()
  }

  private func isOwner(_ copied: Copied, _ connection: PasteboardConnection) -> Bool {
    switch copied.server {
    case .here: connection.isOwner
    case .thread(let window): connection.owner == window
    }
  }

  /// Calls the completion later, never within the requesting call.
  private func later(_ completion: @escaping ([ItemProvider]) -> Void, _ providers: [ItemProvider]) {
    let answer = OnClientThread((completion, providers))
    client.transfers.completions.add { answer.value.0(answer.value.1) }
  }

  /// Hands the items to the clipboard manager, if one runs, so that they are available after this application has
  /// ended. `Client.close()` calls it.
  ///
  /// - Parameter seconds: the maximum time to wait.
  /// - Returns: whether the manager has received them.
  @discardableResult
  public func saveToClipboardManager(seconds: Double = 2) -> Bool {
    guard let copied else { return false }
    guard case .here(let data) = copied.server else { return thread?.saveToClipboardManager(seconds: seconds) == true }
    guard let connection, connection.beginSaving(data.offer.types) else { return false }
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

  /// Ends a connection that is lost, or no longer needed: its pending data does not arrive.
  private func end(_ connection: PasteboardConnection) {
    guard self.connection === connection else { return }
    self.connection = nil
    // Kept providers of a paste retain the descriptors, too.
    for fd in connection.descriptors { client.endListening(to: fd) }
    disown()
    endFormer(most: 0)
    for next in reading { next.fail() }
    connection.end()
  }

  /// Handles events from the X server.
  func turn() {
    let now = MonotonicClock.now()
    formerFiles.removeAll { $0.until <= now }
    guard let connection else { return }
    connection.turn()
    guard connection.isLost else { return }
    let hadCopied = copied != nil
    end(connection)
    if hadCopied { onReplaced?() }
  }

  /// Waits for the X server and for the loads of copied items; nothing else of the client is handled.
  ///
  /// - Returns: false if nothing arrived before the deadline.
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

  /// The client is closing.
  func close() {
    saveToClipboardManager()
    isClosed = true
    if let connection { end(connection) }
    thread?.close()
    thread = nil
  }

  private func replaced() {
    guard copied != nil else { return }
    disown()
    onReplaced?()
  }

  private func disown() {
    guard let copied else { return }
    self.copied = nil
    guard case .here(let data) = copied.server else { return }
    former.append(data)
    data.onWork = { [weak self] in self?.endFormer(most: Self.maxFormer) }
    endFormer(most: Self.maxFormer)
  }

  /// Ends earlier copies without pending requests, and the oldest if there are more than `most`.
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
    // Some programs wait forever for each answer, even while something else is being copied.
    guard case .here(let data)? = copied?.server, let type = connection.name(of: request.target) else {
      return connection.server.refuse(request)
    }
    switch type {
    case "TARGETS": connection.answerTypes(data.offer.types, to: request)
    case "TIMESTAMP": connection.answerTime(to: request)
    case "SAVE_TARGETS": connection.server.answer(request, [], at: MonotonicClock.now())
    default:
      guard connection.beginAnswer() else { return connection.server.refuse(request) }
      data.convert(type) { [weak connection] in connection?.answer(request, $0) }
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
