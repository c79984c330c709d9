package import Carry
package import CarryModel
package import CarryWireClient

/// A drag of an application that uses another protocol. The engine's own bridge provides its items and moves its
/// finger. Points are screen pixels.
package final class ForeignDrag {
  private let wire: WireForeignDrag
  private var items: [DragItem]
  private var isOver = false
  /// Called with the result that a drop would have here, whenever that changes; `cancel` at first.
  package var onProposal: ((CarryModel.DropOperation) -> Void)?
  /// Called when the shelf keeps items of the drag, which may be loaded until `onEnd`.
  package var onKept: (() -> Void)?
  /// The last call: nothing more will be loaded. Not called after `cancel`.
  package var onEnd: ((CarryModel.DropOperation, _ delivered: Int) -> Void)?

  /// Begins a drag.
  ///
  /// - Parameters:
  ///   - process: the process that the drag comes from; nil if unknown.
  ///   - isByButton: whether a mouse button is down: only then may the shelf receive the items.
  ///   - items: at most `Limits.itemsPerSession`.
  ///   - window: the window that the drag enters.
  package init(
    _ wire: WireForeignDrag, _ client: Client, from process: Int32?, isByButton: Bool, _ items: [DragItem],
    over window: UInt32,
    at point: CarryModel.Point
  ) {
    self.wire = wire
    var promised: [DragItem] = []
    for item in items.prefix(Limits.itemsPerSession) {
      guard let proxy = item.promise(to: client) else { continue }
      wire.add(proxy)
      promised.append(item)
    }
    self.items = promised
    wire.begin(process: process, isByButton: isByButton, over: window, at: point)
    wire.onEvent = { [weak self] event in
      switch event {
      case .proposal(let operation): self?.onProposal?(operation)
      case .kept:
        self?.watchFiles()
        self?.onKept?()
      case .ended(let operation, let delivered): self?.ended(operation, delivered)
      case .lost: self?.ended(.cancel, 0)
      }
    }
  }

  deinit { finish() }

  package func move(to point: CarryModel.Point) { wire.move(to: point) }
  package func drop(at point: CarryModel.Point) { wire.drop(at: point) }

  /// Cancels the drag: it has left.
  package func cancel() { finish() }

  /// Withdraws items whose file has disappeared: a load that misses the file ends its promise, so that the shelf
  /// shows it.
  private func watchFiles() {
    for item in items {
      item.itemProvider.onMissingFile = { [weak self, weak item] in
        guard let self, let item, let i = items.firstIndex(where: { $0 === item }) else { return }
        items.remove(at: i).endPromise()
      }
    }
  }

  private func ended(_ operation: CarryModel.DropOperation, _ delivered: Int) {
    let told = onEnd
    finish()
    told?(operation, delivered)
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    (onProposal, onKept, onEnd) = (nil, nil, nil)
    wire.finish()
    for item in items { item.endPromise() }
  }
}
