import CLinux
import CarryGestures
import CarryModel
import CarryRecordings
import CarrySessions
import CarrySystem
import CarryTesting
import Testing

@Suite struct SessionRecordingTests {
  private static let point = Point(x: 0.1, y: -3)
  private static let item: ItemDescription = {
    var item = ItemDescription(
      id: ItemID(7), name: "a \"name\"\n\u{7f}\u{2028}\u{1F600}",
      types: [OfferedType(name: "text/plain", ancestors: ["text/x"], visibility: .team)], preview: .own(PreviewID(3)))
    item.reference = FileReference(helper: ClientID(9), text: "")
    item.origin = ItemOrigin(kept: nil, session: SessionID(1), item: ItemID(2))
    item.presentationSize = Size(width: 1, height: 2)
    item.program = program
    return item
  }()
  private static let program: ProgramIdentity = {
    var program = ProgramIdentity(
      process: .peer(4), program: "org.example.Mail", name: "Mail", team: "t", isManaged: true, sandbox: .flatpak("x"))
    program.clientName = "mail"
    return program
  }()

  /// Each kind of input. The compiler tells of a new one in `SessionEngine.dispatch`; it belongs here, too.
  private static let inputs: [SessionInput] = {
    let (client, session, region, window) = (ClientID(1), SessionID(2), RegionID(3), WindowID(4))
    let (contact, item, transfer) = (ContactID(5), ItemID(6), TransferID(7))
    let endings = [ItemEnding(item: 0, preview: .hidden)]
    var settings = Settings()
    settings.keyboard.pickUp = KeyChord("Super+d")
    settings.shelf.edge = .left
    return [
      .settings(settings),
      .policy(
        Policy([Policy.Rule(.forbid, from: [.team("a"), .managed], to: [.program("b")], place: "/x:3", mistake: "m")])),
      .outputScale(1.5), .screen(root: window, size: Size(width: 10, height: 20)),
      .window(
        change: .insert(
          window: WindowTree.Window(id: window, frame: .zero, isMapped: true, inputShape: [.zero]),
          parent: WindowID(1))),
      .window(change: .shape(window: window, shape: nil)), .window(change: .restack(window: window, above: nil)),
      .window(change: .reparent(window: window, to: WindowID(1), origin: point)),
      .window(change: .remove(window: window)), .window(change: .map(window: window, isMapped: false)),
      .window(change: .frame(window: window, frame: .zero)), .window(change: .raise(window: window)),
      .window(change: .inputOnly(window: window, isInputOnly: true)),
      .window(change: .owner(window: window, owner: -1)), .windowDestroyed(window: window), .windowsChanged,
      .displayLost,
      .learnedWindows(
        windows: [DesktopWindow(id: window, kind: .dock, icon: .zero, layer: -1, transientFor: window)],
        session: session),
      .advance, .settleRegions, .stop, .animationFinished(session: session),
      .gesture(
        event: GestureEvent(.dragMoved, contact: contact, point: point, time: .zero), on: session, isHeld: true),
      .touchGivenAway(contact: contact), .cancelDrags, .cancelLoads(session: session), .undo(session: session),
      .undoInWindow(window: window), .identity(program: program, client: client),
      .regionIdentity(program: nil, region: region), .monitorsChanged(clients: [client]), .isBehind(client: client),
      .hasRead(client: client), .clientGone(client: client),
      .addRegion(client: client, window: window, isStandIn: true),
      .updateRegion(region: region, rect: .zero, roles: [.drag, .drop], edgeZone: nil),
      .acceptedTypes(region: region, types: ["image/*"]), .label(region: region, label: "Holidays"),
      .raiseRegion(region: region), .removeRegion(region: region),
      .pressAnswered(client: client, region: region, serial: .max, mayBegin: true),
      .itemsAnswered(client: client, session: session, serial: 1, items: [Self.item]),
      .configured(client: client, session: session, serial: 1, options: SourceOptions(isRestricted: true)),
      .chose(client: client, region: region, serial: 1, session: nil),
      .previewChanged(client: client, session: session, item: item, preview: PreviewID(1)),
      .previewOffered(client: client, session: session, item: item),
      .willCancelAnswered(client: client, session: session, serial: 1, endings: endings),
      .motionTaken(client: client, session: session, serial: 1), .withdrew(client: client, item: item),
      .undoOffered(client: client, session: session, title: "Moved"),
      .canHandleAnswered(client: client, session: session, region: region, serial: 1, yes: true),
      .proposed(
        client: client, session: session, region: region, serial: 1, proposal: Proposal(.move, isPrecise: true)),
      .askAgain(client: client, region: region), .springRefused(client: client, session: session, region: region),
      .dropKeptOpen(client: client, session: session, serial: 1, endings: endings),
      .copiesInstead(client: client, session: session, serial: 1),
      .performed(client: client, session: session, serial: 1, endings: endings),
      .progressIndicatorSet(client: client, session: session, region: region, isQuiet: true),
      .load(client: client, session: session, region: region, item: 1, type: "a/b", form: .original),
      .provided(client: client, transfer: transfer),
      .loadFailed(client: client, transfer: transfer, failure: .timedOut),
      .progressed(client: client, transfer: transfer, progress: TransferProgress(completed: .max, total: 2)),
      .ownerProgressed(client: client, transfer: transfer, progress: TransferProgress(completed: 1)),
      .loadFinished(client: client, transfer: transfer, isSuccess: true), .helperFailed(client: client),
      .beginForeign(
        client: client, program: program, isByButton: true, contact: contact, items: [Self.item], over: window,
        at: point),
      .moveForeign(session: session, point: point), .dropForeign(session: session, point: point),
      .cancelForeign(session: session), .touchIsTaken(client: client, serial: 1),
      .trialIsOver(client: client, serial: 1), .keep(client: client, session: session, region: region, item: 0),
      .releaseKept(client: client, item: KeptItemID(1)),
    ]
  }()

  private func read(_ text: String) throws -> [SessionRecording.Record] {
    let folder = try TestFolder("sessions")
    let path = try folder.write(text, to: "a.session")
    var records: [SessionRecording.Record] = []
    do { try SessionRecording.read(path) { record, _ in records.append(record) } } catch {
      var error = error
      error.file = "a.session"
      throw error
    }
    return records
  }

  @Test("Z36: every input is read as it was written, and no data is written") func Z36_coding() throws {
    let records = Self.inputs.enumerated().map { i, input in
      SessionRecording.Record(
        input, at: i % 2 == 0 ? nil : Instant(microseconds: Int64(i)), actions: i % 3 == 0 ? "1 a" : nil)
    }
    #expect(try read(SessionRecording.header + records.map(\.line).joined()) == records)
    var item = Self.item
    item.teamData = Array("secret".utf8)
    item.reference?.text = "secret"
    let line = SessionRecording.Record(
      .itemsAnswered(client: ClientID(1), session: SessionID(1), serial: 1, items: [item]), at: nil, actions: nil
    ).line
    #expect(!line.contains("eamData") && !line.contains("secret") && line.split(separator: "\n").count == 1)
  }

  @Test(
    "Z36: a damaged recording is one clear error with its line",
    arguments: [
      ("", "a.session: is empty"), ("hello\n", "a.session:1: is no session recording of carryd --record-session"),
      (
        "{\"session\":2,\"engine\":\"9\"}\n", "a.session:1: has the format 2 of Carry 9; this is 1"
      ),
      ("HEADER{\"input\":{\"adv", "a.session:2: a string does not end"),
      ("HEADER\n{\"input\":{\"fly\":{}}}", "a.session:3: input is no known one"),
      ("HEADER{\"at\":1}\n", "a.session:2: input is missing"),
      ("HEADER{\"input\":{\"undo\":{\"session\":-1}}}\n", "a.session:2: input.undo.session is no UInt32"),
      (
        "HEADER{\"input\":{\"outputScale\":{\"_0\":\"inf\"}}}",
        "a.session:2: input.outputScale._0 is no number within a thousand million"
      ),
      ("HEADER{\"input\":{\"undo\":{}}}\n", "a.session:2: input.undo.session is missing"),
      ("HEADER" + String(repeating: "[", count: 100_000), "a.session:2: it is nested too deeply"),
    ])
  func Z36_damaged(text: String, message: String) throws {
    let error = #expect(throws: FileProblem.self) {
      try read(text.replacing("HEADER", with: SessionRecording.header))
    }
    #expect(error?.sentence == message)
  }

  /// An engine with a source and a target, that has carried an item from the one to the other.
  @discardableResult
  private static func record(
    proposing proposal: Proposal = .copy, _ body: @escaping (SessionRecording.Record) -> Void
  ) throws -> SessionID {
    let tree = WindowTree(root: WindowID(1), size: Size(width: 1000, height: 1000))
    for (i, x) in [(UInt32(10), 0.0), (20, 500)] {
      tree.insert(
        WindowTree.Window(id: WindowID(i), frame: Rect(x: x, y: 0, width: 400, height: 400), isMapped: true),
        parent: tree.root)
    }
    var engine = SessionEngine(settings: Settings(), tree: tree)
    engine.record { body(SessionRecording.Record($0, at: $1, actions: ActionDigest.text($2))) }
    var now = Instant(microseconds: 5_000_000)
    var actions: [SessionAction] = []
    func send(_ input: SessionInput) {
      now = now + .milliseconds(20)
      engine.handle(input, at: now, into: &actions)
    }
    func gesture(_ kind: GestureEvent.Kind, _ x: Double) {
      now = now + .milliseconds(200)
      let event = GestureEvent(kind, contact: ContactID(1), point: Point(x: x, y: 100), time: now)
      engine.handle(.gesture(event: event, on: nil, isHeld: false), at: now, into: &actions)
    }
    func serial(_ find: (SessionAction) -> UInt32?) throws -> UInt32 { try #require(actions.compactMap(find).last) }
    let all = Rect(x: 0, y: 0, width: 400, height: 400)
    var regions: [RegionID] = []
    for (client, window, roles) in [(ClientID(1), WindowID(10), RegionRoles.drag), (ClientID(2), WindowID(20), .drop)] {
      let region = try engine.addRegion(client: client, window: window, rect: .zero, roles: [])
      send(.updateRegion(region: region, rect: all, roles: roles, edgeZone: nil))
      regions.append(region)
    }
    send(.label(region: regions[1], label: "Holidays"))
    // Beside all regions.
    gesture(.pressed, 450)
    gesture(.pressed, 100)
    gesture(.liftBegan, 100)
    let session = SessionID(1)
    send(
      .itemsAnswered(
        client: ClientID(1), session: session,
        serial: try serial { if case .source(_, _, .itemsForBeginning(_, let serial, _)) = $0 { serial } else { nil } },
        items: [ItemDescription(id: ItemID(1), types: [OfferedType(name: "text/plain")])]))
    gesture(.lifted, 100)
    gesture(.dragBegan, 120)
    send(
      .configured(
        client: ClientID(1), session: session,
        serial: try serial { if case .source(_, _, .willBegin(let serial, _)) = $0 { serial } else { nil } },
        options: SourceOptions()))
    gesture(.dragMoved, 600)
    send(
      .canHandleAnswered(
        client: ClientID(2), session: session, region: regions[1],
        serial: try serial { if case .destination(_, _, _, .canHandle(let serial, _)) = $0 { serial } else { nil } },
        yes: true))
    send(
      .proposed(
        client: ClientID(2), session: session, region: regions[1],
        serial: try serial { if case .destination(_, _, _, .didUpdate(let serial, _)) = $0 { serial } else { nil } },
        proposal: proposal))
    send(.advance)
    gesture(.dragEnded, 600)
    return session
  }

  @Test("Z36: an engine that is told the same again does the same; otherwise the first difference is told")
  func Z36_replay() throws {
    var records: [SessionRecording.Record] = []
    let session = try Self.record { records.append($0) }
    var replay = SessionReplay()
    var steps: [MonitorEvent.Kind] = []
    var verdicts: [TargetExplanation.Verdict] = []
    for record in try read(SessionRecording.header + records.map(\.line).joined()) {
      #expect(replay.play(record) { if $0.kind != .updated { steps.append($0.kind) } } == nil)
      for explanation in replay.explainTargets() {
        #expect(explanation.session == session)
        for place in explanation.places where verdicts.last != place.verdict {
          verdicts.append(place.verdict)
          if place.label != nil { #expect(place.label == "Holidays" && explanation.point.x == 600) }
        }
      }
    }
    #expect(steps == [.liftBegan, .lifted, .began, .entered, .dropped])
    #expect(verdicts == [.isNoTarget, .asked, .target(nil), .target(.copy)])

    // A finger beside all regions may be on an on-screen keyboard.
    let presses = records.compactMap { record -> Point? in
      guard case .gesture(let event, _, _) = record.input, event.kind == .pressed else { return nil }
      return event.point
    }
    #expect(presses.map(\.x) == [100])

    let drop = try #require(records.last { if case .gesture = $0.input { true } else { false } })
    var other = SessionReplay()
    for record in records where record != drop {
      // The target had refused.
      var changed = record
      if case .proposed(let client, let session, let region, let serial, _) = record.input {
        changed.input = .proposed(
          client: client, session: session, region: region, serial: serial, proposal: .forbidden)
      }
      if let difference = other.play(changed) {
        #expect(record != changed && difference.recorded != difference.played)
        return
      }
    }
    Issue.record("no difference")
  }

  @Test("Z36: a target beneath a window of another program is told as covered") func Z36_covered() throws {
    var replay = SessionReplay()
    try Self.record { record in
      // Before the finger goes up.
      if case .gesture(let event, _, _) = record.input, event.kind == .dragEnded { return }
      _ = replay.play(record)
    }
    let cover = WindowTree.Window(id: WindowID(30), frame: Rect(x: 550, y: 0, width: 200, height: 200), isMapped: true)
    for input in [.window(change: .insert(window: cover, parent: WindowID(1))), .windowsChanged] as [SessionInput] {
      _ = replay.play(SessionRecording.Record(input, at: nil, actions: nil))
    }
    let places = replay.explainTargets().first?.places
    #expect(places?.map(\.verdict) == [.covered(by: WindowID(30))] && places?.first?.label == "Holidays")
  }

  @Test("Z36: a recording is a new file of its owner, and ends where it would be refused") func Z36_file() throws {
    let folder = try TestFolder("recorder")
    let path = folder.path + "/a.session"
    let recorder = try SessionRecorder(path)
    for input in Self.inputs { recorder.record(input, at: nil, []) }
    var count = 0
    try SessionRecording.read(path) { _, _ in count += 1 }
    #expect(count == Self.inputs.count && SessionRecording.recognises(path))
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    let error = #expect(throws: SystemError.self) { try SessionRecorder(path) }
    #expect(error?.code == EEXIST)
  }
}
