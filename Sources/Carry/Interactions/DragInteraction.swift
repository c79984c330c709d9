import CarryModel
import CarryWireClient

/// Lets a region be a drag source: a long press lifts what its delegate names.
public final class DragInteraction: Interaction {
  /// Supplies the items and hears of the session. Not kept alive by the interaction.
  public private(set) weak var delegate: (any DragInteractionDelegate)?
  /// A delegate that nobody else keeps: one of closures.
  var ownDelegate: AnyObject?
  /// The region it was added to.
  public private(set) weak var region: Region?
  /// Whether presses lift. Until it is set, the desktop's settings decide: see `Client.isDragEnabledByDefault`.
  public var isEnabled: Bool {
    get { wanted ?? region?.client.isDragEnabledByDefault ?? true }
    set {
      wanted = newValue
      region?.sendRoles()
    }
  }
  private var wanted: Bool?

  /// Z31: whether the application drags by mouse and pen itself. Carry then leaves every click on the region to the
  /// application, and lifts by touch, trackpad and keys only. False at first: a mouse that moves with its button down on
  /// something that can be dragged is Carry's, and every other click is the application's.
  public var dragsByPointerItself = false {
    didSet { if dragsByPointerItself != oldValue { region?.sendRoles() } }
  }

  /// An interaction that asks `delegate`, which the caller keeps alive.
  public init(delegate: any DragInteractionDelegate) { self.delegate = delegate }

  /// Called by the region.
  public func moved(to region: Region?) { self.region = region }

  func begin(
    _ wire: WireDragSession, _ number: SessionID, serial: UInt32, at point: CarryModel.Point, in region: Region
  ) {
    if delegate == nil {
      Warning.say("a drag interaction lifts nothing, as its delegate is gone: keep the delegate alive")
    }
    let session = DragSession(wire, number, interaction: self, in: region, at: point)
    if let deferring = delegate as? any DeferringDragDelegate {
      region.client.dragSessions[number] = session
      return deferring.dragInteraction(self, itemsForBeginning: session, serial: serial) { [self] items in
        // The finger may be up by now.
        guard region.client.dragSessions[number] === session else { return }
        if items.isEmpty {
          region.client.dragSessions[number] = nil
        } else {
          session.append(items, from: self, client: region.client)
        }
        wire.answer(serial: serial)
      }
    }
    let items = delegate?.dragInteraction(self, itemsForBeginning: session) ?? []
    guard !items.isEmpty else { return wire.answer(serial: serial) }
    region.client.dragSessions[number] = session
    session.append(items, from: self, client: region.client)
    wire.answer(serial: serial)
  }
}

/// A delegate that has to find out first what lifts: the engine's own bridge to applications of another protocol.
package protocol DeferringDragDelegate: DragInteractionDelegate {
  /// As `itemsForBeginning`, with an answer that may come later.
  ///
  /// - Parameters:
  ///   - serial: the question's number.
  ///   - answer: to be called once. Called after the session's end, it does nothing.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForBeginning session: DragSession, serial: UInt32,
    answer: @escaping ([DragItem]) -> Void)
  /// As `itemsForAddingTo`, with an answer that may come later.
  ///
  /// - Parameters:
  ///   - point: pixels of the region that was tapped.
  ///   - serial: the question's number.
  ///   - answer: to be called once. Called after the session's end, it does nothing.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point, serial: UInt32,
    answer: @escaping ([DragItem]) -> Void)
}

/// Where an animation stopped.
public enum AnimatingPosition: Sendable {
  /// Where it was meant to go: the lift is complete.
  case end
  /// Back where it began: the lift was reversed.
  case start
}

/// Supplies a drag interaction's items and hears of its sessions. Only the first method is required.
///
/// All methods are called on the client's thread, from within `Client.dispatch()`, and must return at once: a finger
/// waits. Points are in pixels of the interaction's region.
public protocol DragInteractionDelegate: AnyObject {
  /// Which items does this press lift? Asked just before the lift animation; `session.location(in:)` is valid.
  ///
  /// A tap may ask this, too, where a finger carries what it has lifted out of an application that knows nothing of
  /// Carry. The items then join that stack, and the session ends with it. `sessionWillBegin` follows without a lift,
  /// and `sessionDidMove` never comes: make nothing in `liftDidBegin`, `didLift` or `liftDidEndAt` that later methods
  /// need. `willAdd` follows once the engine has the items' pictures: dim there what stays behind. A drop is a copy for
  /// you, whatever the destination does. If the session is restricted to its application, the items do not join, and it
  /// ends at once with `.cancel`. Further taps ask `itemsForAddingTo` with this session.
  ///
  /// - Returns: the items, the last one topmost. If there are none, the touch goes on as if there were no drag
  ///   interaction.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem]

  /// Which items does a tap of another finger add to a session of this application that is under way?
  ///
  /// - Parameters:
  ///   - interaction: the tapped interaction, which may be another than the one where the session began.
  ///   - session: the session under way. Look through its items to leave out what must not be in it twice.
  ///   - point: pixels of the region that was tapped.
  /// - Returns: the items to add. The default adds nothing.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem]

  /// To which of several running sessions of this application does a tap on the region add? With one session there is
  /// no question.
  ///
  /// - Parameters:
  ///   - interaction: the tapped interaction.
  ///   - sessions: the oldest first.
  ///   - point: pixels of the region that was tapped.
  /// - Returns: one of the sessions, for which `itemsForAddingTo` is then called; or nil, the default: the tap is an
  ///   ordinary one.
  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession?

  /// Items join the session. Called for every interaction that has contributed to the session, the adding one included,
  /// once the engine has the items' pictures: this is the place to dim what stays behind. Not called if the session
  /// ended meanwhile.
  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction)

  /// How does an item look as it rises, and from which place does it rise? Asked right after `itemsForBeginning`, and
  /// after `itemsForAddingTo`, for each of at most ten items. If there are more, each looks as the region does. Here
  /// and below, ten is the default of the user's setting `few-items`.
  ///
  /// - Parameters:
  ///   - interaction: the interaction that lifts the item, or that was tapped.
  ///   - item: its `localObject` tells which item it is.
  ///   - session: the session that begins, or that the item is added to.
  /// - Returns: nil for an item that is not seen. The default is the item's `region` as it looks, or the interaction's.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview?

  /// The lift is about to be shown: add animations that accompany it, such as fading what lies on top. The rising
  /// picture is live: dim what stays behind in the completion, if its position is `.end`. If the lift is reversed, the
  /// animations run back by themselves.
  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession)

  /// Where does an item go when its drag is cancelled? Asked for each of at most ten items. If there are more, all fly
  /// home.
  ///
  /// - Returns: the default, which flies home; the default in another place; another preview; or nil, and it fades
  ///   where it is.
  func dragInteraction(
    _ interaction: DragInteraction, previewForCancelling item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview?

  /// An item is about to fly home: add animations that accompany it. With more than ten items this is called once, for
  /// the first. Restore what was dimmed here, and also in `didEndWith`, which is called after a copy as well.
  func dragInteraction(
    _ interaction: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating)

  /// The items begin to rise. Their pictures are live until the drag begins.
  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession)

  /// The items have risen: moving now starts the drag.
  func dragInteraction(_ interaction: DragInteraction, didLift session: DragSession)

  /// The lift's animation ended: complete, or back at its start because the finger went up.
  func dragInteraction(_ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession)

  /// The finger moved: the drag proper begins. The questions below follow, in their order; nobody else sees the
  /// session before they are answered. It may come without a lift: see `itemsForBeginning`.
  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession)

  /// Whether a destination in this application may propose a move. Default true.
  func dragInteraction(_ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession) -> Bool

  /// Whether a destination in another application may propose a move. `DragSession.movedItems` says in
  /// `sessionDidTransferItems` which items it has then: let go of those. Default false: others get copies.
  func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool

  /// Whether this session is hidden from other applications. Default false.
  func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool

  /// Whether the picture keeps its size while it is over the source's window. This is only a wish: several items are
  /// always carried small, and a picture that has become small stays small. Default false.
  func dragInteraction(_ interaction: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool

  /// The drag moved; called often. A new position comes only after this has returned.
  func dragInteraction(_ interaction: DragInteraction, sessionDidMove session: DragSession)

  /// The finger went up, and this is what will happen.
  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willEndWith operation: DropOperation)

  /// The session is over: after the cancel animation, or at once for copy and move.
  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation)

  /// After a copy or move: all data that the destination asked for has been delivered, or has failed.
  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession)
}

extension DragInteractionDelegate {
  /// Adds nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] { [] }
  /// Adds to none of them.
  public func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession? { nil }
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {}
  /// The item's region as it looks, or the interaction's.
  public func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? { .lifting(item, from: interaction.region) }
  /// Adds nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {}
  /// Flies home.
  public func dragInteraction(
    _ interaction: DragInteraction, previewForCancelling item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? { defaultPreview }
  /// Adds nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating
  ) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, didLift session: DragSession) {}
  /// The picture may shrink.
  public func dragInteraction(
    _ interaction: DragInteraction, prefersFullSizePreviewsFor session: DragSession
  ) -> Bool { false }
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {}
  /// Others get copies.
  public func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool { false }
  /// Moves are allowed.
  public func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession
  ) -> Bool { true }
  /// Everybody may see the session.
  public func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool { false }
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, sessionDidMove session: DragSession) {}
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willEndWith operation: DropOperation
  ) {}
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {}
}
