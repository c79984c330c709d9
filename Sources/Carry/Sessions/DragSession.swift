import CarryModel
import CarryWireClient

/// A drag that started in this application, from its lift to its end.
public final class DragSession {
  private let wire: WireDragSession
  private let client: Client
  private let number: SessionID
  /// The region in which it started.
  package let region: Region
  private let interaction: DragInteraction
  private var point: CarryModel.Point

  /// The items, in order; the last one is topmost.
  public private(set) var items: [DragItem] = []
  /// Anything the application wants to keep with the session.
  public var localContext: Any?
  /// Whether a destination in this application may propose a move.
  public internal(set) var allowsMoveOperation = true
  /// Whether other applications do not see the session.
  public internal(set) var isRestrictedToDraggingApplication = false
  /// What a language binding keeps with the session.
  package var attachment: AnyObject?
  /// How many representations have arrived whole, known in `sessionDidTransferItems`.
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
    listen()
  }

  /// Where the drag is, in pixels of a region of the window in which it started.
  public func location(in region: Region) -> Point { region.local(point) }

  func append(_ new: [DragItem], client: Client) {
    for item in new where !items.contains(where: { $0 === item }) && items.count < Limits.itemsPerSession {
      guard let proxy = item.promise(to: client) else { continue }
      wire.add(proxy)
      items.append(item)
    }
  }

  func add(from adding: DragInteraction?, serial: UInt32, at point: CarryModel.Point, in region: Region) {
    if let adding, let delegate = adding.delegate {
      append(
        delegate.dragInteraction(adding, itemsForAddingTo: self, withTouchAt: region.local(point)), client: client)
    }
    wire.answer(serial: serial, options: (allowsMoveOperation ? 1 : 0) | (isRestrictedToDraggingApplication ? 2 : 0))
  }

  private func listen() {
    let delegate = { [weak self] in self?.interaction.delegate }
    wire.onLiftEnded = { [weak self] atEnd in
      guard let self else { return }
      delegate()?.dragInteraction(self.interaction, liftDidEndAt: atEnd ? .end : .start, session: self)
    }
    wire.onWillBegin = { [weak self] point in
      guard let self else { return }
      self.point = point
      delegate()?.dragInteraction(self.interaction, sessionWillBegin: self)
    }
    wire.onMove = { [weak self] point in
      guard let self else { return }
      self.point = point
      delegate()?.dragInteraction(self.interaction, sessionDidMove: self)
    }
    wire.onWillEnd = { [weak self] operation in
      guard let self else { return }
      delegate()?.dragInteraction(self.interaction, session: self, willEndWith: DropOperation(operation))
    }
    wire.onDidEnd = { [weak self] operation in
      guard let self else { return }
      delegate()?.dragInteraction(self.interaction, session: self, didEndWith: DropOperation(operation))
    }
    wire.onDidTransfer = { [weak self] delivered in
      guard let self else { return }
      self.deliveredRepresentations = delivered
      delegate()?.dragInteraction(self.interaction, sessionDidTransferItems: self)
    }
    wire.onGone = { [weak self] in self?.end() }
  }

  /// The promises end, and the client forgets the session.
  func end() {
    for item in items { item.endPromise() }
    client.dragSessions[number] = nil
  }
}
