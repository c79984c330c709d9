import CarryLoop
import CLinux
package import CarryModel
package import CarrySystem
import CWaylandServer

/// File providers are started when a load needs them, monitored, and terminated. Nothing here waits for them.
extension WireServer {
  /// Starts a program with its end of the socket, which the caller closes.
  package typealias StartProvider = (_ path: String, _ socket: CInt) throws(SystemError) -> HelperProcess

  /// The reference of a client's item for its file provider; nil if the text is empty, or no manifest of the system
  /// names a file provider for the client's program.
  func reference(_ text: String, of client: WireClient) -> FileReference? {
    guard !text.isEmpty else { return nil }
    guard !client.isStranger, let provider = client.process.fileProvider else {
      if !client.hasNoProvider {
        Log.info("client \(client.id) leaves items to a file provider, and no manifest of the system's names one")
      }
      client.hasNoProvider = true
      return nil
    }
    if let known = helpers.values.first(where: { $0.program == provider.program }) {
      known.path = provider.path
      return FileReference(helper: known.id, text: text)
    }
    let helper = ProviderHelper(ClientID(clientIDs.next()), program: provider.program, path: provider.path)
    helpers[helper.id] = helper
    return FileReference(helper: helper.id, text: text)
  }

  /// Requests a representation from a file provider, now or when its process is ready.
  package func provide(
    _ transfer: TransferID, _ reference: FileReference, in session: SessionID, type: String, as form: LoadForm
  ) {
    guard let helper = helpers[reference.helper] else { return }
    let wish = ProviderHelper.Wish(
      transfer: transfer, session: session, reference: reference.text, type: type, form: form)
    helper.transfers.insert(transfer)
    if let object = helper.object { object.ask(wish) } else { helper.queue.append(wish) }
  }

  /// A provider's process has created its object.
  func isReady(_ helper: ProviderHelper, _ object: ProviderObject) {
    helper.object = object
    helper.life.isReady()
    Log.info("the file provider of \(helper.program) (pid \(object.client.peer.pid)) is ready")
    for wish in helper.queue { object.ask(wish) }
    helper.queue = []
  }

  // MARK: Time

  var nextHelper: Instant? {
    guard !helpers.isEmpty else { return nil }
    var next: Instant?
    for helper in helpers.values {
      next = .earliest(next, helper.life.nextDeadline(hasWork: !helper.transfers.isEmpty))
    }
    return next
  }

  func advanceHelpers(to now: Instant) {
    guard !helpers.isEmpty else { return }
    for helper in helpers.values {
      if helper.hangs { isAtFault(helper, "it has not answered for \(Int(Limits.transferSeconds)) s") }
      helper.hangs = false
      if !helper.transfers.isEmpty { helper.transfers = helper.transfers.filter { loads[$0] != nil } }
      switch helper.life.advance(to: now, hasWork: !helper.transfers.isEmpty) {
      case .start: start(helper)
      case .giveUp:
        fail(helper, "it was not ready within \(Int(Limits.providerStartSeconds)) s")
        end(helper)
      case .terminate:
        helper.forgetComplaint()
        end(helper)
      case .kill: helper.process?.kill()
      case nil: break
      }
    }
    endDoomed()
  }

  // MARK: The process

  private func start(_ helper: ProviderHelper) {
    do throws(SystemError) {
      guard helpers.values.count(where: { $0.process != nil }) < Limits.providers,
        DescriptorTable.hasRoom(for: reserve)
      else { throw SystemError(code: EAGAIN, call: "posix_spawn", subject: helper.path) }
      try connect(helper)
    } catch {
      _ = helper.life.hasEnded(at: MonotonicClock.now())
      fail(helper, "it cannot be started: \(error.sentence)")
    }
  }

  private func connect(_ helper: ProviderHelper) throws(SystemError) {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    let process = try startProvider(helper.path, pair.theirs.raw)
    helper.process = process
    if process.handle >= 0 {
      helper.exitWatch = loop.watch(process.handle) { [weak self, weak helper] in
        if let self, let helper { self.processEnded(of: helper) }
      }
    }
    let peer = WireProcess(PeerProcess(of: process.pid), programs)
    guard let raw = makeClient(pair.takeOurs().release(), peer) else {
      helper.process?.end()
      helper.exitWatch = nil
      helper.process = nil
      throw SystemError(code: ENOMEM, call: "wl_client_create")
    }
    let client = WireClient(
      id: helper.id, peer: .init(pid: process.pid, uid: getuid()), process: peer, raw: raw, server: self,
      since: MonotonicClock.now())
    client.helper = helper
    helper.client = client
    add(client)
  }

  /// Asks the process to terminate. Its connection is closed at once, because nothing it sends matters any more.
  private func end(_ helper: ProviderHelper) {
    helper.process?.terminate()
    helper.object = nil
    if let client = helper.client, !client.isGone { disconnect(client) }
  }

  private func disconnect(_ client: WireClient) {
    guard !doomed.contains(where: { $0.id == client.id }) else { return }
    doomed.append((client.id, client.raw))
  }

  /// The process has ended.
  private func processEnded(of helper: ProviderHelper) {
    guard let process = helper.process, process.hasEnded else { return }
    helper.exitWatch?.cancel()
    helper.exitWatch = nil
    helper.process = nil
    if helper.life.hasEnded(at: MonotonicClock.now()) { fail(helper, "its process has ended") }
    if let client = helper.client, !client.isGone { disconnect(client) }
    helper.object = nil
  }

  /// The connection has ended, and its pending requests fail.
  func connectionEnded(of helper: ProviderHelper) {
    helper.object = nil
    helper.client = nil
    // The engine is ending.
    guard delegate != nil else { return }
    guard helper.process?.hasEnded != true else { return processEnded(of: helper) }
    isAtFault(helper, "it has closed its connection")
  }

  /// The process is at fault.
  func isAtFault(_ helper: ProviderHelper, _ why: String) {
    guard helper.life.isAtFault(at: MonotonicClock.now()) != nil else { return }
    fail(helper, why)
    end(helper)
  }

  /// A load has timed out. If the provider has not answered it, the provider hangs.
  func blameHelper(for transfer: TransferID) {
    guard let helper = helpers.values.first(where: { $0.transfers.contains(transfer) }),
      let provision = provisions[transfer], !provision.isAnswered
    else { return }
    helper.transfers.remove(transfer)
    helper.hangs = true
  }

  /// Fails the process's unanswered requests.
  private func fail(_ helper: ProviderHelper, _ why: String) {
    helper.complain(why)
    helper.queue = []
    let sentence = "the file provider of \(helper.program) failed: \(why)"
    let waiting = helper.transfers
    for transfer in waiting { failureMessages[transfer] = sentence }
    delegate?.helperFailed(helper.id)
    for transfer in waiting { failureMessages[transfer] = nil }
    helper.transfers = waiting.filter { loads[$0] != nil }
  }
}
