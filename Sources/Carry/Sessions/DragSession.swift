import CarryModel
import CarryWireClient

/// A drag that started in this application, from its lift to its end.
public final class DragSession {
  private let wire: WireDragSession
  private let client: Client
  let number: SessionID
  /// The region in which it started.
  package let region: Region
  private let interaction: DragInteraction
  private var point: CarryModel.Point
  /// The interactions that items came from.
  private var contributors: [DragInteraction]

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
    contributors = [interaction]
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
      let known = items.count
      append(
        delegate.dragInteraction(adding, itemsForAddingTo: self, withTouchAt: region.local(point)), client: client)
      let new = Array(items[known...])
      if !new.isEmpty {
        if !contributors.contains(where: { $0 === adding }) { contributors.append(adding) }
        for other in contributors {
          other.delegate?.dragInteraction(other, session: self, willAdd: new, for: adding)
        }
      }
    }
    wire.answer(serial: serial)
  }

  /// B4: the three questions, in their order.
  private func configure(serial: UInt32) {
    let delegate = interaction.delegate
    delegate?.dragInteraction(interaction, sessionWillBegin: self)
    allowsMoveOperation = delegate?.dragInteraction(interaction, sessionAllowsMoveOperation: self) ?? true
    isRestrictedToDraggingApplication =
      delegate?.dragInteraction(interaction, sessionIsRestrictedToDraggingApplication: self) ?? false
    wire.configure(
      serial: serial, allowsMove: allowsMoveOperation, isRestricted: isRestrictedToDraggingApplication,
      prefersFullSize: delegate?.dragInteraction(interaction, prefersFullSizePreviewsFor: self) ?? false)
  }

  /// Whether any item has a representation of one of the types, such as `image/png` or `image/*`.
  public func hasItemsConforming(toTypes types: [String]) -> Bool {
    items.contains { item in types.contains { item.itemProvider.hasRepresentationConforming(to: $0) } }
  }

  private func listen() {
    let delegate = { [weak self] in self?.interaction.delegate }
    wire.onLiftEnded = { [weak self] atEnd in
      guard let self else { return }
      delegate()?.dragInteraction(self.interaction, liftDidEndAt: atEnd ? .end : .start, session: self)
    }
    wire.onLiftBegan = { [weak self] in
      guard let self else { return }
      delegate()?.dragInteraction(self.interaction, liftDidBegin: self)
    }
    wire.onLifted = { [weak self] in
      guard let self else { return }
      delegate()?.dragInteraction(self.interaction, didLift: self)
    }
    wire.onWillBegin = { [weak self] serial, point in
      guard let self else { return }
      self.point = point
      self.configure(serial: serial)
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
