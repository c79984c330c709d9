import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import CX11
import Glibc
import Testing

extension DesktopTests {
  /// R5, R7, Z16: the window for slow transfers, and undo after a move, from the finger to the callbacks.
  @Suite(.serialized) struct SlowTransfers {
    /// The window's rows begin here after a drop at 1000, 400: they are white.
    private static let white = (x: 826, y: 470)
    /// The middle of the first row's button there.
    private static let button = (x: 1132, y: 461)

    /// Presses, carries, lets go, and keeps the engine there.
    private static let script = Trace("press-drag-drop", then: "60s tap 640,790")

    private func isShown(_ d: Desktop) -> Bool {
      d.color(Self.white.x, Self.white.y).distance(to: .init(255, 255, 255)) < 8
    }

    /// A source that never answers, and a target that loads from it.
    private final class Slow {
      let source: App
      let target: App
      var request: ItemRequest?
      var sourceIsCancelled = false
      var error: LoadError?
      var style = DropSession.ProgressIndicatorStyle.default

      init(_ d: Desktop, name: String = "holiday.jpeg") throws {
        (source, target) = try App.pair(d)
        source.items = { [unowned self] in
          let provider = ItemProvider()
          provider.suggestedName = name
          provider.registerRequests(forType: "image/jpeg") { request in
            self.request = request
            request.onCancelled = { self.sourceIsCancelled = true }
          }
          return [DragItem(itemProvider: provider)]
        }
        target.onPerform = { [unowned self] session in
          session.progressIndicatorStyle = self.style
          session.items[0].itemProvider.loadDataRepresentation(forType: "image/jpeg") { result in
            if case .failure(let error) = result { self.error = error }
          }
        }
      }

      func run(until condition: () -> Bool) -> Bool {
        target.run {
          try? source.client.dispatch()
          return condition()
        }
      }
    }

    @Test(
      "R5, DM7: a slow load shows near the drop, and Cancel ends it at both ends",
      arguments: [nil, Compositor.Kind.picom])
    func R5_DM7_cancelByMouse(_ compositor: Compositor.Kind?) throws {
      let d = try Desktop(Self.script, clients: 2, compositor: compositor)
      let slow = try Slow(d)
      let mouse = try FakeInput(d)
      #expect(slow.run { slow.request != nil })
      #expect(slow.run { isShown(d) })
      // The source's own units are shown until bytes come.
      slow.request?.reportProgress(completedUnitCount: 1, totalUnitCount: 4)
      // A click beside the button is for nobody.
      mouse.click(Self.white.x + 40, Self.white.y)
      mouse.click(Self.button.x, Self.button.y)
      #expect(slow.run { slow.error != nil && slow.sourceIsCancelled })
      #expect(slow.error?.code == .cancelled)
      #expect(slow.run { !isShown(d) }, "the window stays")
      #expect(slow.source.calls.contains("didTransfer") && slow.source.calls.count { $0 == "itemsForBeginning" } == 1)
    }

    @Test("R5: a finger on Cancel ends it, too, and Esc") func R5_cancelByTouchAndEsc() throws {
      let taps = "5s tap \(Self.button.x),\(Self.button.y)\n60s tap 640,790"
      let d = try Desktop(Trace("press-drag-drop", then: taps), clients: 2, compositor: nil)
      let slow = try Slow(d)
      #expect(slow.run { isShown(d) })
      #expect(slow.run { slow.error != nil && slow.sourceIsCancelled })
      #expect(slow.error?.code == .cancelled && slow.error != nil)
      let e = try Desktop(Self.script, clients: 2, compositor: nil)
      let other = try Slow(e)
      let keys = try FakeInput(e)
      #expect(other.run { isShown(e) })
      keys.press(KeySym(XK_Escape))
      #expect(other.run { other.error?.code == .cancelled && other.sourceIsCancelled })
    }

    @Test("R7: nothing is shown for a drop whose application shows it itself") func R7_none() throws {
      let d = try Desktop(Self.script, clients: 2, compositor: nil)
      let slow = try Slow(d)
      slow.style = .none
      #expect(slow.run { slow.request != nil })
      let start = MonotonicClock.now()
      var hasShown = false
      _ = slow.run {
        hasShown = hasShown || isShown(d)
        return MonotonicClock.now() - start > .milliseconds(1500)
      }
      #expect(!hasShown)
      slow.request?.answer(.success(.data(Array("late".utf8))))
      #expect(slow.run { slow.source.calls.contains("didTransfer") })
    }

    /// A move within one application that offers to undo it.
    private func move(_ d: Desktop, undone: @escaping () -> Void) throws -> App {
      let app = try App(d, "both")
      app.takePlaces()
      app.onUpdate = { _ in .move }
      app.onTransferred = { session in session.offerUndo(title: "Moved 1 item", handler: undone) }
      return app
    }

    @Test("Z16: a move can be undone with a click, once") func Z16_click() throws {
      let d = try Desktop(Self.script, compositor: nil)
      var undone = 0
      let app = try move(d) { undone += 1 }
      let mouse = try FakeInput(d)
      #expect(app.run { isShown(d) })
      mouse.click(Self.button.x, Self.button.y)
      mouse.click(Self.button.x, Self.button.y)
      #expect(app.run { undone > 0 && !isShown(d) })
      #expect(undone == 1)
    }

    @Test("Z16: Ctrl+Z undoes it where the focus is in a window of the move, and nowhere else") func Z16_key() throws {
      let d = try Desktop(Self.script, compositor: nil)
      var undone = 0
      let app = try move(d) { undone += 1 }
      let keys = try FakeInput(d)
      let other = d.client.makeWindow(CarryModel.Rect(x: 400, y: 600, width: 200, height: 100), color: 0)
      #expect(app.run { isShown(d) })
      func press(in window: UInt) {
        XSetInputFocus(d.client.connection, window, RevertToParent, UInt(CurrentTime))
        keys.press(KeySym(XK_z), control: true)
        d.client.sync()
      }
      XSelectInput(d.client.connection, UInt(other.raw), KeyPressMask)
      press(in: UInt(other.raw))
      var event = XEvent()
      // Control, and then the key itself: what somebody holds does not come here.
      var heard = 0
      #expect(
        app.run {
          if XCheckTypedWindowEvent(d.client.connection, UInt(other.raw), KeyPress, &event) != 0 { heard += 1 }
          return heard == 2
        })
      #expect(undone == 0)
      press(in: UInt(app.regions[1].window))
      #expect(app.run { undone == 1 && !isShown(d) })
    }
  }

  /// What a mouse and a keyboard do, made by the X server's test extension.
  private final class FakeInput {
    private typealias Motion = @convention(c) (OpaquePointer, CInt, CInt, CInt, UInt) -> CInt
    private typealias Key = @convention(c) (OpaquePointer, UInt32, CInt, UInt) -> CInt
    private let connection: OpaquePointer
    private let motion: Motion
    private let button: Key
    private let key: Key

    init(_ d: Desktop) throws {
      connection = d.client.connection
      let library = try #require(dlopen("libXtst.so.6", RTLD_NOW), "libXtst is not there")
      motion = unsafeBitCast(try #require(dlsym(library, "XTestFakeMotionEvent")), to: Motion.self)
      button = unsafeBitCast(try #require(dlsym(library, "XTestFakeButtonEvent")), to: Key.self)
      key = unsafeBitCast(try #require(dlsym(library, "XTestFakeKeyEvent")), to: Key.self)
    }

    func click(_ x: Int, _ y: Int) {
      _ = motion(connection, 0, CInt(x), CInt(y), 0)
      _ = button(connection, 1, 1, 0)
      _ = button(connection, 1, 0, 0)
      XSync(connection, 0)
    }

    func press(_ symbol: KeySym, control: Bool = false) {
      let code = UInt32(XKeysymToKeycode(connection, symbol))
      let controlCode = UInt32(XKeysymToKeycode(connection, KeySym(XK_Control_L)))
      if control { _ = key(connection, controlCode, 1, 0) }
      _ = key(connection, code, 1, 0)
      _ = key(connection, code, 0, 0)
      if control { _ = key(connection, controlCode, 0, 0) }
      XSync(connection, 0)
    }
  }
}
