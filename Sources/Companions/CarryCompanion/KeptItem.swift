package import Carry
package import CarryModel
import CarryWireClient

/// An item that the engine's own shelf keeps: a promise, whose data remains with its owner.
package final class KeptItem {
  let wire: WireKeptItem
  /// Called once when the item is kept, with the picture from its drag, if any: an X pixmap of depth 32, and its size
  /// in pixels. The pixmap is valid until `release`.
  package var onKept: ((_ pixmap: UInt32?, _ size: CarryModel.Size) -> Void)?
  /// Called when the item's owner has gone, or when the item could not be kept.
  package var onGone: (() -> Void)?

  init(_ wire: WireKeptItem) {
    self.wire = wire
    wire.onEvent = { [weak self] event in
      switch event {
      case .kept(let pixmap, let size): self?.onKept?(pixmap, size)
      case .gone: self?.onGone?()
      case .lost: break
      }
    }
  }

  deinit { wire.release() }

  /// Stops keeping the item. Running drags and loads of it continue.
  package func release() { wire.release() }
}

extension DragItem {
  /// Makes this item of the shelf stand for one that it keeps.
  package func represent(_ kept: KeptItem) { keptItem = kept.wire }
}
