import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryXdnd
import Testing

@testable import CarryBridge

/// A drag of Carry's over a window of another program, in the middle of that window.
private struct Scene {
  static let window: UInt32 = 0x200001
  static let proxy: UInt32 = 0x200002
  static let middle = CarryModel.Point(x: 130, y: 90)
  let display = RecordingDisplay()
  let target: TargetWindow
  let drag: BridgedDrag
  private let client: Client

  /// - Parameter process: That of the target.
  init(_ items: [ItemProvider] = [Self.text()], version: UInt32 = 5, process: Int32? = nil) throws {
    client = try Client(awaitingEngineAs: "Other applications", socket: "/nonexistent/carry")
    let frame = CarryModel.Rect(x: 30, y: 40, width: 200, height: 100)
    display.windows[Self.window] = RecordingDisplay.Window(process: process, frame: frame)
    target = TargetWindow(Self.window, version: version, receiver: Self.proxy, frame: frame)
    let region = Carry.Region(
      client: client, window: Self.window, frame: Carry.Rect(x: 0, y: 0, width: 200, height: 100))
    drag = BridgedDrag(DropSession(pasting: items, in: region), over: target, display, client)
  }

  static func text(_ name: String? = nil, type: String = "text/plain") -> ItemProvider {
    let provider = ItemProvider()
    provider.suggestedName = name
    provider.register(Array("hello".utf8), forType: type)
    return provider
  }

  private var copy: UInt32 { display.atom("XdndActionCopy") }

  /// The messages sent since the last call. All of them come from the drag's window, and go to the target's proxy.
  func messages() -> [XdndMessage] {
    display.drain().compactMap { deed in
      guard case .sent(let message, drag.window, Self.window, Self.proxy) = deed else {
        Issue.record("\(deed)")
        return nil
      }
      return message
    }
  }

  /// An XdndEnter with as many of the offered types as fit.
  var enter: XdndMessage {
    let types = drag.data.offer.types
    let atoms = types.prefix(3).map { display.atom($0) } + [0, 0, 0]
    return .enter(version: target.version, types: (atoms[0], atoms[1], atoms[2]), hasMore: types.count > 3)
  }

  var position: XdndMessage { .position(Self.middle, time: drag.time, action: copy) }

  func move(_ answer: @escaping (CarryModel.DropOperation) -> Void = { _ in }) {
    drag.moved(at: display.now) { answer($0.operation == .copy ? .copy : .cancel) }
  }

  func status(_ accepts: Bool, action: String = "XdndActionCopy") {
    drag.handle(.status(accepts: accepts, action: accepts ? display.atom(action) : 0), at: display.now)
  }

  func finish() { drag.handle(.finished(accepted: true, action: copy), at: display.now) }

  func pass(_ milliseconds: Int) {
    display.pass(milliseconds)
    drag.advance(to: display.now)
  }
}

/// Whether, and with what, something was called.
private final class Box<T> {
  var values: [T] = []
}

@Suite struct BridgedDragTests {
  @Test("Z1: the target is entered, follows, answers, and receives the drop; all with one window and one time")
  func aDrop() throws {
    let (s, answers, ends) = (try Scene(), Box<CarryModel.DropOperation>(), Box<String>())
    s.drag.onEnd = { ends.values.append("end") }
    #expect(s.display.windows[s.drag.window]?.words["XdndTypeList"] == s.drag.data.offer.types.map(s.display.atom))
    s.move { answers.values.append($0) }
    #expect(s.messages() == [s.enter, s.position])
    #expect(s.drag.time != 0 && answers.values.isEmpty)
    s.status(true)
    #expect(answers.values == [.copy])
    s.drag.dropped(at: s.display.now) { ends.values.append("done") }
    #expect(s.messages() == [.drop(time: s.drag.time)])
    #expect(s.drag.isServing && ends.values.isEmpty)
    s.finish()
    #expect(ends.values == ["done", "end"] && !s.drag.isServing && s.drag.machine.isOver)
    #expect(s.messages().isEmpty)
  }

  @Test("Z3: a target that reads data while the drag hovers gets a placeholder, and is asked anew at the drop")
  func placeholder() throws {
    let s = try Scene()
    s.move()
    s.status(true)
    let placeholder = try #require(s.drag.placeholder(for: "text/plain"))
    #expect(placeholder != Array("hello".utf8) && s.drag.placeholder(for: "image/png") == nil)
    #expect(!s.drag.data.hasServed)
    _ = s.messages()
    let time = s.drag.time
    s.drag.dropped(at: s.display.now) {}
    #expect(s.messages() == [.leave, s.enter, s.position])
    #expect(s.drag.isServing && s.drag.time != time)
    s.status(true)
    #expect(s.messages() == [s.position])
    s.status(true)
    #expect(s.messages() == [.drop(time: s.drag.time)])
  }

  @Test("Z1: only a copy is offered: another action is a refusal, but for a private one")
  func actions() throws {
    for (action, expected) in [("XdndActionPrivate", CarryModel.DropOperation.copy), ("XdndActionMove", .cancel)] {
      let (s, answers) = (try Scene(), Box<CarryModel.DropOperation>())
      s.move { answers.values.append($0) }
      s.status(true, action: action)
      // The first refusal is doubted.
      s.status(true, action: action)
      s.pass(100)
      #expect(answers.values.last == expected)
    }
  }

  @Test("Z8: a target that does not answer for a second accepts nothing") func noAnswer() throws {
    let (s, answers) = (try Scene(), Box<CarryModel.DropOperation>())
    s.move { answers.values.append($0) }
    #expect(s.drag.machine.nextDeadline == s.display.now + .seconds(1))
    s.pass(999)
    #expect(answers.values.isEmpty)
    s.pass(1)
    #expect(answers.values == [.cancel])
  }

  @Test("Z8: a drop ends after 30 seconds of silence, counted from the last sign of the target")
  func silence() throws {
    let (s, ends) = (try Scene(), Box<String>())
    s.move()
    s.status(true)
    s.drag.dropped(at: s.display.now) { ends.values.append("done") }
    s.pass(20_000)
    s.drag.markActive(at: s.display.now)
    s.pass(29_999)
    #expect(ends.values.isEmpty)
    s.pass(1)
    #expect(ends.values == ["done"])
  }

  @Test("Z2: a drag that is held leaves its target, and enters it again when it may go on") func held() throws {
    let s = try Scene()
    s.move()
    _ = s.messages()
    s.drag.hold(true, at: s.display.now)
    #expect(s.messages() == [.leave])
    s.drag.hold(false, at: s.display.now)
    #expect(s.messages() == [s.enter, s.position])
    s.drag.left(at: s.display.now)
    #expect(s.messages() == [.leave])
  }

  @Test("a target that is gone receives nothing more, and its drop ends") func gone() throws {
    let (s, ends) = (try Scene(), Box<String>())
    s.move()
    s.status(true)
    s.drag.dropped(at: s.display.now) { ends.values.append("done") }
    _ = s.messages()
    s.drag.targetGone(at: s.display.now)
    #expect(ends.values == ["done"] && s.messages().isEmpty)
  }

  @Test("Z1: the name of a file to save is on the window from the drop on, for targets that see our files")
  func directSave() throws {
    for process in [getpid(), nil] {
      let s = try Scene([Scene.text("Report.pdf", type: "application/pdf")], process: process)
      func name() -> [UInt8]? { s.display.windows[s.drag.window]?.texts[XdndOffer.directSave] }
      #expect(s.drag.data.offer.types.contains(XdndOffer.directSave) == (process != nil))
      s.move()
      s.status(true)
      #expect(name() == nil)
      s.drag.dropped(at: s.display.now) {}
      #expect(name() == (process == nil ? nil : Array("Report.pdf".utf8)))
      s.finish()
      #expect(name() == nil)
    }
  }

  @Test("an item without a type is nothing to drop") func noTypes() throws {
    #expect(try !Scene([ItemProvider()]).drag.hasTypes)
    #expect(try Scene().drag.hasTypes)
  }
}
