import CarryGestures
import CarryModel
import CarrySessions
import CarrySystem
import CarryTesting
import Testing

/// Thousands of random scripts: fingers that do anything, clients that answer anything at any time, or die.
@Suite struct RandomPlayTests {
  /// A small generator of its own: the same seed, the same play, everywhere.
  private struct Dice {
    var state: UInt64
    mutating func roll(_ n: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % n
    }
  }

  private static func play(_ seed: UInt64) throws -> Play {
    var dice = Dice(state: seed &* 2_654_435_761 &+ 1)
    let p = Play()
    p.provokes = ["the end of an animation"]
    var regions: [RegionID] = []
    p.desktop = (11..<30).map { DesktopWindow(id: WindowID($0), icon: Rect(x: 0, y: 0, width: 300, height: 300)) }
    // Client 4 is the bridge in some plays, and its window another application's (Z23).
    let hasBridge = dice.roll(2) == 0
    p.holdsTouches = hasBridge
    func open(_ client: UInt32) throws {
      let x = Double(client) * 250 - 200
      regions.append(
        try p.window(
          client, Rect(x: x, y: 100, width: 200, height: 500),
          RegionRoles(rawValue: UInt32(1 + dice.roll(7) + 16 * dice.roll(2)))))
      if hasBridge, client == 4 {
        let own = regions.removeLast()
        p.act { $0.removeRegion(own, at: p.instant, into: &$1) }
        let stand = try p.engine.addRegion(
          client: ClientID(client), window: p.lastWindow, rect: Rect(x: 0, y: 0, width: 200, height: 500), roles: .drag,
          isStandIn: true)
        p.engine.setIdentity(ProgramIdentity(process: .peer(40), program: "other"), of: stand)
        return regions.append(stand)
      }
      regions.append(
        try p.region(client, p.lastWindow, Rect(x: 20, y: 20, width: 100, height: 100), RegionRoles(rawValue: 7)))
    }
    for client: UInt32 in 1...4 { try open(client) }
    var down: Set<UInt32> = []
    var finger: UInt32 = 0
    p.itemsToLift = { _ in (0..<dice.roll(4)).map { Play.item(UInt32(100 + $0)) } }
    p.itemsToAdd = { _ in (0..<dice.roll(3)).map { Play.item(UInt32(200 + $0)) } }
    p.canHandle = { _ in [true, true, false, nil][dice.roll(4)] }
    p.proposal = { _, _ in
      [
        .copy, .copy, .move, .forbidden, .cancel, nil, Proposal(.copy, isPrecise: true),
        Proposal(.copy, isPrecise: dice.roll(2) == 0, prefersFullSize: true),
      ][dice.roll(8)]
    }
    p.chooses = { sessions in [nil, .some(nil), .some(sessions.first), .some(SessionID(99))][dice.roll(4)] }
    p.stackUnder = { _ in dice.roll(3) == 0 ? SessionID(UInt32(1 + dice.roll(12))) : nil }
    p.provides = { _, _, _ in [true, false, nil][dice.roll(3)] }
    p.perform = { p, id, region, client in
      for item in 0..<dice.roll(3) {
        p.act { e, a in
          _ = e.requestLoad(by: client, id, region: region, item: item, type: "text/plain", at: p.instant, into: &a)
        }
      }
    }
    for _ in 0..<400 {
      let (x, y) = (Double(dice.roll(1280)), Double(dice.roll(800)))
      switch dice.roll(30) {
      case 0, 1, 2:
        finger += 1
        down.insert(finger)
        p.down(finger, x, y)
      case 3, 4, 5, 6, 7:
        if let f = down.sorted().dropFirst(dice.roll(max(1, down.count))).first { p.move(f, x, y) }
      case 8, 9:
        if let f = down.min() {
          down.remove(f)
          p.up(f, x, y)
        }
      case 10:
        if let f = down.max() {
          down.remove(f)
          p.cancel(f)
        }
      case 11, 12, 13: p.wait(dice.roll(1500))
      case 14: p.isSourceSilent.toggle()
      case 15: p.animationsFinish.toggle()
      case 16: p.performsSilently.toggle()
      case 17:
        let client = UInt32(1 + dice.roll(4))
        p.act { $0.clientGone(ClientID(client), at: p.instant, into: &$1) }
        try open(client)
      case 18:
        if !regions.isEmpty {
          let r = regions.remove(at: dice.roll(regions.count))
          p.act { $0.removeRegion(r, at: p.instant, into: &$1) }
        }
      case 19:
        let (c, s) = (ClientID(UInt32(1 + dice.roll(5))), SessionID(UInt32(1 + dice.roll(30))))
        let (serial, region) = (UInt32(dice.roll(300)), RegionID(UInt32(1 + dice.roll(20))))
        let t = TransferID(UInt32(1 + dice.roll(20)))
        p.act { e, a in
          e.answered(by: c, s, serial: serial, items: [Play.item(1)], at: p.instant, into: &a)
          e.configured(by: c, s, serial: serial, options: SourceOptions(isRestricted: true), at: p.instant, into: &a)
          e.chose(s, by: c, region, serial: serial, at: p.instant, into: &a)
          e.refusedSpring(by: c, s, region: region, into: &a)
          e.answeredCanHandle(dice.roll(2) == 0, by: c, s, region: region, serial: serial, at: p.instant, into: &a)
          e.proposed(.copy, by: c, s, region: region, serial: serial, at: p.instant, into: &a)
          e.finishedPerforming(by: c, s, serial: serial, at: p.instant, into: &a)
          e.motionTaken(by: c, s, serial: serial, into: &a)
          e.failed(t, by: c, .sourceFailed, at: p.instant, into: &a)
          e.finished(t, by: c, successfully: true, at: p.instant, into: &a)
          e.animationFinished(s, at: p.instant, into: &a)
        }
      case 20:
        let window = WindowID(UInt32(11 + dice.roll(12)))
        p.tree.remove(window)
        p.act { _ = $0.windowDestroyed(window, at: p.instant, into: &$1) }
        try open(UInt32(1 + dice.roll(4)))
      case 21, 22:
        // A whole press that lifts and moves, so that there is something to tap and to drop.
        finger += 1
        down.insert(finger)
        p.isSourceSilent = false
        let at = Double(1 + dice.roll(4)) * 250 - 100
        p.lift(finger, at, 400)
        if hasBridge, dice.roll(4) != 0 {
          for case .source(ClientID(4), _, .itemsForBeginning(_, let serial, _)) in p.log {
            p.act { e, _ in e.trialIsOver(by: ClientID(4), serial: serial) }
          }
        }
        p.move(finger, at + 20, 400)
      case 23:
        finger += 1
        p.tap(finger, Double(1 + dice.roll(4)) * 250 - 100, 400)
      case 24:
        if let f = down.sorted().last {
          down.remove(f)
          let at = Double(1 + dice.roll(4)) * 250 - 150
          p.move(f, at, 180)
          p.up(f, at, 180)
          p.wait(100)
        }
      case 28:
        if let r = regions.first {
          p.change { $0.updateRegion(r, edgeZone: Double(dice.roll(400))) }
        }
        if !regions.isEmpty {
          let r = regions[dice.roll(regions.count)]
          p.change { $0.raiseRegion(r) }
        }
      case 25: p.configures = dice.roll(4) != 0
      case 26:
        p.options = SourceOptions(
          allowsMove: dice.roll(2) == 0, isRestricted: dice.roll(3) == 0, prefersFullSize: dice.roll(2) == 0)
      case 27:
        // A finger that comes down on a stack and stays, and then the one that carried it goes.
        guard let id = p.monitored.last?.session, let first = down.min() else { break }
        p.stackUnder = { _ in id }
        finger += 1
        down.insert(finger)
        p.down(finger, x, y)
        p.wait(300)
        p.stackUnder = { _ in dice.roll(3) == 0 ? SessionID(UInt32(1 + dice.roll(12))) : nil }
        down.remove(first)
        p.up(first, x, y)
      default:
        p.act { $0.windowsChanged(at: p.instant, into: &$1) }
      }
    }
    for f in down { p.up(f, 5, 5) }
    p.wait(40_000)
    return p
  }

  /// How many plays each test makes; CARRY_SEEDS makes them more.
  private static let seeds = environment("CARRY_SEEDS").flatMap { Int($0) } ?? 600

  @Test("Z8, Z7: whatever clients do, every session ends and nothing remains")
  func everySessionEndsAndNothingRemains() throws { for seed in 1...Self.seeds { try endsAll(seed) } }

  private static let orders = (
    source: "itemsForBeginning {liftBegan}? {lifted}? {liftEnded(end)|liftEnded(start)}? {willBegin}? "
      + "{didMove|itemsForAdding}* {WILLEND}? {DIDEND}? {didTransfer}?",
    destination: "{offer|canHandle|didEnter|edge|didUpdate|didExit}* {performDrop}? {concludeDrop}? {didEnd}?"
  )

  /// The words of the log for each session at its source, and for each region that saw it.
  private static func stories(_ p: Play) -> [String: [String]] {
    var list: [String: [String]] = [:]
    for action in p.log {
      switch action {
      case .source(_, let id, let message): list["S\(id.raw)", default: []].append(Play.word(message))
      case .destination(let client, let id, let region, let message):
        list["D\(id.raw) \(region.raw) \(client.raw)", default: []].append(Play.word(message))
      default: break
      }
    }
    return list
  }

  private func checkStories(_ p: Play, seed: Int) {
    for (who, words) in Self.stories(p) {
      let plain = words.map { word -> String in
        if word.hasPrefix("willEnd") { return "WILLEND" }
        if word.hasPrefix("didEnd") { return who.hasPrefix("S") ? "DIDEND" : "didEnd" }
        if word.hasPrefix("didTransfer") { return "didTransfer" }
        return word.hasPrefix("offer") ? "offer" : word
      }
      let order = who.hasPrefix("S") ? Self.orders.source : Self.orders.destination
      let problem = CallRecorder.problem(plain, order: order)
      #expect(problem == nil, "seed \(seed), \(who): \(problem ?? "")")
      guard who.hasPrefix("D") else { continue }
      // Enter and exit take turns; a region hears of updates, exits and drops only while the drag is inside.
      var isInside = false
      for word in plain {
        switch word {
        case "didEnter":
          #expect(!isInside, "seed \(seed), \(who): \(plain)")
          isInside = true
        case "didExit":
          #expect(isInside, "seed \(seed), \(who): \(plain)")
          isInside = false
        case "edge", "didUpdate", "performDrop": #expect(isInside, "seed \(seed), \(who): \(plain)")
        default: break
        }
      }
    }
  }

  private func endsAll(_ seed: Int) throws {
    let p = try Self.play(UInt64(seed))
    #expect(p.isAtRest, "seed \(seed): \(p.engine.sessionCount) sessions, \(p.engine.transferCount) transfers")
    checkStories(p, seed: seed)
    // A session that began is cancelled or dropped once, and ends once.
    for id in Set(p.monitored.map(\.session)) {
      let kinds = p.monitored.filter { $0.session == id }.map(\.kind)
      guard kinds.contains(.began) else { continue }
      #expect(kinds.count { $0 == .ended } == 1, "seed \(seed), \(id): \(kinds)")
      #expect(kinds.count { $0 == .dropped || $0 == .cancelled } == 1, "seed \(seed), \(id): \(kinds)")
      #expect(kinds.last == .ended, "seed \(seed), \(id): \(kinds)")
    }
    // Every session that was made is forgotten, once: the wire's objects go with that.
    let forgotten = p.log.compactMap { if case .forget(let id) = $0 { id } else { nil } }
    #expect(Set(forgotten).count == forgotten.count, "seed \(seed)")
  }

  @Test("X2: no load reaches a source outside a drop, whatever is asked")
  func noLoadOutsideADrop() throws {
    var loads = 0
    for seed in 10_301...10_360 { loads += try loadsInDropsOnly(seed) }
    #expect(loads > 0)
  }

  /// - Returns: how many loads there were.
  private func loadsInDropsOnly(_ seed: Int) throws -> Int {
    let p = try Self.play(UInt64(seed))
    // Whose items may be asked for now: those of the sessions that were dropped and are not over.
    var performing: Set<SessionID> = []
    var sessionOf: [ItemID: Set<SessionID>] = [:]
    var loads = 0
    for action in p.log {
      switch action {
      case .destination(_, let id, _, .offer(let items, _, _, _)):
        for item in items { sessionOf[item.id, default: []].insert(id) }
      case .destination(_, let id, _, .performDrop): performing.insert(id)
      case .forget(let id): performing.remove(id)
      case .load(_, _, let item, _, _, _, _):
        loads += 1
        #expect(!performing.isDisjoint(with: sessionOf[item] ?? []), "seed \(seed): \(item)")
      default: break
      }
    }
    return loads
  }

  /// That the plays are worth something.
  @Test func everyKindOfStepHappens() throws {
    var seen: [MonitorEvent.Kind: Int] = [:]
    for seed in 1...100 { for k in try Self.play(UInt64(seed)).monitored.map(\.kind) { seen[k, default: 0] += 1 } }
    for kind in MonitorEvent.Kind.allCases {
      #expect(seen[kind, default: 0] > 0, "\(kind.rawValue) never happens")
    }
  }
}
