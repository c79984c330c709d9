import CarryModel
import CarrySessions
import Testing

/// Who may see what: identity, visibility and policy.
@Suite struct AccessTests {
  private static let team = "example"

  /// A source of program 1 and a target of program 2, with an item of three types, one for each visibility.
  private func play(
    team: String? = nil, process: UInt32 = 2, items: [ItemDescription]? = nil, roles: RegionRoles = .drop
  ) throws -> (Play, RegionID) {
    let (p, target) = try pair(roles: roles)
    p.engine.setIdentity(program(1, team: Self.team), of: ClientID(1))
    p.engine.setIdentity(program(process, team: team), of: ClientID(2))
    p.itemsToLift = { _ in items ?? [Self.item()] }
    return (p, target)
  }

  private func program(_ number: UInt32, team: String? = nil, isManaged: Bool = false) -> ProgramIdentity {
    ProgramIdentity(process: .peer(number), program: "org.example.P\(number)", team: team, isManaged: isManaged)
  }

  private static func item(_ id: UInt32 = 1, teamData: [UInt8] = [7]) -> ItemDescription {
    var item = ItemDescription(
      id: ItemID(id), name: "secret.txt",
      types: [
        OfferedType(name: "text/plain"), OfferedType(name: "application/x-team", visibility: .team),
        OfferedType(name: "application/x-own", visibility: .ownProcess),
      ])
    item.teamData = teamData
    return item
  }

  private func offered(_ p: Play, _ target: RegionID) -> [ItemDescription] {
    p.log.flatMap { action -> [ItemDescription] in
      if case .destination(_, _, target, .offer(let items, _, _, _)) = action { items } else { [] }
    }
  }

  private func types(_ p: Play, _ target: RegionID) -> [String] { offered(p, target).flatMap { $0.types.map(\.name) } }

  // MARK: Visibility

  @Test("I15, Z23: a program in a sandbox does not see the files that a forged list may have named")
  func I15_Z23_outsideSandboxes() {
    let source = program(1)
    var boxed = program(2)
    boxed.sandbox = .unknown
    let item = ItemDescription(
      id: ItemID(1), name: "key",
      types: [OfferedType(name: "text/plain", visibility: .outsideSandboxes), OfferedType(name: "text/uri-list")])
    func types(_ target: ProgramIdentity) -> [String] {
      var view = TargetView(from: source, to: target, Policy())
      view.learn([item])
      return view.shown(item, at: 0).types.map(\.name)
    }
    #expect(types(program(2)) == ["text/plain", "text/uri-list"])
    #expect(types(boxed) == ["text/uri-list"])
    #expect(types(ProgramIdentity(process: .unknown)) == ["text/uri-list"])
  }

  @Test("I15, I16, G5: a stranger, a program of the team and the process itself see what each may see")
  func I15_I16_G5_whoSeesWhat() throws {
    let (stranger, a) = try play()
    stranger.drag(1, from: (100, 300), to: (900, 300))
    #expect(types(stranger, a) == ["text/plain"])
    #expect(offered(stranger, a).map(\.teamData) == [[]])

    let (friend, b) = try play(team: Self.team)
    friend.drag(1, from: (100, 300), to: (900, 300))
    #expect(types(friend, b) == ["text/plain", "application/x-team"])
    #expect(offered(friend, b).map(\.teamData) == [[7]])

    let (own, c) = try play(process: 1)
    own.drag(1, from: (100, 300), to: (900, 300))
    #expect(types(own, c) == ["text/plain", "application/x-team", "application/x-own"])
    #expect(offered(own, c).map(\.teamData) == [[7]])
  }

  @Test("I15: an item of which a program may see nothing is as an item without types, and has no name there")
  func I15_aHiddenItemIsLeftOut() throws {
    var hidden = Self.item(2)
    hidden.types.removeFirst()
    let (p, target) = try play(items: [Self.item(1), hidden])
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(offered(p, target).map(\.name) == ["secret.txt", ""])
    #expect(offered(p, target).map(\.types.count) == [1, 0])
    #expect(offered(p, target).map(\.teamData) == [[], []])
  }

  @Test("I15, G5: a session of which a program may see nothing is not there for its regions")
  func I15_G5_aHiddenSession() throws {
    var hidden = Self.item()
    hidden.types.removeFirst()
    let (p, target) = try play(items: [hidden], roles: [.drop, .spring])
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(3000)
    #expect(p.destination(target).isEmpty)
    #expect(!p.log.contains { if case .spring = $0 { true } else { false } })
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).last == "didEnd(cancel)")
  }

  @Test("I15: a program that asks for each type in each phase gets none that it may not see")
  func I15_nothingIsLoadedThatMayNotBeSeen() throws {
    let (p, target) = try play()
    let all = ["text/plain", "application/x-team", "application/x-own"]
    func ask() {
      for type in all {
        p.act { engine, actions in
          _ = engine.requestLoad(
            by: ClientID(2), SessionID(1), region: target, item: 0, type: type, at: p.instant, into: &actions)
        }
      }
    }
    p.down(1, 100, 300)
    ask()
    p.wait(550)
    ask()
    p.move(1, 115, 300)
    ask()
    p.move(1, 900, 300)
    ask()
    #expect(p.loads == 0)
    p.provides = { _, _, _ in nil }
    p.perform = { _, _, _, _ in ask() }
    p.up(1, 900, 300)
    p.wait(100)
    let loaded = p.log.compactMap { action -> String? in
      if case .load(_, _, _, _, _, let type, _) = action { type } else { nil }
    }
    #expect(loaded == ["text/plain"])
    #expect(p.failures.count { $0 == .noSuchType } == 2)
    ask()
    #expect(p.loads == 1)
  }

  @Test(
    "K6: a sandboxed program gets bytes, no folder and no original",
    arguments: [nil, Sandbox.flatpak("a"), .unknown])
  func K6_sandboxedProgramsGetBytes(sandbox: Sandbox?) throws {
    let (p, _) = try play()
    var target = program(2)
    target.sandbox = sandbox
    p.engine.setIdentity(target, of: ClientID(2))
    p.perform = { p, id, region, client in
      for form in [LoadForm.copy, .original, .data] {
        p.act { e, a in
          _ = e.requestLoad(
            by: client, id, region: region, item: 0, type: "text/plain", as: form, at: p.instant, into: &a)
        }
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    let forms = p.log.compactMap { if case .load(_, _, _, _, _, _, let form) = $0 { form } else { nil } }
    #expect(forms == (sandbox == nil ? [.copy, .original, .data] : [.sandboxed, .sandboxed, .sandboxed]))
  }

  @Test("K6: a sandboxed source hands over no original, not even to its own process outside the connection")
  func K6_sandboxedSourcesHandOverCopies() throws {
    var source = program(1)
    source.sandbox = .flatpak("a")
    for process in [1, 2] as [UInt32] {
      let (p, _) = try play(process: process)
      p.engine.setIdentity(source, of: ClientID(1))
      p.perform = { p, id, region, client in
        p.act { e, a in
          _ = e.requestLoad(
            by: client, id, region: region, item: 0, type: "text/plain", as: .original, at: p.instant, into: &a)
        }
      }
      p.drag(1, from: (100, 300), to: (900, 300))
      p.up(1, 900, 300)
      p.wait(100)
      let forms = p.log.compactMap { if case .load(_, _, _, _, _, _, let form) = $0 { form } else { nil } }
      #expect(forms == [.copy])
    }
  }

  @Test("I15, LO5: a monitor sees the types that its program may see", arguments: [0, 1, 2])
  func I15_LO5_monitors(who: Int) throws {
    let (p, _) = try play(team: who == 1 ? Self.team : nil, process: who == 2 ? 1 : 2)
    p.engine.monitorsChanged([ClientID(2)])
    p.drag(1, from: (100, 300), to: (900, 300))
    let last = try #require(p.monitored.last { $0.kind == .entered })
    #expect(last.seen[ClientID(2)]?.count == 1 + who)
    #expect(last.seen[ClientID(3)] == nil)
    // Before the source has said who may see them, only its own process sees them.
    #expect(p.monitored.first?.seen[ClientID(2)]?.count == (who == 2 ? 3 : nil))
  }

  // MARK: Identity

  @Test("K6, O4: two connections of one process are one process") func K6_O4_twoConnectionsAreOneProcess() throws {
    let (p, target) = try play(process: 1)
    p.options = SourceOptions(allowsMove: true, isRestricted: true)
    p.proposal = { _, _ in .move }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(
      p.log.contains {
        if case .destination(_, _, target, .offer(_, _, true, let o)) = $0 { o.allowsMove } else { false }
      })
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).contains("didEnd(move)"))
  }

  @Test("K6: what stands for another program carries that program's identity") func K6_aRegionStandsForAnother() throws
  {
    let (p, target) = try play(process: 1)
    p.engine.setIdentity(program(9), of: target)
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(types(p, target) == ["text/plain"])
    p.up(1, 900, 300)
    p.wait(100)
    // The other way: a drag that comes from a region that stands for another program.
    let back = try p.window(1, Rect(x: 50, y: 600, width: 100, height: 100), .drag)
    p.engine.setIdentity(program(9, team: Self.team), of: back)
    p.engine.setIdentity(nil, of: target)
    p.itemsToLift = { _ in [Self.item(5)] }
    p.drag(2, from: (100, 650), to: (900, 300))
    #expect(types(p, target).suffix(2) == ["text/plain", "text/plain"])
  }

  @Test("K6, A3: what a drag gains later is seen by the same rules") func K6_A3_lateItems() throws {
    let (p, target) = try play()
    p.itemsToAdd = { _ in [Self.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 300, 500)
    #expect(types(p, target) == ["text/plain", "text/plain"])
  }

  // MARK: Policy

  private func rule(
    _ verdict: Policy.Verdict, from source: Policy.Party = .anyone, to target: Policy.Party = .anyone,
    _ types: [String] = ["*/*"], line: Int
  ) -> Policy.Rule { Policy.Rule(verdict, from: [source], to: [target], types: types, place: "/p.conf:\(line)") }

  private func forbidden(_ p: Play) -> [String] {
    p.log.compactMap { if case .forbidden(_, _, _, let rule) = $0 { rule } else { nil } }
  }

  @Test("G6: a forbidden target looks like no target, and the journal hears once which line says so")
  func G6_aForbiddenTarget() throws {
    let (p, target) = try play(roles: [.drop, .spring])
    p.engine.apply(Policy([rule(.forbid, from: .program("org.example.P1"), to: .program("org.example.P2"), line: 4)]))
    p.drag(1, from: (100, 300), to: (900, 300))
    for x in 0..<50 { p.move(1, 900 + Double(x), 300) }
    p.wait(2000)
    #expect(p.destination(target).isEmpty)
    #expect(forbidden(p) == ["/p.conf:4"])
    p.up(1, 950, 300)
    p.wait(100)
    #expect(p.source(1).last == "didEnd(cancel)")
  }

  @Test("G6: what lies beneath a forbidden target is the target") func G6_theTargetBeneath() throws {
    let (p, beneath) = try play()
    let above = try p.region(3, p.lastWindow, Rect(x: 0, y: 0, width: 300, height: 300), .drop)
    p.engine.setIdentity(program(3), of: ClientID(3))
    p.engine.apply(Policy([rule(.forbid, to: .program("org.example.P3"), line: 1)]))
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(p.destination(above).isEmpty)
    #expect(p.destination(beneath).contains("didEnter"))
  }

  @Test("G6: a rule may forbid some types, and the first rule that fits decides") func G6_theFirstRuleDecides() throws {
    let item = ItemDescription(
      id: ItemID(1),
      types: [
        OfferedType(name: "image/png"), OfferedType(name: "text/html", ancestors: ["text/plain"]),
        OfferedType(name: "text/plain;charset=utf-8"), OfferedType(name: "application/x-other"),
      ])
    let (p, target) = try play(items: [item])
    p.engine.apply(
      Policy([
        rule(.allow, ["text/html"], line: 1), rule(.forbid, ["text/plain"], line: 2),
        rule(.forbid, ["image/*"], line: 3),
        rule(.allow, line: 4), rule(.forbid, line: 5),
      ]))
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(types(p, target) == ["text/html", "application/x-other"])
    #expect(forbidden(p) == ["/p.conf:3"])
  }

  @Test("G6: managed programs, teams and strangers; a process may always drop on itself") func G6_parties() {
    let managed = program(1, isManaged: true)
    let friend = program(2, team: "a")
    let stranger = ProgramIdentity(process: .peer(3), sandbox: .unknown)
    func isForbidden(_ source: ProgramIdentity, _ target: ProgramIdentity, _ rules: Policy.Rule...) -> Bool {
      Policy(rules).rules(from: source, to: target).rule(for: OfferedType(name: "a/b"))?.verdict == .forbid
    }
    #expect(isForbidden(managed, friend, rule(.forbid, from: .managed, to: .unmanaged, line: 1)))
    #expect(!isForbidden(friend, managed, rule(.forbid, from: .managed, to: .unmanaged, line: 1)))
    #expect(isForbidden(friend, managed, rule(.forbid, from: .team("a"), line: 1)))
    #expect(isForbidden(stranger, friend, rule(.forbid, from: .strangers, line: 1)))
    #expect(isForbidden(stranger, friend, rule(.forbid, from: .sandboxed, line: 1)))
    #expect(!isForbidden(friend, stranger, rule(.forbid, from: .strangers, line: 1)))
    #expect(!isForbidden(managed, managed, rule(.forbid, line: 1)))
  }

  @Test("G6, LO5: a monitor of a program that may not have the types does not see them") func G6_LO5_monitors() throws {
    let (p, _) = try play()
    p.engine.monitorsChanged([ClientID(2), ClientID(4)])
    p.engine.apply(Policy([rule(.forbid, to: .program("org.example.P2"), line: 1)]))
    p.drag(1, from: (100, 300), to: (600, 700))
    #expect(p.monitored.last?.seen[ClientID(2)] == [])
    #expect(p.monitored.last?.seen[ClientID(4)] == ["text/plain"])
    #expect(forbidden(p).isEmpty)
  }

  @Test("G6, Z13: a forbidden target is not highlighted, nor one that may not see what it takes")
  func G6_Z13_highlights() throws {
    func highlights(_ types: [String], _ policy: Policy) throws -> Int {
      let (p, target) = try play()
      var settings = p.engine.settings
      settings.drop.highlightsTargets = true
      p.engine.apply(settings)
      p.engine.setAcceptedTypes(types, of: target)
      p.engine.apply(policy)
      p.drag(1, from: (100, 300), to: (600, 700))
      return p.stage.count { if case .highlight = $0.1 { true } else { false } }
    }
    #expect(try highlights(["text/plain"], Policy()) == 1)
    #expect(try highlights(["application/x-team"], Policy()) == 0)
    #expect(try highlights(["text/plain"], Policy([rule(.forbid, line: 1)])) == 0)
  }
}
