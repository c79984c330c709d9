import Carry
import CarryModel
import CarryTesting

extension DesktopTests {
  /// A program that writes down every call of its delegates, in order.
  final class App: LocalProgram, DragInteractionDelegate, DropInteractionDelegate {
    var items: () -> [DragItem] = { [DragItem(itemProvider: ItemProvider(text: "hello"))] }
    var added: () -> [DragItem] = { [] }
    var onPerform: (DropSession) -> Void = { _ in }
    var onTransferred: (DragSession) -> Void = { _ in }
    var allowsMoveToOthers = false
    var canHandle = true
    var onUpdate: (DropSession) -> Carry.DropOperation = { _ in .copy }

    /// Where recordings of one drag begin, and where they end.
    static let left = CarryModel.Rect(x: 50, y: 250, width: 300, height: 300)
    static let right = CarryModel.Rect(x: 850, y: 250, width: 300, height: 300)

    /// A source at the left, and a target at the right.
    static func pair(_ desktop: Desktop) throws -> (source: App, target: App) {
      let (source, target) = (try App(desktop, "source"), try App(desktop, "target"))
      source.takePlaces(isTarget: false)
      target.takePlaces(isSource: false)
      return (source, target)
    }

    /// Has what recordings of one drag are for: a source at the left, a target at the right, or both.
    func takePlaces(isSource: Bool = true, isTarget: Bool = true) {
      if isSource { _ = region(Self.left, [DragInteraction(delegate: self)]) }
      if isTarget { _ = region(Self.right, [DropInteraction(delegate: self)]) }
    }

    func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
      calls.append("itemsForBeginning")
      return items()
    }
    func dragInteraction(
      _ i: DragInteraction, itemsForAddingTo s: DragSession, withTouchAt p: Carry.Point
    ) -> [DragItem] {
      calls.append("itemsForAdding")
      return added()
    }
    func dragInteraction(_ i: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession) {
      calls.append(position == .end ? "liftDidEnd(end)" : "liftDidEnd(start)")
    }
    func dragInteraction(_ i: DragInteraction, sessionWillBegin s: DragSession) { calls.append("willBegin") }
    func dragInteraction(_ i: DragInteraction, session: DragSession, willEndWith o: Carry.DropOperation) {
      calls.append("willEnd(\(o))")
    }
    func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
      calls.append("didEnd(\(o))")
    }
    func dragInteraction(_ i: DragInteraction, sessionDidTransferItems s: DragSession) {
      calls.append("didTransfer")
      onTransferred(s)
    }
    func dragInteraction(_ i: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession) -> Bool {
      allowsMoveToOthers
    }

    func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool {
      calls.append("canHandle")
      return canHandle
    }
    func dropInteraction(_ i: DropInteraction, sessionDidEnter s: DropSession) { calls.append("didEnter") }
    func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
      if calls.last != "didUpdate" { calls.append("didUpdate") }
      return DropProposal(operation: onUpdate(s))
    }
    func dropInteraction(_ i: DropInteraction, sessionDidExit s: DropSession) { calls.append("didExit") }
    func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) {
      calls.append("performDrop")
      onPerform(s)
    }
    func dropInteraction(_ i: DropInteraction, concludeDrop s: DropSession) { calls.append("concludeDrop") }
    func dropInteraction(_ i: DropInteraction, sessionDidEnd s: DropSession) { calls.append("sessionDidEnd") }
  }
}
