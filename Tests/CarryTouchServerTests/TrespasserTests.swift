import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// A client that speaks only the protocol's XML tries every request in every phase of somebody else's drag, from a process
/// of its own. What was not dropped on it stays what it does not know.
@Suite(.serialized) struct TrespasserTests {
  /// Applications of this process: a source with something for everybody, for its team and for itself, and a target.
  private final class Honest: DragInteractionDelegate, DropInteractionDelegate {
    var calls: [String] = []
    var waiting: [(ItemRequest, [UInt8])] = []
    var received: [String] = []
    /// Called while the drop is performed, when loads are allowed to the target.
    var whilePerforming: () -> Void = {}

    func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
      let provider = ItemProvider()
      for (type, visibility, text) in [
        ("application/x-public", ItemProvider.Visibility.all, "SECRET for all"),
        ("application/x-team", .team, "SECRET for the team"), ("application/x-own", .ownProcess, "SECRET for itself"),
      ] {
        provider.registerRequests(forType: type, visibility: visibility) { [unowned self] request in
          request.reportProgress()
          waiting.append((request, Array(text.utf8)))
        }
      }
      provider.suggestedName = "NAME of it"
      provider.teamData = Array("SECRET data of the team".utf8)
      let own = ItemProvider()
      own.registerDataRepresentation(forType: "application/x-own", visibility: .ownProcess) { $0(.success([1])) }
      own.suggestedName = "SECRET name"
      return [DragItem(itemProvider: provider), DragItem(itemProvider: own)]
    }
    func dragInteraction(_ i: DragInteraction, didLift s: DragSession) { calls.append("lifted") }
    func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
      calls.append("ended(\(o))")
    }
    func dragInteraction(_ i: DragInteraction, sessionDidTransferItems s: DragSession) { calls.append("transferred") }

    func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool { true }
    func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
      if calls.last != "update" { calls.append("update") }
      return DropProposal(operation: .copy)
    }
    func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) {
      calls.append("perform")
      whilePerforming()
      for type in s.items[0].itemProvider.registeredTypes {
        s.items[0].itemProvider.loadDataRepresentation(forType: type) { [unowned self] result in
          received.append((try? result.get()).map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
        }
      }
    }
  }

  /// The trespasser's process, and all that it has heard.
  private final class Trespasser {
    private let process: ChildProcess
    private let commands: Descriptor
    private(set) var heard: [String] = []

    init(_ s: GateTests.Scene) throws {
      var pair: [CInt] = [-1, -1]
      try check("socketpair") {
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair)
      }
      commands = Descriptor(owning: pair[0])
      process = try ChildProcess(
        [
          "python3", Checkout.peers + "/trespasser.py", s.engine.socket,
          Checkout.root + "/Sources/Platform/CWayland/protocol/carry-v1.xml", s.server.display,
          "\(s.app.window),\(s.other.window)",
        ], output: .pipe, descriptors: [pair[1]])
      close(pair[1])
    }

    /// Whether it has said a line that begins so by now.
    func says(_ prefix: String) -> Bool {
      while let line = process.readLine(seconds: 0.01) { heard.append(line) }
      return heard.contains { $0.hasPrefix(prefix) }
    }

    func sweep(_ phase: String) { Output.write(phase + "\n", to: commands.raw) }
  }

  @Test(
    "I15, I16, X2: a client that knows only the protocol learns nothing of a drag that is not its own",
    arguments: [false, true])
  func I15_I16_X2_trespassing(isCrossed: Bool) throws {
    let manifests = try TestFolder("manifests")
    let executable = try #require(Files.canonical("/proc/self/exe"))
    try manifests.write("executable = \(executable)\nteam = example\n", to: "org.example.own.conf")
    let s = try GateTests.Scene(options: ["--manifests", manifests.path])
    let honest = Honest()
    let regions =
      [(s.app.window, DragInteraction(delegate: honest) as any Interaction, 200, 200)]
      + [(s.other.window, DropInteraction(delegate: honest), 0, 400)]
    let made = regions.map { window, interaction, y, height in
      let region = Region(client: s.client, window: window, frame: Carry.Rect(x: 0, y: y, width: 400, height: height))
      region.addInteraction(interaction)
      return region
    }
    try s.client.synchronize()
    let trespasser = try Trespasser(s)
    try #require(s.run(seconds: 20) { trespasser.says("ready") }, "\(trespasser.heard)")
    /// How many requests were tried in each phase.
    var counts: [Int] = []
    func note(_ phase: String) {
      let line = trespasser.heard.last { $0.hasPrefix("swept \(phase) ") }
      counts.append(line?.split(separator: " ").last.flatMap { Int($0) } ?? 0)
    }
    func sweep(_ phase: String) {
      trespasser.sweep(phase)
      #expect(s.run(seconds: 60) { trespasser.says("swept \(phase)") }, "\(phase): \(trespasser.heard.suffix(5))")
      note(phase)
    }
    honest.whilePerforming = {
      trespasser.sweep("performing")
      #expect(Wait.until { trespasser.says("swept performing") })
      note("performing")
    }
    func move(_ from: (Double, Double), _ to: (Double, Double)) {
      for i in 1...8 {
        let part = Double(i) / 8
        s.server.move(1, from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
      }
    }
    // A drag of its own, so that it has every object of the protocol, of sessions that are over.
    try #require(s.engine.readLine { $0.contains("touches are held") } != nil)
    s.server.down(1, 200, 640)
    #expect(s.run(seconds: 10) { trespasser.says("heard carry_drag_session.lifted") })
    move((200, 640), (300, 680))
    #expect(s.run(seconds: 10) { trespasser.says("heard carry_drop_session.update") })
    s.server.up(1, 300, 680)
    #expect(s.run(seconds: 10) { trespasser.says("heard carry_drag_session.gone") && trespasser.says("read bait") })
    let ownEvents = trespasser.heard.count

    sweep("before")
    s.server.down(1, 200, 400)
    #expect(s.run(seconds: 10) { honest.calls.contains("lifted") })
    sweep("lifted")
    var from = (200.0, 400.0)
    if isCrossed {
      move(from, (200, 660))
      let before = trespasser.heard.count
      #expect(
        s.run(seconds: 10) {
          trespasser.says("?")
            || trespasser.heard.dropFirst(before).contains { $0.hasPrefix("heard carry_drop_session.update") }
        })
      from = (200, 660)
    }
    move(from, (900, 300))
    #expect(s.run(seconds: 10) { honest.calls.last == "update" })
    sweep("hovering")
    s.server.up(1, 900, 300)
    #expect(s.run(seconds: 10) { honest.waiting.count == 3 }, "\(honest.calls)")
    sweep("transferring")
    #expect(honest.received.isEmpty)
    for (request, bytes) in honest.waiting { request.answer(.success(.data(bytes))) }
    #expect(s.run(seconds: 10) { honest.calls.contains("transferred") }, "\(honest.calls)")
    sweep("ended")
    #expect(honest.received.sorted() == ["SECRET for all", "SECRET for itself", "SECRET for the team"])
    #expect(honest.calls.contains("ended(copy)"))
    #expect(s.engine.isRunning && !trespasser.says("over"))

    #expect(counts.count == 6 && counts.count { $0 > 500 } == 5 && counts.allSatisfy { $0 > 50 }, "\(counts)")
    // Of regions it may know all, and its own have made-up types.
    let heard = trespasser.heard.dropFirst(ownEvents).filter {
      !($0.hasPrefix("heard carry_region_list.region") && $0.contains("trespasser"))
    }
    #expect(!heard.contains { $0.contains("SECRET") || $0.contains("x-team") || $0.contains("x-own") })
    // Nothing can be read but what it has handed over itself.
    #expect(!heard.contains { $0.hasPrefix("read") && $0 != "read" && $0 != "read bait" })
    // What a drag over its own window and the monitor show is for everybody.
    let told = ["heard carry_monitor.step"] + (isCrossed ? ["heard carry_drop_session."] : [])
    let leaks = heard.filter { line in
      (line.contains("x-public") || line.contains("NAME")) && !told.contains { line.hasPrefix($0) }
    }
    #expect(leaks.isEmpty, "\(leaks.prefix(5))")
    #expect(heard.contains { $0.contains("NAME") } == isCrossed)
    withExtendedLifetime(made) {}
  }
}
