import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// What tools for developers ask of the engine.
@Suite struct ToolTests {
  private typealias R = RawClient

  private func listing(_ region: UInt32, of client: ClientID) -> RegionListing {
    RegionListing(
      RegionID(region), of: client, window: WindowID(7), rect: Rect(x: 10, y: 20, width: 300, height: 200),
      roles: .drop, acceptedTypes: ["image/png"], isStandIn: false, reachable: 1, cover: nil)
  }

  @Test(
    "Z29, I15: a client hears of all regions, and in a sandbox of its own only",
    arguments: [nil, Sandbox.flatpak("a.b")])
  func Z29_I15_regions(sandbox: Sandbox?) throws {
    let b = try Bench()
    b.server.findProgram = { _, process, _ in (ProgramIdentity(process: process, sandbox: sandbox), nil) }
    let raw = try b.client()
    b.delegate.listed = [listing(1, of: b.delegate.last), listing(2, of: ClientID(900)), listing(3, of: ClientID(901))]
    raw.send(R.message(3, 10, R.words([4])))
    #expect(b.settle(raw, sync: 5) && raw.hasReceived(4, 2))
    #expect(try #require(raw.event(of: 4, 2)).words == [sandbox == nil ? 3 : 1])
  }

  @Test("Z29: no more than 512 regions are sent, and how many there are is told") func Z29_many() throws {
    let b = try Bench()
    let raw = try b.client()
    b.delegate.listed = (1...600).map { listing($0, of: ClientID(900)) }
    raw.send(R.message(3, 10, R.words([4])))
    #expect(b.settle(raw, sync: 5) && !raw.hasEnded)
    let events = raw.events(before: 5).filter { $0.object == 4 }
    #expect(events.count { $0.opcode == 0 } == 512 && events.last?.words == [600])
  }

  @Test("Z29: regions that were refused are listed with their reason, until there is one in the window")
  func Z29_refused() throws {
    let b = try Bench()
    let raw = try b.client()
    b.delegate.refusal = .notYours
    raw.send(R.message(3, 2, R.words([4, 77])))
    raw.send(R.message(3, 10, R.words([5])))
    #expect(b.settle(raw, sync: 6) && raw.hasReceived(5, 1))
    #expect(try #require(raw.event(of: 5, 1)).words.contains(77))
    b.delegate.refusal = nil
    raw.send(R.message(3, 2, R.words([7, 77])) + R.message(3, 10, R.words([8])))
    #expect(b.settle(raw, sync: 9) && !raw.hasReceived(8, 1) && raw.hasReceived(8, 2))
  }

  @Test("Z29: a client that does not read its lists is disconnected before they cost much") func Z29_unread() throws {
    let b = try Bench()
    let raw = try b.client()
    b.delegate.listed = (1...512).map { listing($0, of: ClientID(900)) }
    // In one piece: the socket's buffer holds fewer small ones.
    raw.send((0..<300).flatMap { R.message(3, 10, R.words([4 + UInt32($0)])) })
    #expect(b.turn { b.delegate.gone.count == 1 })
    #expect(b.delegate.lists < 20, "\(b.delegate.lists)")
  }

  @Test(
    "Z29, I15: a monitor is sent details once it asks for them, and never in a sandbox",
    arguments: [nil, Sandbox.flatpak("a.b")])
  func Z29_I15_details(sandbox: Sandbox?) throws {
    let b = try Bench()
    b.server.findProgram = { _, process, _ in (ProgramIdentity(process: process, sandbox: sandbox), nil) }
    let raw = try b.client()
    let detail = MonitorDetail.contact(ContactDetail(ContactID(7), .pressing, at: Point(x: 10, y: 20)))
    raw.send(R.message(3, 4, R.words([4])))
    #expect(b.turn { b.delegate.monitors == 1 } && !b.delegate.detailsAreWatched)
    b.server.detail(detail, at: .zero)
    raw.send(R.message(4, 1, []))
    #expect(b.settle(raw, sync: 5) && b.delegate.detailsAreWatched == (sandbox == nil))
    b.server.detail(detail, at: .zero)
    #expect(b.settle(raw, sync: 6))
    #expect(raw.events(before: 6).count { $0.object == 4 } == (sandbox == nil ? 1 : 0))
    raw.send(R.message(4, 0, []))
    #expect(b.turn { !b.delegate.detailsAreWatched })
  }

  private final class Fingers: PlayedTouchscreen {
    var played: [String] = []
    func handle(finger: UInt32, _ phase: Touch.Phase, _ point: Point) {
      played.append("\(finger) \(phase) \(Int(point.x)),\(Int(point.y))")
    }
    func remove() { played.append("removed") }
  }

  @Test("Z34: only an engine for tests lets a client play fingers, which go with the client") func Z34_player() throws {
    let ordinary = try Bench()
    let refused = try ordinary.client()
    refused.send(R.message(3, 11, R.words([4])))
    #expect(ordinary.ends(refused))
    let b = try Bench()
    let fingers = Fingers()
    b.server.makeTouchscreen = { fingers }
    var raw: RawClient? = try b.client()
    raw?.send(R.message(3, 11, R.words([4])))
    for (phase, x) in [(UInt32(0), UInt32(10)), (1, 20), (2, 20)] {
      raw?.send(R.message(4, 1, R.words([1, phase, x * 256, 5 * 256])))
    }
    #expect(b.turn { fingers.played == ["1 began 10,5", "1 moved 20,5", "1 ended 20,5"] }, "\(fingers.played)")
    raw = nil
    #expect(b.turn { fingers.played.last == "removed" })
    for (finger, phase) in [(UInt32(10), UInt32(0)), (0, 4), (.max, .max)] {
      let wrong = try b.client()
      wrong.send(R.message(3, 11, R.words([4])) + R.message(4, 1, R.words([finger, phase, 0, 0])))
      #expect(b.ends(wrong))
    }
  }
}
