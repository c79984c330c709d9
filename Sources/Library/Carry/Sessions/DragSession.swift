import CarryModel
import CarryWireClient

/// A drag that started in this application, from its lift to its end.
///
/// Until its end the session retains the delegates of the interactions that its items came from: a row that is
/// recycled meanwhile still learns how the drag ended.
public final class DragSession {
  /// The delegate calls so far. If the engine disappears, the session makes the others itself.
  private enum Phase: Equatable {
    /// The delegate was asked for items. No lift follows if a tap adds them to another application's stack.
    case asked
    case lifting, risen, begun
    case ending(DropOperation), ended(DropOperation), transferred(DropOperation)
  }

  let wire: WireDragSession
  let client: Client
  let number: SessionID
  /// The region in which it started.
  package let region: Region
  let interaction: DragInteraction
  private var point: CarryModel.Point
  /// The interactions that items came from.
  private var contributors: [DragInteraction]
  /// The delegates of `contributors`, notified until the session's end, even if a delegate's view has gone.
  private var listeners: [any DragInteractionDelegate] = []

  /// The items, in order; the last one is topmost.
  public private(set) var items: [DragItem] = []
  /// Any value that the application keeps with the session.
  public var localContext: Any?
  /// Whether a destination in this application may propose a move.
  public internal(set) var allowsMoveOperation = true
  /// Whether a destination in another application may propose a move.
  public internal(set) var allowsMoveToOtherApplications = false
  /// After a move to another application: the items whose data has arrived there whole.
  ///
  /// Delete those in `sessionDidTransferItems`, and no others: the rest was copied at most. Empty for a move within
  /// this application, which decides for itself.
  public private(set) var movedItems: [DragItem] = []
  /// Whether the session is hidden from other applications.
  public internal(set) var isRestrictedToDraggingApplication = false
  private var phase = Phase.asked
  /// Items added by answers that the engine has not processed yet.
  private var unsettled: [DragItem] = []
  /// Items whose answers arrived too late. Their promises last as long as those of the other items.
  private var late: [DragItem] = []
  /// Items whose new picture has been offered, but not requested by the engine yet.
  var offered: Set<ObjectIdentifier> = []
  var lift: Animator?
  /// The streams that are being written for its items.
  let streams = SessionStreams()
  /// Undoes the move, while the user may still choose that.
  private var undo: (() -> Void)?
  /// The animations alongside items that fly back.
  var flights: [(DragItem, Animator)] = []
  /// Distributes `events`; nil until they are first used.
  var hub: EventHub<Event>?
  /// The value that a language binding keeps with the session.
  package var attachment: AnyObject?
  /// The number of representations that have arrived whole, available in `sessionDidTransferItems`. If the engine
  /// disappears before it reports the number, this counts the representations known to have arrived.
  public private(set) var deliveredRepresentations = 0
  /// The session's number, as `carry monitor` shows it.
  public var identifier: UInt32 { number.raw }

  init(
    _ wire: WireDragSession, _ number: SessionID, interaction: DragInteraction, in region: Region,
    at point: CarryModel.Point
  ) {
    self.wire = wire
    self.number = number
    self.interaction = interaction
    self.region = region
    self.point = point
    client = region.client
    contributors = [interaction]
    if let delegate = interaction.delegate { listeners.append(delegate) }
    wire.onEvent = { [weak self] event in self?.handle(event) }
  }

  var hasBegun: Bool { phase != .asked && phase != .lifting && phase != .risen }

  /// Whether the engine knows the session.
  package var isUnderWay: Bool { client.dragSessions[number] === self }

  /// The location of the drag, in pixels of a region of the window in which it started.
  public func location(in region: Region) -> Point { region.local(point) }

  /// Adds items to the pending answer, with their previews.
  func append(_ new: [DragItem], from interaction: DragInteraction, client: Client) {
    var added: [(DragItem, WireItemProxy)] = []
    for item in new where !items.contains(where: { $0 === item }) {
      guard items.count < Limits.itemsPerSession else {
        Warning.say("a session has at most \(Limits.itemsPerSession) items: those beyond are left out")
        break
      }
      guard !item.isEmpty else {
        Warning.say(
          "an item without a representation, and without a local object for the application's own regions, is left out: "
            + "register a type such as text/plain")
        continue
      }
      guard let proxy = item.promise(to: client) else { continue }
      wire.add(proxy)
      items.append(item)
      item.session = self
      added.append((item, proxy))
    }
    // Many items look like the region, and the delegate is not asked.
    guard added.count <= client.fewItems, let delegate = interaction.delegate else { return }
    for (item, proxy) in added {
      client.describe(delegate.dragInteraction(interaction, previewForLifting: item, session: self)) {
        wire.setPreview(proxy, $0)
      }
    }
  }

  // MARK: Items

  func add(from adding: DragInteraction?, serial: UInt32, at point: CarryModel.Point, in region: Region) {
    if let adding, let deferring = adding.delegate as? any DeferringDragDelegate {
      return deferring.dragInteraction(
        adding, itemsForAddingTo: self, withTouchAt: region.local(point), serial: serial
      ) { [self] new in
        if client.dragSessions[number] === self { answer(serial: serial, new, from: adding) }
      }
    }
    let new = adding.flatMap { adding in
      adding.delegate?.dragInteraction(adding, itemsForAddingTo: self, withTouchAt: region.local(point))
    }
    answer(serial: serial, new ?? [], from: adding)
  }

  private func answer(serial: UInt32, _ new: [DragItem], from adding: DragInteraction?) {
    if let adding, let delegate = adding.delegate {
      let known = items.count
      append(new, from: adding, client: client)
      let new = Array(items[known...])
      if !new.isEmpty {
        if !contributors.contains(where: { $0 === adding }) {
          contributors.append(adding)
          listeners.append(delegate)
        }
        wire.answer(serial: serial)
        // Once this is processed the engine has the pictures, and dimming does not show on them.
        unsettled += new
        client.wire?.whenHandled { [weak self] in self?.commit(new, from: adding) }
        // Only now does the engine know the items.
        for item in new where item.previewProvider != nil { offerPreview(of: item) }
        return
      }
    }
    wire.answer(serial: serial)
  }

  private func commit(_ new: [DragItem], from adding: DragInteraction) {
    let new = new.filter { item in unsettled.contains { $0 === item } }
    unsettled.removeAll { item in new.contains { $0 === item } }
    guard !new.isEmpty, client.dragSessions[number] === self else { return }
    for other in contributors {
      other.delegate?.dragInteraction(other, session: self, willAdd: new, for: adding)
    }
  }

  /// Removes items whose answers had not reached the engine when the drag ended: they are not in the drag, and must
  /// not count as dropped.
  private func withdrawUncommitted() {
    items.removeAll { item in unsettled.contains { $0 === item } }
    late += unsettled
    unsettled = []
  }

  /// The items are in another application's stack, and the engine has their pictures.
  private func joined(_ new: [DragItem]) {
    guard client.dragSessions[number] === self, phase == .begun else { return }
    interaction.delegate?.dragInteraction(interaction, session: self, willAdd: new, for: interaction)
  }

  /// Asks the delegate the questions at the beginning of a drag, in their order.
  private func configure(serial: UInt32) {
    let delegate = interaction.delegate
    let isWithoutLift = phase == .asked
    phase = .begun
    for item in items where item.previewProvider != nil { offerPreview(of: item) }
    delegate?.dragInteraction(interaction, sessionWillBegin: self)
    allowsMoveOperation = delegate?.dragInteraction(interaction, sessionAllowsMoveOperation: self) ?? true
    allowsMoveToOtherApplications =
      delegate?.dragInteraction(interaction, sessionAllowsMoveToOtherApplications: self) ?? false
    isRestrictedToDraggingApplication =
      delegate?.dragInteraction(interaction, sessionIsRestrictedToDraggingApplication: self) ?? false
    var options = SourceOptions(
      allowsMove: allowsMoveOperation, isRestricted: isRestrictedToDraggingApplication,
      prefersFullSize: delegate?.dragInteraction(interaction, prefersFullSizePreviewsFor: self) ?? false)
    options.allowsMoveToOthers = allowsMoveToOtherApplications
    wire.configure(serial: serial, options)
    if isWithoutLift { client.wire?.whenHandled { [weak self, items] in self?.joined(items) } }
  }

  /// Whether any item has a representation of one of the types, such as `image/png` or `image/*`.
  public func hasItemsConforming(toTypes types: [String]) -> Bool {
    items.contains { item in types.contains { item.itemProvider.hasRepresentationConforming(to: $0) } }
  }

  // MARK: Undo

  /// Lets the user undo a move, for six seconds at the place of the drop.
  ///
  /// Call it once, in `sessionDidTransferItems` or within three seconds after it. Without an engine the user is not
  /// asked.
  ///
  /// - Parameters:
  ///   - title: describes the move in a few words for the user: "Moved 2 items". At most 255 bytes.
  ///   - handler: undoes the move; called at most once, on the client's thread. Released at the session's end.
  public func offerUndo(title: String, handler: @escaping () -> Void) {
    guard canOfferUndo else {
      return Warning.say("undo can be offered after a move only, once its items have been transferred: it is not shown")
    }
    guard undo == nil, client.dragSessions[number] === self else { return }
    undo = handler
    wire.offerUndo(title)
  }

  /// Whether the session is a move whose items have been transferred.
  package var canOfferUndo: Bool { phase == .transferred(.move) }

  private func userUndoes() {
    let handler = undo
    undo = nil
    handler?()
  }

  private func handle(_ event: WireDragEvent) {
    let delegate = interaction.delegate
    switch event {
    case .liftBegan:
      phase = .lifting
      delegate?.dragInteraction(interaction, liftDidBegin: self)
    case .lifted:
      delegate?.dragInteraction(interaction, didLift: self)
      hub?.send(.lifted)
    case .liftEnded(let atEnd):
      phase = .risen
      lift?.finish(atEnd ? .end : .start)
      lift = nil
      delegate?.dragInteraction(interaction, liftDidEndAt: atEnd ? .end : .start, session: self)
    case .motion(let kind, let item, let motion): moved(kind, item, motion)
    case .wantPreview(let item): showPreview(of: item)
    case .willCancel(let serial): answerCancel(serial: serial)
    case .willBegin(let serial, let point):
      self.point = point
      configure(serial: serial)
      hub?.send(.began)
    case .moved(let point):
      self.point = point
      delegate?.dragInteraction(interaction, sessionDidMove: self)
      hub?.send(.moved, isMove: true)
    case .willEnd(let operation): willEnd(with: DropOperation(operation))
    case .didEnd(let operation): didEnd(with: DropOperation(operation))
    case .itemMoved(let proxy):
      if let item = items.first(where: { $0.promise === proxy }) { movedItems.append(item) }
    case .didTransfer(let delivered):
      deliveredRepresentations = delivered
      didTransfer()
    case .undo: userUndoes()
    case .gone: end()
    case .lost: lost()
    }
  }

  private func willEnd(with operation: DropOperation) {
    withdrawUncommitted()
    phase = .ending(operation)
    streams.isMove = operation == .move
    interaction.delegate?.dragInteraction(interaction, session: self, willEndWith: operation)
    hub?.send(.willEnd(operation))
  }

  private func didEnd(with operation: DropOperation) {
    finishFlights()
    phase = .ended(operation)
    interaction.delegate?.dragInteraction(interaction, session: self, didEndWith: operation)
    hub?.send(.didEnd(operation))
  }

  private func didTransfer() {
    if case .ended(let operation) = phase { phase = .transferred(operation) }
    interaction.delegate?.dragInteraction(interaction, sessionDidTransferItems: self)
    hub?.send(.transferred)
    hub?.finish()
  }

  /// The engine has gone: calls the delegate as the engine would have. Data in transit continues without it.
  private func lost() {
    if phase == .lifting { interaction.delegate?.dragInteraction(interaction, liftDidEndAt: .start, session: self) }
    if phase == .begun { willEnd(with: .cancel) }
    if case .ending(let operation) = phase { didEnd(with: operation) }
    if phase == .ended(.copy) || phase == .ended(.move) { transferWithoutEngine() }
    end()
  }

  /// Streams that are being written report by themselves when they have arrived.
  private func transferWithoutEngine() {
    guard streams.isOpen else {
      deliveredRepresentations = streams.delivered
      return didTransfer()
    }
    // The next engine may reuse its number for another session.
    let (client, kept) = (client, listeners)
    client.transferring[ObjectIdentifier(self)] = self
    streams.onAllWritten = { [weak self] in
      guard let self, client.transferring.removeValue(forKey: ObjectIdentifier(self)) != nil else { return }
      self.deliveredRepresentations = self.streams.delivered
      self.didTransfer()
      withExtendedLifetime(kept) {}
    }
  }

  /// Ends the promises, and removes the session from the client.
  func end() {
    undo = nil
    lift?.finish(.start)
    finishFlights()
    for item in items + late {
      // An item that was lifted again meanwhile is in another session.
      if item.session === self { item.session = nil }
      item.endPromise()
    }
    client.dragSessions[number] = nil
    listeners = []
    // Streams may continue without the engine.
    if client.transferring[ObjectIdentifier(self)] == nil { hub?.finish() }
  }
}
