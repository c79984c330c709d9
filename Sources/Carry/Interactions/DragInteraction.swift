import CarryModel
import CarryWireClient

/// Lets a region be a drag source: a long press lifts what its delegate names.
public final class DragInteraction: Interaction {
  /// Supplies the items and hears of the session. Not kept alive by the interaction.
  public private(set) weak var delegate: (any DragInteractionDelegate)?
  /// The region it was added to.
  public private(set) weak var region: Region?
  /// Whether presses lift. True from the start.
  public var isEnabled = true {
    didSet { region?.sendRoles() }
  }

  /// An interaction that asks `delegate`, which the caller keeps alive.
  public init(delegate: any DragInteractionDelegate) { self.delegate = delegate }

  /// Called by the region.
  public func moved(to region: Region?) { self.region = region }

  func begin(
    _ wire: WireDragSession, _ number: SessionID, serial: UInt32, at point: CarryModel.Point, in region: Region
  ) {
    let session = DragSession(wire, number, interaction: self, in: region, at: point)
    let items = delegate?.dragInteraction(self, itemsForBeginning: session) ?? []
    guard !items.isEmpty else { return wire.answer(serial: serial, options: 0) }
    region.client.dragSessions[number] = session
    var options: UInt32 = 0
    if delegate?.dragInteraction(self, sessionAllowsMoveOperation: session) ?? true { options |= 1 }
    if delegate?.dragInteraction(self, sessionIsRestrictedToDraggingApplication: session) ?? false { options |= 2 }
    session.allowsMoveOperation = options & 1 != 0
    session.isRestrictedToDraggingApplication = options & 2 != 0
    session.append(items, client: region.client)
    wire.answer(serial: serial, options: options)
  }
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
/// All methods are called on the client's thread, from within `Client.dispatch()`, and are to return at once: a finger
/// waits. Points are in pixels of the interaction's region.
public protocol DragInteractionDelegate: AnyObject {
  /// Which items does this press lift? Asked just before the lift animation; `session.location(in:)` is valid.
  ///
  /// - Returns: the items, the last one topmost; none, and the touch goes on as if there were no drag interaction.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem]

  /// Which items does a tap of another finger add to a session of this application that is under way?
  ///
  /// - Parameter point: pixels of the region that was tapped.
  /// - Returns: the items; none, and nothing is added. The default adds nothing.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem]

  /// The lift's animation ended: complete, or back at its start because the finger went up.
  func dragInteraction(_ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession)

  /// The finger moved: the drag proper begins.
  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession)

  /// Whether a destination in this application may propose a move. Default true.
  func dragInteraction(_ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession) -> Bool

  /// Whether other applications are not to see this session. Default false.
  func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool

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
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {}
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
