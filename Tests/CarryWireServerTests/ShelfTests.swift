import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// Z15, T13: what only the engine's own shelf may do.
@Suite(.serialized) struct ShelfTests {
  private typealias R = RawClient

  /// The shelf, played by the test; its process is a child that does nothing.
  private func shelf(_ b: Bench) throws -> (RawClient, ChildProcess) {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    let theirs = Descriptor(owning: clinux_dup_above(pair.theirs.raw, 0))
    let process = try ChildProcess(["sleep", "1000"])
    try b.server.add(.shelf, at: pair.takeOurs(), process: process.pid)
    let raw = RawClient(on: theirs)
    raw.greet()
    return (raw, process)
  }

  /// `create_shelf` of the manager, as object 4.
  private static let create = R.message(3, 9, R.words([4]))

  @Test("Z15: a client that the engine has not started as its shelf is disconnected when it wants to be it")
  func Z15_notEverybody() throws {
    let b = try Bench()
    let raw = try b.client()
    raw.send(Self.create)
    #expect(b.ends(raw))
    // Nor is the shelf the bridge, and it is the shelf once.
    let (bridge, process) = try shelf(b)
    defer { process.stop(SIGKILL) }
    bridge.send(R.message(3, 8, R.words([4])))
    #expect(b.ends(bridge))
    let (twice, other) = try shelf(b)
    defer { other.stop(SIGKILL) }
    twice.send(Self.create + R.message(3, 9, R.words([5])))
    #expect(b.ends(twice))
  }

  @Test("Z15: the shelf hears of drags, also of one that was there before it, and is known as the shelf")
  func Z15_places() throws {
    let b = try Bench()
    var wanted = 0
    b.server.shelf.onWanted = { wanted += 1 }
    let place = ShelfPlace(
      monitor: Rect(x: 1280, y: 0, width: 1920, height: 1080), scale: 1.5, edge: .bottom)
    b.server.showShelf(place)
    let (raw, process) = try shelf(b)
    defer { process.stop(SIGKILL) }
    raw.send(Self.create)
    #expect(b.settle(raw, sync: 5) && wanted == 1)
    #expect(raw.event(of: 4, 0, within: 5)?.words == [1280, 0, 1920, 1080, 384, 3])
    #expect(b.delegate.programs[b.delegate.last]?.isShelf == true)
    b.server.showShelf(nil)
    #expect(b.settle(raw, sync: 6) && raw.event(of: 4, 1, within: 5) != nil && wanted == 1)
    var signs = 0
    b.server.shelf.onSign = { signs += 1 }
    raw.send(R.message(4, 2))
    #expect(b.settle(raw, sync: 7) && signs == 1)
  }
}
