import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import Testing

@testable import Carry

/// What the library makes of what the engine says, without an engine.
@Suite struct EventTests {
  private final class Target: DropInteractionDelegate {
    let calls = CallRecorder()
    var handles = true

    func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool {
      calls.add("target", "canHandle")
      return handles
    }
    func dropInteraction(_ i: DropInteraction, sessionDidEnter s: DropSession) { calls.add("target", "didEnter") }
    func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
      calls.add("target", "didUpdate")
      return DropProposal(operation: .copy)
    }
    func dropInteraction(_ i: DropInteraction, sessionDidExit s: DropSession) { calls.add("target", "didExit") }
    func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) { calls.add("target", "performDrop") }
    func dropInteraction(_ i: DropInteraction, concludeDrop s: DropSession) { calls.add("target", "concludeDrop") }
    func dropInteraction(_ i: DropInteraction, sessionDidEnd s: DropSession) { calls.add("target", "didEnd") }
  }

  private final class Source: DragInteractionDelegate {
    let calls = CallRecorder()

    func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] { [] }
    func dragInteraction(_ i: DragInteraction, liftDidBegin s: DragSession) { calls.add("source", "liftDidBegin") }
    func dragInteraction(_ i: DragInteraction, didLift s: DragSession) { calls.add("source", "didLift") }
    func dragInteraction(_ i: DragInteraction, liftDidEndAt p: AnimatingPosition, session s: DragSession) {
      calls.add("source", "liftDidEnd(\(p))")
    }
    func dragInteraction(_ i: DragInteraction, sessionWillBegin s: DragSession) { calls.add("source", "willBegin") }
    func dragInteraction(_ i: DragInteraction, sessionDidMove s: DragSession) { calls.add("source", "didMove") }
    func dragInteraction(_ i: DragInteraction, session s: DragSession, willEndWith o: Carry.DropOperation) {
      calls.add("source", "willEnd(\(o))")
    }
    func dragInteraction(_ i: DragInteraction, session s: DragSession, didEndWith o: Carry.DropOperation) {
      calls.add("source", "didEnd(\(o))")
    }
  }

  private func region() throws -> Region {
    let client = try Client(awaitingEngineAs: "test", socket: "/tmp/carry-no-such-folder/socket")
    return Region(client: client, window: 1, frame: .init(x: 0, y: 0, width: 100, height: 100))
  }

  @Test("D5, D6, D8, D11, D14: the target hears of each event once, in the order it came")
  func D5_D6_D8_D11_D14_target() throws {
    let (region, target, wire) = (try region(), Target(), WireDropSession())
    let drop = DropInteraction(delegate: target)
    drop.begin(wire, SessionID(1), in: region)
    for event: WireDropEvent in [
      .canHandle(serial: 1), .entered, .update(serial: 2), .exited, .entered, .update(serial: 3),
      .perform(serial: 4, .copy), .conclude, .didEnd(.copy),
    ] {
      wire.deliver(event)
    }
    #expect(
      target.calls.calls(to: "target") == [
        "canHandle", "didEnter", "didUpdate", "didExit", "didEnter", "didUpdate", "performDrop", "concludeDrop",
        "didEnd",
      ])
  }

  @Test("Z8: a target hears of the end when the engine goes") func Z8_lostTarget() throws {
    let (region, target, wire) = (try region(), Target(), WireDropSession())
    let drop = DropInteraction(delegate: target)
    drop.begin(wire, SessionID(1), in: region)
    wire.deliver(.canHandle(serial: 1))
    wire.deliver(.lost)
    #expect(target.calls.calls(to: "target") == ["canHandle", "didEnd"])
  }

  @Test("E1: a source whose engine goes in mid-drag hears that nothing was dropped") func E1_lostSource() throws {
    let (region, source, wire) = (try region(), Source(), WireDragSession())
    let drag = DragInteraction(delegate: source)
    let session = DragSession(wire, SessionID(1), interaction: drag, in: region, at: .zero)
    for event: WireDragEvent in [
      .liftBegan, .lifted, .liftEnded(atEnd: true), .willBegin(serial: 1, .zero), .moved(.zero), .lost,
    ] {
      wire.deliver(event)
    }
    #expect(
      source.calls.calls(to: "source") == [
        "liftDidBegin", "didLift", "liftDidEnd(end)", "willBegin", "didMove", "willEnd(cancel)", "didEnd(cancel)",
      ])
    withExtendedLifetime(session) {}
  }

  @Test("what comes when nobody waits any more is closed") func unhandled() throws {
    let load = WireLoad()
    var fds: [CInt] = [-1, -1]
    #expect(pipe(&fds) == 0)
    defer { close(fds[1]) }
    load.deliver(.delivery(.stream(fds[0])))
    // The other end is told that nobody reads.
    var end = pollfd(fd: fds[1], events: Int16(POLLOUT), revents: 0)
    let isTold = wait { poll(&end, 1, 0) == 1 && end.revents & Int16(POLLERR) != 0 }
    #expect(isTold)
  }
}
