import CarryModel
import CarrySessions

extension GuestTests {
  /// At the left a window of another application, in the middle one of client 5, and at the right a target, client 2.
  final class Scene {
    let p = Play()
    let foreign: RegionID
    let own: RegionID
    let target: RegionID
    private var numbers: UInt32 = 100

    init() throws {
      p.holdsTouches = true
      foreign = try Self.standIn(p, 0)
      own = try p.window(5, Rect(x: 400, y: 0, width: 400, height: 800), [.drag, .drop])
      target = try p.window(2, Rect(x: 800, y: 0, width: 400, height: 800), .drop)
      p.engine.setIdentity(ProgramIdentity(process: .peer(30), program: "org.example.files"), of: foreign)
      p.engine.setIdentity(GuestTests.photos, of: ClientID(5))
      p.engine.setIdentity(ProgramIdentity(process: .peer(2), program: "org.example.letters"), of: ClientID(2))
      p.itemsToLift = { [unowned self] _ in [next()] }
      p.itemsToAdd = { [unowned self] _ in [next()] }
      p.perform = { p, session, region, client in
        for item in 0..<3 {
          p.act {
            _ = $0.requestLoad(
              by: client, session, region: region, item: item, type: "text/plain", at: p.instant, into: &$1)
          }
        }
      }
    }

    static func standIn(_ p: Play, _ x: Double) throws -> RegionID {
      let own = try p.window(3, Rect(x: x, y: 0, width: 200, height: 800), [])
      p.act { e, a in e.removeRegion(own, at: p.instant, into: &a) }
      return try p.engine.addRegion(
        client: GuestTests.bridge, window: p.lastWindow, rect: Rect(x: 0, y: 0, width: 200, height: 800), roles: .drag,
        isStandIn: true)
    }

    private func next() -> ItemDescription {
      numbers += 1
      var item = ItemDescription(
        id: ItemID(numbers), name: "item \(numbers)",
        types: [
          OfferedType(name: "text/plain"), OfferedType(name: "a/team", visibility: .team),
          OfferedType(name: "a/own", visibility: .ownProcess),
        ])
      item.teamData = [7]
      return item
    }

    /// Lifts out of the other application, and carries that past the window in the middle.
    func lift(_ finger: UInt32 = 1, at x: Double = 100) {
      p.lift(finger, x, 300)
      for case .source(GuestTests.bridge, _, .itemsForBeginning(_, let serial, _)) in p.log {
        p.act { e, _ in e.trialIsOver(by: GuestTests.bridge, serial: serial) }
      }
      p.move(finger, x + 50, 300)
    }

    /// What the shelf keeps.
    var kept: [KeptItemID] = []

    /// A shelf at the right edge, client 7, which keeps the first items of each drop.
    func openShelf(keeping count: Int) throws {
      var identity = ProgramIdentity(process: .peer(7))
      identity.isShelf = true
      let shelf = try p.window(7, Rect(x: 1200, y: 0, width: 80, height: 800), [.drag, .drop])
      p.engine.setIdentity(identity, of: ClientID(7))
      let load = p.perform
      p.perform = { [unowned self] p, session, region, client in
        guard region == shelf else { return load(p, session, region, client) }
        kept += (0..<count).compactMap { p.engine.keep(by: client, session, region: region, item: $0) }
      }
    }

    func tap(_ finger: UInt32 = 2) { p.tap(finger, 600, 300) }

    func drop() {
      p.move(1, 900, 300)
      p.wait(400)
      p.up(1, 900, 300)
      p.wait(700)
    }

    /// What the target was shown.
    var offered: [ItemDescription] {
      p.log.flatMap { action -> [ItemDescription] in
        if case .destination(_, _, target, .offer(let items, _, _, _)) = action { items } else { [] }
      }
    }

    /// The loads that sources were asked for: of which client, item and session.
    var loads: [String] {
      p.log.compactMap {
        if case .load(let client, _, let item, let session, _, _, _) = $0 {
          "\(item.raw) in \(session.raw) by \(client.raw)"
        } else {
          nil
        }
      }
    }
  }
}
