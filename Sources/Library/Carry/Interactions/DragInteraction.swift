import CarryModel
import CarryWireClient

/// Makes a region a drag source: a long press lifts the items that its delegate supplies.
public final class DragInteraction: Interaction {
  /// Supplies the items and is notified of the session's events. Not retained by the interaction.
  public private(set) weak var delegate: (any DragInteractionDelegate)?
  /// A delegate made of closures, which the interaction retains.
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

  /// Whether the application implements drags by mouse and pen itself. Carry then leaves every click on the region to
  /// the application, and lifts by touch, trackpad and keys only. Initially false: a mouse that moves with its button
  /// down on something draggable belongs to Carry, and every other click to the application.
  public var dragsByPointerItself = false {
    didSet { if dragsByPointerItself != oldValue { region?.sendRoles() } }
  }

  /// Returns whether a press at this point, in pixels of the region, may lift items. Called as the press begins, on the
  /// client's thread; return at once: the application's own touch or click waits.
  ///
  /// After false, the touch or click is the application's at once, as beside the region. Set it where only parts of a
  /// region are draggable, such as the rows of a list but not its buttons. While it is nil, any press may lift, and
  /// `itemsForBeginning` decides when the press has lasted.
  public var mayBegin: ((Point) -> Bool)? {
    didSet { if (mayBegin == nil) != (oldValue == nil) { region?.sendRoles() } }
  }

  /// Creates an interaction that asks `delegate`, which the caller retains.
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

/// A delegate that must first find out which items to lift: the engine's own bridge to applications of another
/// protocol.
package protocol DeferringDragDelegate: DragInteractionDelegate {
  /// Like `itemsForBeginning`, with an answer that may come later.
  ///
  /// - Parameters:
  ///   - serial: the number of the question.
  ///   - answer: call it once. After the session's end it has no effect.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForBeginning session: DragSession, serial: UInt32,
    answer: @escaping ([DragItem]) -> Void)
  /// Like `itemsForAddingTo`, with an answer that may come later.
  ///
  /// - Parameters:
  ///   - point: in pixels of the tapped region.
  ///   - serial: the number of the question.
  ///   - answer: call it once. After the session's end it has no effect.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point, serial: UInt32,
    answer: @escaping ([DragItem]) -> Void)
}

/// The position at which an animation stopped.
public enum AnimatingPosition: Sendable {
  /// The end: the lift is complete.
  case end
  /// The start: the lift was reversed.
  case start
}

/// Supplies a drag interaction's items and is notified of its sessions. Only the first method is required.
///
/// All methods are called on the client's thread, from within `Client.dispatch()`, and must return at once: a finger
/// waits. Points are in pixels of the interaction's region.
public protocol DragInteractionDelegate: AnyObject {
  /// Returns the items that a press lifts. Called just before the lift animation; `session.location(in:)` is valid.
  ///
  /// A tap may also cause this call, while a finger carries items lifted from an application that does not know
  /// Carry. The items then join that stack, and the session ends with it. `sessionWillBegin` follows without a lift,
  /// and `sessionDidMove` is never called: create nothing in `liftDidBegin`, `didLift` or `liftDidEndAt` that later
  /// methods need. `willAdd` follows once the engine has the items' pictures: dim the originals there. A drop is a
  /// copy for this application, whatever the destination does. If the session is restricted to its application, the
  /// items do not join, and it ends at once with `.cancel`. Further taps call `itemsForAddingTo` with this session.
  ///
  /// - Returns: the items, the last one topmost. If there are none, the touch continues as if there were no drag
  ///   interaction.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem]

  /// Returns the items that a tap of another finger adds to a running session of this application.
  ///
  /// - Parameters:
  ///   - interaction: the tapped interaction, which may differ from the one where the session began.
  ///   - session: the running session. Check its items to avoid adding an item twice.
  ///   - point: in pixels of the tapped region.
  /// - Returns: the items to add. The default adds nothing.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem]

  /// Chooses the one of several running sessions of this application to which a tap on the region adds items. Not
  /// called if there is only one.
  ///
  /// - Parameters:
  ///   - interaction: the tapped interaction.
  ///   - sessions: the running sessions, oldest first.
  ///   - point: in pixels of the tapped region.
  /// - Returns: one of the sessions, for which `itemsForAddingTo` is then called; or nil, the default: the tap is an
  ///   ordinary one.
  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession?

  /// Notifies that items join the session. Called for every interaction that has contributed to the session,
  /// including the adding one, once the engine has the items' pictures: dim the originals here. Not called if the
  /// session ended meanwhile.
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

  /// Notifies that the lift is about to be shown: add animations alongside, such as fading overlays. The rising
  /// picture is live: dim the original in the completion, if its position is `.end`. If the lift is reversed, the
  /// animations run back by themselves.
  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession)

  /// Returns where an item goes when its drag is cancelled. Called for each of at most ten items. If there are more,
  /// all fly back.
  ///
  /// - Returns: the default, which flies back; the default at another place; another preview; or nil, and the item
  ///   fades where it is.
  func dragInteraction(
    _ interaction: DragInteraction, previewForCancelling item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview?

  /// Notifies that an item is about to fly back: add animations alongside. With more than ten items this is called
  /// once, for the first. Undo any dimming here, and also in `didEndWith`, which is called after a copy as well.
  func dragInteraction(
    _ interaction: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating)

  /// Notifies that the items begin to rise. Their pictures are live until the drag begins.
  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession)

  /// Notifies that the items have risen: moving now starts the drag.
  func dragInteraction(_ interaction: DragInteraction, didLift session: DragSession)

  /// Notifies that the lift's animation has ended: complete, or back at its start because the finger was lifted.
  func dragInteraction(_ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession)

  /// Notifies that the finger moved and the drag begins. The questions below follow, in their order; no other program
  /// sees the session before they are answered. It may be called without a lift: see `itemsForBeginning`.
  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession)

  /// Returns whether a destination in this application may propose a move. Default true.
  func dragInteraction(_ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession) -> Bool

  /// Returns whether a destination in another application may propose a move. In `sessionDidTransferItems`,
  /// `DragSession.movedItems` lists the items that have arrived there: delete those. Default false: other
  /// applications get copies.
  func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool

  /// Returns whether this session is hidden from other applications. Default false.
  func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool

  /// Returns whether the picture should keep its size while it is over the source's window. Only a preference:
  /// several items are always carried small, and a picture that has become small stays small. Default false.
  func dragInteraction(_ interaction: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool

  /// Notifies that the drag moved; called often. The next position arrives only after this has returned.
  func dragInteraction(_ interaction: DragInteraction, sessionDidMove session: DragSession)

  /// Notifies that the finger was lifted, and which operation will follow.
  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willEndWith operation: DropOperation)

  /// Notifies that the session is over: after the cancel animation, or at once for copy and move.
  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation)

  /// Notifies, after a copy or move, that all data requested by the destination has been delivered, or has failed.
  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession)
}

extension DragInteractionDelegate {
  /// Adds nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] { [] }
  /// Chooses none of them.
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
  /// Flies back.
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
  /// Other applications get copies.
  public func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool { false }
  /// Moves are allowed.
  public func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession
  ) -> Bool { true }
  /// The session is not hidden.
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
