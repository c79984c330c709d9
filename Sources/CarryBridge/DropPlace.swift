import Carry
import CarryModel
import CarrySystem

/// A window of another program as a region that accepts drops.
final class DropPlace: DeferringDropDelegate {
  private let target: TargetWindow
  private unowned let bridge: Bridge
  private let region: Carry.Region
  private var interaction: DropInteraction?

  init(_ target: TargetWindow, _ bridge: Bridge) {
    (self.target, self.bridge) = (target, bridge)
    region = bridge.makeRegion(target)
    // Announced to users who carry with the keyboard.
    region.label = bridge.programName(of: target)
    region.onRefused = { (why: String) in Log.debug("window \(target.window): \(why)") }
    let interaction = DropInteraction(delegate: self)
    interaction.allowsSimultaneousDropSessions = true
    region.addInteraction(interaction)
    self.interaction = interaction
  }

  func resize() {
    region.frame = Carry.Rect(x: 0, y: 0, width: Int(target.frame.width), height: Int(target.frame.height))
  }

  func remove() { region.invalidate() }

  // MARK: Calls from the engine

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    bridge.ended(session)
    // Drops only copy. In the window from which a file was lifted, that would create a second file beside it.
    if session.localDragSession?.region.window == target.window { return false }
    return bridge.makeDrag(of: session, over: target).hasTypes
  }

  func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession, answer: @escaping (DropProposal) -> Void
  ) {
    let now = MonotonicClock.now()
    guard let drag = bridge.drag(of: session) else { return answer(DropProposal(operation: .cancel)) }
    drag.moved(at: now, answer: answer)
    bridge.arrange(at: now)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    let now = MonotonicClock.now()
    bridge.drag(of: session)?.left(at: now)
    bridge.arrange(at: now)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession, done: @escaping () -> Void) {
    guard let drag = bridge.drag(of: session) else { return done() }
    drag.dropped(at: MonotonicClock.now(), done: done)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { bridge.ended(session) }
}
