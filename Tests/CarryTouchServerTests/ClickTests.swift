import CInputTest
import CX11
import CarryDisplay
import CarryGate
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension GateTests {
  /// The promise for clicks, where trackpads are on: one that Carry does not take reaches the application once and whole,
  /// one that it takes never does. The gate's process is the real one; the tests play the engine.
  @Suite(.serialized) struct ClickTests {
    private final class Scene {
      let server: TouchServer
      let app: Application
      let gate: Gate<ClickEvent>
      var events: [GateReport<ClickEvent>] = []
      private var guarded: Set<WindowID>
      private let client: XClient

      init(patience: Interval = .milliseconds(600)) throws {
        server = try TouchServer()
        app = try Application(
          server, CarryModel.Rect(x: 100, y: 100, width: 400, height: 400), takesTouches: false)
        client = try #require(XClient(server.display))
        guarded = [WindowID(app.window)]
        gate = Gate(
          displayName: server.display, patience: patience, spawner: GateProgram(try Checkout.program("carryd")))
        try gate.start()
        let gate = gate
        let server = server
        gate.guardWindows(guarded)
        // The gate guards the window once a click there is reported.
        server.point(200, 150)
        let isGuarded = Wait.until(seconds: 5) {
          // What was reported late is of a click that is over.
          take()
          events = []
          server.button(true)
          server.button(false)
          let click = self.click(seconds: 0.1)
          if let click { gate.give(click) }
          // Everything of one click before the next.
          _ = app.got([XI_ButtonPress, XI_ButtonRelease])
          app.forget()
          take()
          events = []
          return click != nil
        }
        try #require(isGuarded, "the window is not guarded")
      }

      deinit { gate.stop() }

      func take() {
        gate.dispatch { self.events.append($0) }
      }

      /// Waits until the gate guards one more window.
      func guardAlso(_ window: WindowID) -> Bool {
        guarded.insert(window)
        gate.guardWindows(guarded)
        return Wait.until {
          take()
          return events.contains(.guarding(window))
        }
      }

      /// Waits until the gate has carried out its orders, and reads its reports: it answers an order to guard a window behind
      /// everything else.
      func gateAnswers() -> Bool {
        let window = client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 5, height: 5), maps: false)
        client.sync()
        return guardAlso(window)
      }

      /// The next click that waits for a decision.
      func click(seconds: Double = 5) -> UInt32? {
        var found: UInt32?
        _ = Wait.until(seconds: seconds) {
          take()
          for event in events { if case .event(.clicked(let id, _, _, _)) = event { found = id } }
          return found != nil
        }
        events = []
        return found
      }

      /// Presses, and decides in the click's moment; on a busy machine, where that is over, it is tried again.
      ///
      /// - Returns: the click, which is held.
      func press(_ decide: (UInt32) -> Void) throws -> UInt32 {
        for _ in 0..<8 {
          take()
          events = []
          server.button(true)
          guard let id = click() else { throw Problem("no click was reported") }
          decide(id)
          try #require(gateAnswers())
          if !events.contains(where: { if case .event(.expired(id)) = $0 { true } else { false } }) { return id }
          server.button(false)
          _ = app.got([XI_ButtonPress, XI_ButtonRelease])
          app.forget()
        }
        throw Problem("no click was decided in its moment")
      }
    }

    private static let whole = [XI_ButtonPress, XI_ButtonRelease]

    @Test("Z6, Z4: a click that is given reaches the application once, where it was")
    func Z6_Z4_aClickThatIsGiven() throws {
      // So long that nothing comes by itself.
      let s = try Scene(patience: .seconds(60))
      let click = try s.press { s.gate.keep($0) }
      #expect(s.app.kinds.isEmpty)
      s.gate.give(click)
      #expect(s.app.got([XI_ButtonPress]))
      s.server.button(false)
      try #require(s.app.got(Self.whole))
      #expect(abs(s.app.events[0].x - 100) < 2 && abs(s.app.events[0].y - 50) < 2)
      // One that is over before it is given comes whole as well.
      s.app.forget()
      s.server.button(true)
      s.server.button(false)
      s.gate.give(try #require(s.click()))
      #expect(s.app.got(Self.whole))
      // A second one that comes while the first is held is held behind it.
      s.app.forget()
      for _ in 0..<2 {
        s.server.button(true)
        s.server.button(false)
      }
      // Both may be reported at once where the moment of the first is over.
      let haveCome = Wait.until {
        if let click = s.click(seconds: 0.1) { s.gate.give(click) }
        return s.app.kinds == Self.whole + Self.whole
      }
      #expect(haveCome)
    }

    @Test("Z6, Z4: a click that is taken never reaches the application, and the next one does")
    func Z6_Z4_aClickThatIsTaken() throws {
      // So long that nothing comes by itself.
      let s = try Scene(patience: .seconds(60))
      let click = try s.press { s.gate.keep($0) }
      // The moment passes that a click waits for an engine which says nothing. The gate looks at its clicks between two
      // answers.
      let moment = MonotonicClock.now() + ClickHold.moment
      #expect(Wait.until { MonotonicClock.now() > moment })
      #expect(s.gateAnswers() && s.gateAnswers() && s.app.kinds.isEmpty)
      s.gate.claim(click)
      // The pointer moves on as soon as the server knows.
      s.server.point(300, 300)
      #expect(s.server.pointerIs(at: 300, 300))
      s.server.button(false)
      let next = try s.press { s.gate.keep($0) }
      #expect(s.app.kinds.isEmpty)
      s.gate.give(next)
      s.server.button(false)
      try #require(s.app.got(Self.whole))
      #expect(abs(s.app.events[0].x - 200) < 2)
    }

    @Test("Z6: an engine that says nothing costs a click a moment, one that is stuck a lifts time")
    func Z6_deadlines() throws {
      // A click that is not kept does not wait for that.
      let s = try Scene(patience: .seconds(60))
      s.server.button(true)
      s.server.button(false)
      #expect(s.app.got(Self.whole))
      s.gate.setPatience(.seconds(2))
      s.take()
      s.events = []
      s.app.forget()
      var before = MonotonicClock.now()
      let click = try s.press {
        before = MonotonicClock.now()
        s.gate.keep($0)
      }
      s.server.button(false)
      #expect(s.app.got(Self.whole, seconds: 10))
      #expect((MonotonicClock.now() - before).seconds > 1.5)
      let hasExpired = Wait.until {
        s.take()
        return s.events.contains { if case .event(.expired(click)) = $0 { true } else { false } }
      }
      #expect(hasExpired)
    }

    @Test("Z6, Z4: a click in a guarded window within a guarded frame is one click") func Z6_Z4_inAFrame() throws {
      let s = try Scene()
      let manager = try #require(XClient(s.server.display))
      let frame = manager.makeWindow(CarryModel.Rect(x: 100, y: 100, width: 400, height: 400))
      manager.reparent(WindowID(s.app.window), to: frame, at: Point(x: 0, y: 0))
      manager.sync()
      #expect(s.guardAlso(frame))
      s.events = []
      s.app.forget()
      s.server.button(true)
      s.server.button(false)
      s.gate.give(try #require(s.click()))
      #expect(s.app.got(Self.whole))
      #expect(s.gateAnswers() && s.app.kinds == Self.whole)
      #expect(!s.events.contains { if case .event(.clicked) = $0 { true } else { false } })
    }

    @Test("Z6: when the engine goes, so does the gate, and the pointer moves on") func Z6_theGateGoes() throws {
      let s = try Scene()
      s.server.button(true)
      _ = try #require(s.click())
      s.gate.stop()
      s.server.button(false)
      // This one click may be lost; nothing else is.
      s.server.point(210, 160)
      #expect(s.server.pointerIs(at: 210, 160))
      _ = s.app.kinds
      s.app.forget()
      s.server.button(true)
      s.server.button(false)
      #expect(s.app.got(Self.whole))
    }

    @Test("Z31: of a followed click the engine hears each step while the pointer is stopped, and once it is taken")
    func Z31_aFollowedClick() throws {
      let s = try Scene(patience: .seconds(20))
      func hears(_ step: (ClickEvent) -> Bool) -> Bool {
        Wait.until {
          s.take()
          return s.events.contains { if case .event(let event) = $0 { step(event) } else { false } }
        }
      }
      func isNear(_ p: CarryModel.Point, _ x: Double, _ y: Double) -> Bool { abs(p.x - x) < 2 && abs(p.y - y) < 2 }
      for isTaken in [false, true] {
        s.server.point(200, 150)
        let click = try s.press { s.gate.follow($0) }
        // Where it is to begin with, since it may have moved before.
        #expect(hears { if case .moved(click, let p, _) = $0 { isNear(p, 200, 150) } else { false } })
        s.server.point(220, 160)
        #expect(hears { if case .moved(click, let p, _) = $0 { isNear(p, 220, 160) } else { false } })
        #expect(s.server.pointerIs(at: 200, 150))
        if isTaken {
          s.gate.claim(click)
          s.server.point(300, 200)
          #expect(hears { if case .moved(click, let p, _) = $0 { isNear(p, 300, 200) } else { false } })
        }
        s.server.button(false)
        let place = isTaken ? (300.0, 200.0) : (220, 160)
        #expect(hears { if case .released(click, let p, _) = $0 { isNear(p, place.0, place.1) } else { false } })
        s.events = []
        // One that is not taken waits only a moment longer.
        if isTaken {
          #expect(s.app.kinds.isEmpty)
        } else {
          s.gate.give(click)
          #expect(s.app.got(Self.whole))
          s.app.forget()
        }
      }
      // A click that is over before it is followed, somewhere else.
      s.server.point(200, 150)
      s.server.button(true)
      let click = try #require(s.click())
      s.server.point(220, 160)
      s.server.button(false)
      s.gate.follow(click)
      // On a busy machine its moment may be over.
      #expect(
        hears {
          switch $0 {
          case .released(click, let p, _): isNear(p, 220, 160)
          case .expired: true
          default: false
          }
        })
      s.gate.give(click)
      #expect(s.app.got(Self.whole))
    }

    /// An X server that lets go of a held click while the next one's button is down loses that next one.
    @Test("Z31, Z4: of a double click nothing is lost, also where the engine is stuck once it follows a click")
    func Z31_Z4_doubleClicks() throws {
      let s = try Scene(patience: .seconds(20))
      var expected: [CInt] = []
      for _ in 0..<3 {
        s.server.button(true)
        s.gate.follow(try #require(s.click()))
        s.server.button(false)
        expected += Self.whole
        #expect(s.app.got(expected))
        #expect(
          Wait.until {
            s.take()
            return s.events.contains { if case .event(.expired) = $0 { true } else { false } }
          })
        s.events = []
      }
      // Over before it is followed.
      s.server.button(true)
      s.server.button(false)
      s.gate.follow(try #require(s.click()))
      #expect(s.app.got(expected + Self.whole))
    }

    @Test("Z6, Z4: where the X server has a touchscreen its touches are held and clicks are not")
    func Z6_Z4_touchesComeFirst() throws {
      let server = try TouchServer()
      let engine = try Engine(on: server.display, options: ["--trackpads"])
      defer { engine.stop(SIGKILL) }
      var lines: [String] = []
      let isUp = engine.readLine {
        lines.append($0)
        return $0.contains("touch gate runs")
      }
      #expect(isUp != nil)
      #expect(lines.contains { $0.contains("clicks of trackpads are not held") }, "\(lines)")
      // M5: once, however often the screen or a touchscreen changes.
      let app = try Application(server, CarryModel.Rect(x: 100, y: 100, width: 400, height: 400))
      for matrix in [[0, -1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0, 0, 0, 1]] as [[Float]] {
        #expect(app.setMatrix(matrix))
        let hasChanged = engine.readLine {
          lines.append($0)
          return $0.contains("touchscreens changed")
        }
        #expect(hasChanged != nil)
      }
      #expect(lines.count { $0.contains("clicks of trackpads are not held") } == 1, "\(lines)")
    }

    @Test("Z6: the pointer is followed while somebody wants it, and through a grab") func Z6_thePointerIsFollowed()
      throws
    {
      let server = try TouchServer()
      let follower = try PointerFollower(displayName: server.display)
      var places: [CarryModel.Point] = []
      func sees(_ x: Double, _ y: Double) -> Bool {
        Wait.until(descriptor: follower.fileDescriptor) {
          follower.dispatch { places.append($0) }
          return places.last.map { abs($0.x - x) < 2 && abs($0.y - y) < 2 } ?? false
        }
      }
      /// Whether the follower reports nothing of a motion. To ask for the pointer's place it would need a round trip.
      func ignores(_ x: Double, _ y: Double) -> Bool {
        server.point(x, y)
        for _ in 0..<2 {
          guard server.pointerIs(at: x, y) else { return false }
          follower.dispatch { places.append($0) }
        }
        return places.isEmpty
      }
      #expect(ignores(300, 200))
      follower.follow(true)
      #expect(sees(300, 200))
      for i in 0...20 { server.point(300 + Double(i) * 20, 250) }
      #expect(sees(700, 250))
      let client = try #require(XClient(server.display))
      XGrabPointer(
        client.connection, XDefaultRootWindow(client.connection), 0, UInt32(ButtonPressMask), GrabModeAsync,
        GrabModeAsync, 0, 0, 0)
      XSync(client.connection, 0)
      server.point(900, 600)
      #expect(sees(900, 600))
      follower.follow(false)
      places = []
      #expect(ignores(100, 100))
    }

    @Test("Z6: who follows hears the place, however quickly the answer comes, and whatever was not looked at before")
    func Z6_followingAgain() throws {
      let server = try TouchServer()
      let follower = try PointerFollower(displayName: server.display)
      var place: Point?
      func hears() -> Bool {
        var waiting = pollfd(fd: follower.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 10_000) == 1
      }
      func takes(_ x: Double) -> Bool {
        Wait.until {
          follower.dispatch { place = $0 }
          return place.map { abs($0.x - x) < 2 } ?? false
        }
      }
      server.point(200, 150)
      follower.follow(true)
      try #require(takes(200))
      follower.follow(false)
      // On one processor the server often answers before the question's sender goes on.
      try #require(cinputtest_share_processor(server.pid))
      defer { _ = cinputtest_share_processor(0) }
      // The pointer rests, so that nothing but the answer says where it is.
      for _ in 0..<200 {
        // The answer to this question waits in the socket when following ends, and may be read with what is written then.
        follower.follow(true)
        try #require(hears())
        follower.follow(false)
        place = nil
        follower.follow(true)
        try #require(hears() && takes(200))
        follower.follow(false)
      }
    }
  }
}
