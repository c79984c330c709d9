import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// A program whose delegates are closures: each has to be given, or it says the default.
  final class Player: LocalProgram, DragInteractionDelegate, DropInteractionDelegate {
    var items: (DragSession) -> [DragItem] = { _ in [] }
    var adding: (DragInteraction, DragSession) -> [DragItem] = { _, _ in [] }
    var lift: (DragItem) -> TargetedDragPreview? = { _ in nil }
    var cancel: (DragItem, TargetedDragPreview) -> TargetedDragPreview? = { $1 }
    var drop: (DragItem, TargetedDragPreview) -> TargetedDragPreview? = { $1 }
    var begins: (DragSession) -> Void = { _ in }
    var moves: (DragSession) -> Void = { _ in }
    var keepsFullSize = false
    var update: (DropSession) -> DropProposal = { _ in DropProposal(operation: .copy) }
    var perform: (DropSession) -> Void = { _ in }
    /// How far an animation is, from 0 to 1: `lift`, `cancel` or `drop`.
    var progress: (String, Double) -> Void = { _, _ in }
    /// All that `progress` was told of each.
    private(set) var fractions: [String: [Double]] = [:]
    /// An animation is over, such as `lift end`.
    var completes: (String) -> Void = { _ in }
    /// Items are about to be added.
    var adds: () -> Void = {}

    /// Ends the application. Whatever a test gives it may hold it, and a session that is not over does: it would live for
    /// ever, and the desktop with it.
    func close() {
      client.close()
      regions = []
      items = { _ in [] }
      adding = { _, _ in [] }
      (lift, cancel, drop) = ({ _ in nil }, { $1 }, { $1 })
      (begins, moves, perform) = ({ _ in }, { _ in }, { _ in })
      update = { _ in DropProposal(operation: .cancel) }
      (progress, completes, adds) = ({ _, _ in }, { _ in }, {})
    }

    private func go(along animator: any DragAnimating, _ name: String) {
      calls.append("will \(name)")
      animator.addAnimations { [weak self] in
        self?.fractions[name, default: []].append($0)
        self?.progress(name, $0)
      }
      animator.addCompletion { [weak self] in
        self?.calls.append("\(name) \($0)")
        self?.completes("\(name) \($0)")
      }
    }

    func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] { items(s) }
    func dragInteraction(
      _ i: DragInteraction, itemsForAddingTo s: DragSession, withTouchAt p: Carry.Point
    ) -> [DragItem] { adding(i, s) }
    func dragInteraction(
      _ i: DragInteraction, session: DragSession, willAdd items: [DragItem], for adding: DragInteraction
    ) {
      calls.append("willAdd(\(items.count))")
      adds()
    }
    func dragInteraction(
      _ i: DragInteraction, previewForLifting item: DragItem, session: DragSession
    ) -> TargetedDragPreview? {
      calls.append("previewForLifting")
      return lift(item)
    }
    func dragInteraction(
      _ i: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
    ) { go(along: animator, "lift") }
    func dragInteraction(_ i: DragInteraction, sessionWillBegin session: DragSession) {
      calls.append("willBegin")
      begins(session)
    }
    func dragInteraction(_ i: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool {
      keepsFullSize
    }
    func dragInteraction(_ i: DragInteraction, sessionDidMove session: DragSession) { moves(session) }
    func dragInteraction(
      _ i: DragInteraction, previewForCancelling item: DragItem, withDefault preview: TargetedDragPreview
    ) -> TargetedDragPreview? {
      calls.append("previewForCancelling")
      return cancel(item, preview)
    }
    func dragInteraction(
      _ i: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating
    ) { go(along: animator, "cancel") }
    func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
      calls.append("didEnd(\(o))")
    }
    func dragInteraction(_ i: DragInteraction, sessionDidTransferItems s: DragSession) { calls.append("didTransfer") }

    func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal { update(s) }
    func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) {
      calls.append("performDrop")
      perform(s)
    }
    func dropInteraction(
      _ i: DropInteraction, previewForDropping item: DragItem, withDefault preview: TargetedDragPreview
    ) -> TargetedDragPreview? {
      calls.append("previewForDropping")
      return drop(item, preview)
    }
    func dropInteraction(_ i: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating) {
      go(along: animator, "drop")
    }
    func dropInteraction(_ i: DropInteraction, concludeDrop s: DropSession) { calls.append("concludeDrop") }
    func dropInteraction(_ i: DropInteraction, sessionDidEnd s: DropSession) { calls.append("sessionDidEnd") }
  }

  /// An item of words that is known by its name.
  static func item(_ name: String) -> DragItem {
    let item = DragItem(itemProvider: ItemProvider(text: name))
    item.localObject = name
    return item
  }

  /// A square picture of one colour.
  static func image(_ color: UInt32, side: Int) throws -> PreviewImage {
    try #require(
      PreviewImage(
        width: side, height: side,
        premultipliedARGB: Array(repeating: 0xFF00_0000 | color, count: side * side)))
  }
}

/// What there is of a colour in a part of the screen: how many of the pixels that were looked at, and where.
struct Blob {
  var count = 0
  var center = CarryModel.Point.zero
  var width = 0.0
  var height = 0.0
}

extension Screenshot {
  /// - Returns: nil where there is nothing of it.
  func blob(in rect: CarryModel.Rect, step: Int = 4, where matches: (Color) -> Bool) -> Blob? {
    var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
    var count = 0
    for y in stride(from: Int(rect.y), to: Int(rect.y + rect.height), by: step) {
      for x in stride(from: Int(rect.x), to: Int(rect.x + rect.width), by: step) where matches(self[x, y]) {
        count += 1
        (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
      }
    }
    guard count > 0 else { return nil }
    return Blob(
      count: count, center: Point(x: Double(left + right) / 2, y: Double(top + bottom) / 2),
      width: Double(right - left + step), height: Double(bottom - top + step))
  }
}
