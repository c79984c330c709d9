import CarryModel
import CarryWireClient

/// Lets a region take drops.
///
/// What a mouse drags out of applications that know nothing of Carry (XDND) comes over the region, too, as a copy. In a
/// window whose toolkit takes such drops itself, drags of the window's own program are left to the toolkit.
public final class DropInteraction: Interaction {
  /// Answers for the region. Not kept alive by the interaction.
  public private(set) weak var delegate: (any DropInteractionDelegate)?
  /// The delegate, if it answers later.
  private weak var deferring: (any DeferringDropDelegate)?
  /// A delegate that nobody else keeps: one of closures.
  var ownDelegate: AnyObject?
  /// The region it was added to.
  public private(set) weak var region: Region?
  /// Whether drags over the region are seen. True from the start.
  public var isEnabled = true {
    didSet { region?.sendRoles() }
  }

  /// Whether the interaction takes several sessions at the same time. False from the start: while one session is over
  /// the region, other sessions that come are ignored. They are seen when the first has left or ended and they come
  /// again. In a region with several drop interactions, each takes a session of its own.
  public var allowsSimultaneousDropSessions = false {
    didSet { region?.sendRoles() }
  }

  /// What the interaction usually takes: media types such as `image/png` or `text/*`. If the user's settings say so,
  /// regions that take one of a drag's types are framed as the drag begins. The engine decides nothing else by these
  /// types.
  public var acceptedTypes: [String] = [] {
    didSet { region?.sendAcceptedTypes() }
  }

  /// The width of the zone along each edge of the region in which a drag makes the region scroll, in pixels; 0 for
  /// none. See `DropSession.edgeSpeed`.
  public var edgeZone = 0 {
    didSet { region?.sendEdges() }
  }

  /// An interaction that asks `delegate`, which the caller keeps alive.
  public init(delegate: any DropInteractionDelegate) {
    self.delegate = delegate
    deferring = delegate as? any DeferringDropDelegate
  }

  /// Called by the region.
  public func moved(to region: Region?) { self.region = region }

  /// A session came over the region for the first time. The wire's object keeps the session alive until its end.
  func begin(_ wire: WireDropSession, _ number: SessionID, in region: Region) {
    let session = DropSession(wire, number, region: region)
    // An interaction that was removed from its region gets the last call, too.
    wire.onEvent = { self.handle($0, of: session, wire) }
  }

  private func handle(_ event: WireDropEvent, of session: DropSession, _ wire: WireDropSession) {
    switch event {
    case .canHandle(let serial):
      guard let delegate else {
        Warning.say("a drop interaction takes nothing, as its delegate is gone: keep the delegate alive")
        return wire.handle(serial: serial, yes: false)
      }
      wire.handle(serial: serial, yes: delegate.dropInteraction(self, canHandle: session))
    case .entered:
      delegate?.dropInteraction(self, sessionDidEnter: session)
      session.hub?.send(.entered)
    case .update(let serial):
      if let deferring {
        return deferring.dropInteraction(self, sessionDidUpdate: session) {
          wire.propose(serial: serial, Self.answer($0))
        }
      }
      wire.propose(serial: serial, proposal(for: session))
      session.hub?.send(.updated, isMove: true)
    case .exited:
      delegate?.dropInteraction(self, sessionDidExit: session)
      session.hub?.send(.exited)
    case .perform(let serial, let operation):
      session.isPerforming = true
      session.operation = DropOperation(operation)
      delegate?.dropInteraction(self, performDrop: session)
      land(session, wire)
      let finish = { [unowned session] in
        session.isPerforming = false
        if session.copiesInstead { wire.copyInstead(serial: serial) }
        wire.performed(serial: serial)
      }
      if session.isKeptOpen {
        wire.keepOpen(serial: serial)
        session.onFinish = finish
      } else {
        finish()
      }
      session.hub?.send(.performed(session.operation))
    case .motion(let item, let motion):
      for flight in session.flights where flight.item == item {
        flight.animator.start(motion)
        session.region.client.clock.run(flight.animator)
      }
    case .conclude:
      session.finishFlights()
      delegate?.dropInteraction(self, concludeDrop: session)
      session.hub?.send(.concluded)
    case .didEnd(let operation):
      session.operation = DropOperation(operation)
      end(session)
    case .lost:
      end(session)
    }
  }

  private func proposal(for session: DropSession) -> Proposal {
    guard let proposal = delegate?.dropInteraction(self, sessionDidUpdate: session) else { return .cancel }
    if proposal.operation == .move, !session.allowsMoveOperation {
      Warning.say(
        "a drop target proposes a move, and the source allows copies only, so that nothing is dropped: propose a copy "
          + "where the session does not allow a move")
    }
    return Self.answer(proposal)
  }

  private static func answer(_ proposal: DropProposal) -> Proposal {
    var answer = Proposal(
      proposal.operation.model, isPrecise: proposal.isPrecise, prefersFullSize: proposal.prefersFullSizePreview)
    if proposal.operation == .forbidden {
      answer.reason = proposal.reason.map { SafeText.displayable($0, limit: 240) }
    }
    return answer
  }

  private func end(_ session: DropSession) {
    session.finishFlights()
    delegate?.dropInteraction(self, sessionDidEnd: session)
    session.hub?.send(.ended(session.operation))
    session.end()
  }

  /// DA1: how do the items land? Asked when `performDrop` has returned.
  private func land(_ session: DropSession, _ wire: WireDropSession) {
    guard let delegate else { return }
    let items = session.numberedItems
    let client = session.region.client
    let few = client.fewItems
    if items.count <= few {
      for (i, item) in items {
        let preview = delegate.dropInteraction(
          self, previewForDropping: item, withDefault: .carried(wire.items[i].carriedSize))
        client.describe(preview) { wire.setLanding(item: i, $0) }
      }
    }
    for (i, item) in items.prefix(items.count <= few ? items.count : 1) {
      let animator = Animator(.end)
      delegate.dropInteraction(self, item: item, willAnimateDropWith: animator)
      if !animator.isIdle { session.flights.append((i, animator)) }
    }
  }
}

/// A delegate that asks others before it answers: the engine's own bridge to applications of another protocol.
package protocol DeferringDropDelegate: DropInteractionDelegate {
  /// As `sessionDidUpdate`, with an answer that may come later.
  ///
  /// - Parameter answer: to be called with the proposal. It may be called again with another one, until the next update.
  func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession, answer: @escaping (DropProposal) -> Void)
}

/// What a destination would do with the items, here and now.
public struct DropProposal: Equatable, Sendable {
  /// Cannot be changed: make a new proposal.
  public let operation: DropOperation
  /// Whether the place that counts is slightly above the finger, where the user sees it: show there what would happen.
  /// `DropSession.location(in:)` is that place from then on, and never outside of the region.
  public var isPrecise = false
  /// Whether the picture keeps its size here. Only for drags that started in this application, and only a wish.
  public var prefersFullSizePreview = false
  /// Why the drop is forbidden, in a few words that the user reads beside the badge: "Read-only folder". At most one
  /// line; the rest is cut. Ignored with other operations.
  public var reason: String?

  /// A proposal of an operation.
  public init(operation: DropOperation) { self.operation = operation }
}

/// Answers for a drop interaction. Implement `sessionDidUpdate` to accept anything, and `performDrop` to get the items.
///
/// All methods are called on the client's thread, from within `Client.dispatch()`. Hovering destinations see types and
/// names only; data can be loaded only from within `performDrop`.
public protocol DropInteractionDelegate: AnyObject {
  /// The first question, before anything else. False: the region is as good as absent for this session. Default true.
  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool
  /// The drag came over the region.
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession)
  /// What would happen if the items were dropped right here, right now? Called on entering, for every move, and when
  /// items are added; keep it cheap. The default proposes cancel.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal
  /// The drag left the region; it may come back.
  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession)
  /// The items were dropped here. Start loads before returning; they go on afterwards.
  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession)
  /// How does an item land? Asked when `performDrop` has returned, for each of at most ten items. If there are more,
  /// all go down into the region. The data has not come by then.
  ///
  /// - Returns: the default, which goes down into the region; the default in another place; another preview, into which
  ///   the item turns on its way; or nil, and the item shrinks and fades where it is.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview?
  /// An item is about to land: add animations that accompany it. With more than ten items this is called once, for the
  /// first.
  func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating)
  /// The drop's animations are over; data may still be under way.
  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession)
  /// The last call: sent to every region that ever saw the session, wherever it ended.
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession)
}

extension DropInteractionDelegate {
  /// Anything can be handled.
  public func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool { true }
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {}
  /// Proposes cancel, and says once on standard error that nothing is ever dropped.
  public func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession
  ) -> DropProposal {
    Warning.say("a drop delegate has no sessionDidUpdate, so that nothing is ever dropped: propose a copy there")
    return DropProposal(operation: .cancel)
  }
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {}
  /// Does nothing: the drop has no effect here.
  public func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {}
  /// Goes down into the region.
  public func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? { defaultPreview }
  /// Adds nothing.
  public func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating
  ) {}
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) {}
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) {}
}
