import Carry
import CarryCompanion
import CarryModel

/// The engine's session for a drag of another program. `ForeignDrag` implements it; tests use a double.
protocol ForeignSession: AnyObject {
  /// Called with the result that a drop would have here, whenever that changes.
  var onProposal: ((CarryModel.DropOperation) -> Void)? { get set }
  /// Called when the shelf keeps items of the drag, which may be loaded until `onEnd`.
  var onKept: (() -> Void)? { get set }
  /// The last call; not made after `cancel`.
  var onEnd: ((CarryModel.DropOperation, _ delivered: Int) -> Void)? { get set }
  func move(to point: CarryModel.Point)
  func drop(at point: CarryModel.Point)
  func cancel()
}

extension ForeignDrag: ForeignSession {}
