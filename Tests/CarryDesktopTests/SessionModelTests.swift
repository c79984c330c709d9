import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// The session model through the Swift API and the real engine.
  @Suite(.serialized) struct SessionModel {
    /// An application whose delegates are closures, and which writes everything down.
    private final class Actor: DragInteractionDelegate, DropInteractionDelegate, SpringLoadedInteractionBehavior {
      let name: String
      let recorder: CallRecorder
      var chosen: ([DragSession]) -> DragSession? = { _ in nil }
      var isRestricted = false
      var proposal: (DropSession) -> DropProposal = { _ in DropProposal(operation: .copy) }
      var perform: (DropSession) -> Void = { _ in }
      var items: (Int) -> [DragItem] = { n in
        let item = DragItem(itemProvider: ItemProvider(text: "item \(n)"))
        item.localObject = n
        return [item]
      }
      var allowsSpring = true
      private var count = 0

      init(_ name: String, _ recorder: CallRecorder) {
        self.name = name
        self.recorder = recorder
      }

      private func add(_ what: String, repeats: Bool = false) {
        if repeats, recorder.calls(to: name).last == what { return }
        recorder.add(name, what)
      }

      func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
        add("itemsForBeginning")
        count += 1
        s.localContext = "context \(count)"
        return items(count)
      }
      func dragInteraction(
        _ i: DragInteraction, itemsForAddingTo s: DragSession, withTouchAt p: Carry.Point
      ) -> [DragItem] {
        add("itemsForAdding(\(s.identifier))")
        count += 1
        return items(count)
      }
      func dragInteraction(
        _ i: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Carry.Point
      ) -> DragSession? {
        add("sessionForAdding(\(sessions.count))")
        return chosen(sessions)
      }
      func dragInteraction(
        _ i: DragInteraction, session: DragSession, willAdd items: [DragItem], for adding: DragInteraction
      ) { add(i === adding ? "willAdd(\(items.count)) itself" : "willAdd(\(items.count))") }
      func dragInteraction(_ i: DragInteraction, liftDidBegin s: DragSession) { add("liftDidBegin") }
      func dragInteraction(_ i: DragInteraction, didLift s: DragSession) { add("didLift") }
      func dragInteraction(_ i: DragInteraction, liftDidEndAt p: AnimatingPosition, session: DragSession) {
        add("liftDidEnd(\(p))")
      }
      func dragInteraction(_ i: DragInteraction, sessionWillBegin s: DragSession) { add("willBegin") }
      func dragInteraction(_ i: DragInteraction, sessionAllowsMoveOperation s: DragSession) -> Bool {
        add("allowsMove")
        return true
      }
      func dragInteraction(_ i: DragInteraction, sessionIsRestrictedToDraggingApplication s: DragSession) -> Bool {
        add("isRestricted")
        return isRestricted
      }
      func dragInteraction(_ i: DragInteraction, prefersFullSizePreviewsFor s: DragSession) -> Bool {
        add("prefersFullSize")
        return false
      }
      func dragInteraction(_ i: DragInteraction, sessionDidMove s: DragSession) { add("didMove", repeats: true) }
      func dragInteraction(_ i: DragInteraction, session: DragSession, willEndWith o: Carry.DropOperation) {
        add("willEnd(\(o))")
      }
      func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
        add("didEnd(\(o))")
      }
      func dragInteraction(_ i: DragInteraction, sessionDidTransferItems s: DragSession) { add("didTransfer") }

      func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool {
        add("canHandle")
        return true
      }
      func dropInteraction(_ i: DropInteraction, sessionDidEnter s: DropSession) { add("didEnter") }
      func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
        add("didUpdate", repeats: true)
        return proposal(s)
      }
      func dropInteraction(_ i: DropInteraction, sessionDidExit s: DropSession) { add("didExit") }
      func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) {
        add("performDrop")
        perform(s)
      }
      func dropInteraction(_ i: DropInteraction, concludeDrop s: DropSession) { add("concludeDrop") }
      func dropInteraction(_ i: DropInteraction, sessionDidEnd s: DropSession) { add("sessionDidEnd") }

      func shouldAllow(_ interaction: SpringLoadedInteraction, with context: SpringLoadedContext) -> Bool {
        add("shouldAllow(\(context.state))")
        return allowsSpring
      }
      func interactionDidFinish(_ interaction: SpringLoadedInteraction) { add("didFinish") }
    }

    private func region(_ d: Desktop, _ client: Client, _ x: Double, _ y: Double, _ interactions: [any Interaction])
      -> Region
    {
      let rect = CarryModel.Rect(x: x, y: y, width: 300, height: 300)
      let window = d.client.makeWindow(rect, color: 0x3366CC)
      d.client.sync()
      let region = Region(client: client, window: window.raw, frame: .init(x: 0, y: 0, width: 300, height: 300))
      for i in interactions { region.addInteraction(i) }
      return region
    }

    private func run(_ clients: [Client], until condition: () -> Bool) -> Bool {
      Wait.until(seconds: 20, descriptor: clients[0].fileDescriptor) {
        for c in clients { try? c.dispatch() }
        return condition()
      }
    }

    @Test("K7, G8: a stack goes to a second finger and is dropped by that one") func K7_G8_aStackGoesToASecondFinger()
      throws
    {
      var s = Traces.screen
      let a = s.down(200, 400, at: 0)
      s.move(a, to: 600, 300, from: 650, until: 900)
      let b = s.down(612, 306, at: 1000)
      s.up(a, at: 1350)
      s.move(b, to: 1000, 400, from: 1500, until: 1900)
      s.up(b, at: 2000)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      #expect(target.remainingLines().contains { $0.contains("\"text\": \"hello\"") })
      #expect(
        events(d.monitor.remainingLines()).collapsed == [
          "lift-began", "lifted", "began", "handed-off", "entered", "updated", "dropped", "received", "data-delivered",
          "ended",
        ])
      withExtendedLifetime(source) {}
    }

    @Test("A14, K8, D1, D3, O4, O7, O10, X5, LO1, LO2, LO3, LO4, LO6: two hands within one application")
    func A14_K8_D3_LO_twoHandsWithinOneApplication() throws {
      var s = Traces.screen
      let a = s.down(200, 300, at: 0)
      let b = s.down(200, 450, at: 30)
      s.move(a, to: 600, 200, from: 650, until: 900)
      s.move(b, to: 600, 650, from: 700, until: 950)
      s.tap(120, 520, at: 1200)
      s.move(a, to: 1000, 350, from: 1500, until: 1800)
      s.move(b, to: 1000, 500, from: 1900, until: 2200)
      s.up(a, at: 2500)
      s.up(b, at: 2700)
      let d = try Desktop(s, compositor: nil)
      let recorder = CallRecorder()
      let client = try Client(name: "own", socket: d.socket)
      let source = Actor("source", recorder)
      let drops = [Actor("first", recorder), Actor("second", recorder)]
      source.isRestricted = true
      source.chosen = { $0.last }
      _ = region(d, client, 50, 250, [DragInteraction(delegate: source)])
      let target = region(d, client, 850, 250, drops.map { DropInteraction(delegate: $0) })
      // What a restricted session comes by on its way: another process.
      let foreign = try d.target(geometry: "300x300+450+100")
      var places: [Double] = []
      var texts: [String] = []
      for drop in drops {
        drop.proposal = { session in
          #expect(session.allowsMoveOperation && session.isRestrictedToDraggingApplication && session.isLocal)
          var answer = DropProposal(operation: .move)
          answer.isPrecise = true
          return answer
        }
        drop.perform = { session in
          let local = session.localDragSession
          #expect(local?.isRestrictedToDraggingApplication == true)
          texts.append("\(local?.localContext ?? "none")")
          texts += session.items.map { "object \($0.localObject ?? "none")" }
          places.append(session.location(in: target).y)
          session.loadItems(conformingTo: ["text/plain"]) { loaded in
            texts += loaded.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
          }
        }
      }
      #expect(
        run([client]) {
          recorder.calls(to: "source").count { $0 == "didTransfer" } == 2
            && drops.allSatisfy { recorder.calls(to: $0.name).last == "sessionDidEnd" }
        }, "\(recorder.calls)")
      #expect(!foreign.remainingLines().contains { $0.contains("session") })
      for drop in drops {
        #expect(
          recorder.problem(
            of: drop.name, with: "canHandle didEnter didUpdate performDrop concludeDrop sessionDidEnd") == nil)
      }
      let asked = recorder.calls(to: "source").filter { $0.contains("dd") || $0.contains("sessionFor") }
      #expect(asked == ["sessionForAdding(2)", "itemsForAdding(2)", "willAdd(1) itself"])
      // 350 and 500 on the screen, 25 px above the finger.
      #expect(places == [75, 225])
      #expect(
        texts.sorted() == [
          "context 1", "context 2", "item 1", "item 2", "item 3", "object 1", "object 2", "object 3",
        ])
      let steps = d.monitor.remainingLines()
      #expect(steps.contains { $0.contains("\"dropped\"") } && !steps.contains { $0.contains("text/plain") })
    }

    @Test("G8: an item that is lifted twice belongs to the drag that is left") func G8_anItemThatIsLiftedTwice() throws
    {
      var s = Traces.screen
      let a = s.down(200, 300, at: 0)
      let b = s.down(200, 450, at: 100)
      s.move(a, to: 600, 200, from: 750, until: 900)
      s.move(b, to: 600, 650, from: 950, until: 1100)
      s.up(a, at: 1200)
      s.up(b, at: 3000)
      let d = try Desktop(s, compositor: nil)
      let recorder = CallRecorder()
      let client = try Client(name: "source", socket: d.socket)
      let source = Actor("source", recorder)
      let item = DragItem(itemProvider: ItemProvider(text: "the same"))
      source.items = { _ in [item] }
      _ = region(d, client, 50, 250, [DragInteraction(delegate: source)])
      var held: Set<UInt32?> = []
      #expect(
        run([client]) {
          let ended = recorder.calls(to: "source").count { $0 == "didEnd(cancel)" }
          if ended == 1 { held.insert(item.session?.identifier) }
          return ended == 2
        }, "\(recorder.calls)")
      #expect(held == [2])
    }

    @Test(
      "2.1, 2.3, B4, C2, C5, C6, C8, G16, K9: the order through the Swift API; S2: a spring that is refused stays shut")
    func order_B4_throughTheSwiftAPI() throws {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(1000, 400, 650...900), upAt: 2200)
      let d = try Desktop(s, compositor: nil)
      let recorder = CallRecorder()
      let client = try Client(name: "source", socket: d.socket)
      let other = try Client(name: "target", socket: d.socket)
      let source = Actor("source", recorder)
      let target = Actor("target", recorder)
      let (passed, button) = (Actor("passed", recorder), Actor("button", recorder))
      button.allowsSpring = false
      var activated = false
      _ = region(d, client, 50, 250, [DragInteraction(delegate: source)])
      _ = region(d, other, 450, 250, [DropInteraction(delegate: passed)])
      _ = region(
        d, other, 850, 250,
        [
          DropInteraction(delegate: target),
          SpringLoadedInteraction(interactionBehavior: button, interactionEffect: nil) { _, _ in activated = true },
        ])
      #expect(
        run([client, other]) {
          recorder.calls(to: "source").last == "didTransfer" && recorder.calls(to: "target").last == "sessionDidEnd"
        }, "\(recorder.calls)")
      #expect(
        recorder.problem(
          of: "source",
          with: "itemsForBeginning liftDidBegin didLift liftDidEnd(end) willBegin allowsMove isRestricted "
            + "prefersFullSize didMove* willEnd(copy) didEnd(copy) didTransfer") == nil)
      #expect(
        recorder.problem(
          of: "target", with: "canHandle didEnter didUpdate performDrop concludeDrop sessionDidEnd") == nil)
      // The region that the drag only passed learns of the end at once; the one that dropped learns of it last.
      #expect(recorder.problem(("passed", "sessionDidEnd"), before: ("target", "concludeDrop")) == nil)
      #expect(Set(recorder.calls(to: "button")) == ["shouldAllow(possible)"] && !activated)
      #expect(!events(d.monitor.remainingLines()).contains("spring-activated"))
    }

    @Test("PH1, PH2: on a small screen nothing is lifted unless an application says so", arguments: [false, true])
    func PH1_PH2_onASmallScreen(says: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil, settings: "[lift]\nenabled = no\n")
      let client = try Client(name: "phone", socket: d.socket)
      #expect(!client.isDragEnabledByDefault)
      let source = Actor("source", CallRecorder())
      let drag = DragInteraction(delegate: source)
      #expect(drag.isEnabled)
      if says { drag.isEnabled = true }
      _ = region(d, client, 50, 250, [drag])
      #expect(drag.isEnabled == says)
      #expect(run([client]) { !d.engine.isRunning })
      #expect(source.recorder.calls(to: "source").contains("willBegin") == says)
    }

    @Test(
      "Z8, X4: a source that is stopped in each phase holds up nobody",
      arguments: ["lift-began", "began", "updated"])
    func Z8_aSourceThatIsStopped(phase: String) throws {
      // One that is stopped at once may never have had a region.
      let d = try Desktop(Traces.twoAtOnce, clients: phase == "lift-began" ? 3 : 4, compositor: nil)
      let stuck = try d.source("--text", "upper", geometry: "300x200+50+100")
      let fine = try d.source("--text", "lower", geometry: "300x200+50+500")
      let targets = [
        try d.target(geometry: "300x200+850+100"), try d.target(geometry: "300x200+850+500"),
      ]
      if phase == "lift-began" {
        // Before the first word to it: it never says what it lifts.
        #expect(d.engine.readLine { $0.contains("is carry drop") } != nil)
      } else {
        #expect(d.step(phase) != nil)
      }
      stuck.signal(SIGSTOP)
      #expect(targets[1].readLine(seconds: 15) { $0.contains("\"received\"") } != nil)
      stuck.signal(SIGCONT)
      #expect(d.playToTheEnd() == 0)
      let steps = d.monitor.remainingLines()
      #expect(steps.contains { $0.contains("\"ended\"") })
      _ = fine
    }
  }
}
