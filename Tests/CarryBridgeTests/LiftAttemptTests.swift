import Carry
import CarryModel
import CarrySelections
import CarryXdnd
import Testing

@testable import CarryBridge

/// A lift out of a window of 200×100 pixels at (100, 100), by a finger on its left half.
private final class Scene {
  static let window: UInt32 = 0x200001
  static let source: UInt32 = 0x200002
  static let frame = CarryModel.Rect(x: 100, y: 100, width: 200, height: 100)
  static let finger = CarryModel.Point(x: 120, y: 150)
  /// Beside the finger.
  static let pressed = CarryModel.Point(x: 126, y: 150)
  static let before = CarryModel.Point(x: 5, y: 5)
  let display = RecordingDisplay()
  let reader: SelectionReader
  let lift: LiftAttempt
  private(set) var takenTouches = 0
  /// What was lifted, if anything, once for each end.
  private(set) var results: [LiftAttempt.Result?] = []
  var result: LiftAttempt.Result? { results.first ?? nil }

  init() throws {
    reader = SelectionReader(display, of: "XdndSelection")
    display.windows[Self.window] = .init(process: 10, frame: Self.frame)
    display.windows[Self.source] = .init(process: 10)
    display.windowUnderPointer = Self.window
    let made = LiftAttempt(Self.window, at: Self.finger, display, reader, at: display.now)
    lift = try #require(made)
    lift.onTouchTaken = { [unowned self] in takenTouches += 1 }
    lift.onEnd = { [unowned self] in results.append($0) }
    #expect(display.drain() == [.pointed(Self.finger), .watchedOwners(lift.dropWindow)])
  }

  func status(_ accepts: Bool) -> RecordingDisplay.Deed {
    sent(.status(accepts: accepts, action: display.atom("XdndActionCopy")))
  }

  func finished(_ accepted: Bool) -> RecordingDisplay.Deed {
    sent(.finished(accepted: accepted, action: display.atom("XdndActionCopy")))
  }

  private func sent(_ message: XdndMessage) -> RecordingDisplay.Deed {
    .sent(message, from: lift.dropWindow, to: Self.source, at: Self.source)
  }

  func say(_ message: XdndMessage, from source: UInt32 = Scene.source) {
    _ = lift.handle(message.kind, message.words(from: source), about: lift.dropWindow, at: display.now)
  }

  func begin() {
    lift.begin(at: display.now)
    #expect(display.drain() == [.pointed(Self.pressed), .pressed])
  }

  /// The application begins to drag.
  func own(_ owner: UInt32 = Scene.source) {
    display.owner = owner
    lift.owned(by: owner, at: display.now)
  }

  /// The application's drag is over the window that accepts it.
  func enter(_ types: [String]) {
    let words = XdndMessage.enter(from: Self.source, types, display)
    _ = lift.handle(.enter, words, about: lift.dropWindow, at: display.now)
    say(.position(Self.pressed, time: 50, action: 0))
  }

  /// Passes time in steps of a few milliseconds, without the pointer's motions.
  func pass(_ milliseconds: Int) -> [RecordingDisplay.Deed] {
    var left = milliseconds
    while left > 0 {
      let step = min(left, 4)
      display.pass(step)
      reader.advance(to: display.now)
      lift.advance(to: display.now)
      left -= step
    }
    return display.drain().filter { if case .pointed = $0 { false } else { true } }
  }

  /// From the press to the drop.
  func dragAndDrop(_ types: [String]) {
    begin()
    own()
    enter(types)
    _ = pass(40)
    say(.drop(time: 60))
  }
}

@Suite struct LiftAttemptTests {
  @Test("Z23: press, take over the drag, accept it, release the button, read the data, finish") func aLift() throws {
    let s = try Scene()
    s.begin()
    s.own()
    #expect(s.takenTouches == 1 && s.display.drain() == [.shown(s.lift.dropWindow)])
    s.enter(["UTF8_STRING", "image/png"])
    #expect(s.display.drain() == [s.status(true)])
    // It shows no picture, which is waited for.
    #expect(s.pass(36).isEmpty)
    #expect(s.pass(4) == [.released])
    s.say(.drop(time: 60))
    #expect(s.display.drain() == [.hidden(s.lift.dropWindow), .pointed(Scene.before), .converted("UTF8_STRING")])
    s.display.answer(Array("hello".utf8), through: s.reader)
    #expect(s.results.isEmpty && s.display.requests.map(\.type) == ["image/png"])
    s.display.answer([1, 2], through: s.reader)
    #expect(s.display.drain().last == s.finished(true))
    let result = try #require(s.result)
    #expect(result.data == ["UTF8_STRING": Array("hello".utf8), "image/png": [1, 2]])
    #expect(result.process == 10 && result.picture == nil && result.icon == nil)
    #expect(result.offers.map(\.type) == [ForeignTypes.text, "text/plain", "image/png"])
    #expect(s.results.count == 1)
  }

  @Test("Z23: nothing is pressed if another window is under the pointer, and the pointer goes back")
  func coveredWindow() throws {
    let display = RecordingDisplay()
    display.windows[Scene.window] = .init(process: 10, frame: Scene.frame)
    let reader = SelectionReader(display, of: "XdndSelection")
    #expect(LiftAttempt(Scene.window, at: Scene.finger, display, reader, at: display.now) == nil)
    #expect(display.drain() == [.pointed(Scene.finger), .pointed(Scene.before)])
    // The press is beside the finger, where another window begins.
    let s = try Scene()
    s.display.windowUnderPointer = 0x300001
    s.lift.begin(at: s.display.now)
    #expect(!s.display.drain().contains(.pressed))
    #expect(s.results.count == 1 && s.result == nil)
  }

  @Test("Z23: where nothing drags, the button is released outside of the window, and the touch stays the program's")
  func nothingDrags() throws {
    let s = try Scene()
    s.begin()
    // Another program's drag is none of this window.
    s.own(0x300001)
    #expect(s.takenTouches == 0)
    #expect(s.pass(300) == [.released])
    #expect(s.takenTouches == 0 && s.results.count == 1 && s.result == nil)
    #expect(s.display.place == Scene.before)
  }

  @Test("Z23: the pointer stays where the user has put it meanwhile") func userMovesMouse() throws {
    let s = try Scene()
    s.begin()
    s.own()
    s.enter(["UTF8_STRING"])
    _ = s.pass(40)
    s.display.point(to: CarryModel.Point(x: 700, y: 700))
    s.say(.drop(time: 60))
    #expect(s.display.place == CarryModel.Point(x: 700, y: 700))
  }

  @Test("messages of other programs are ignored") func strangers() throws {
    let s = try Scene()
    s.begin()
    s.own()
    _ = s.display.drain()
    let words = XdndMessage.enter(from: 0x300001, ["UTF8_STRING"], s.display)
    #expect(s.lift.handle(.enter, words, about: s.lift.dropWindow, at: s.display.now))
    s.say(.position(Scene.pressed, time: 50, action: 0), from: 0x300001)
    #expect(s.display.drain().isEmpty)
    #expect(!s.lift.handle(.enter, words, about: Scene.window, at: s.display.now))
    // A window of another connection of the same process belongs to the program, too: LibreOffice has such windows.
    s.display.windows[0x500001] = .init(process: 10)
    _ = s.lift.handle(
      .enter, XdndMessage.enter(from: 0x500001, ["UTF8_STRING"], s.display), about: s.lift.dropWindow,
      at: s.display.now)
    s.say(.position(Scene.pressed, time: 50, action: 0), from: 0x500001)
    #expect(!s.display.drain().isEmpty)
  }

  @Test("Z23: the picture is the large one of the program's own windows, and it is cut away") func picture() throws {
    let s = try Scene()
    func show(_ window: UInt32, side: Int, isUnmanaged: Bool = true) throws {
      let picture = try #require(
        PreviewImage(width: side, height: side, premultipliedARGB: [UInt32](repeating: .max, count: side * side)))
      s.display.windows[window] = .init(process: window < 0x300000 ? 10 : 11)
      s.display.windows[window]?.picture = SeenPicture(
        window: window, picture: picture, sight: ForeignLift.Sight(width: side, height: side, print: 1))
      s.lift.windowShown(window, isUnmanaged: isUnmanaged)
    }
    s.begin()
    s.own()
    try show(0x300009, side: 200)
    try show(0x200007, side: 200, isUnmanaged: false)
    try show(0x200008, side: 20)
    try show(0x200009, side: 100)
    s.enter(["UTF8_STRING"])
    _ = s.display.drain()
    #expect(s.pass(40) == [.cutAway(0x200009), .released])
    s.say(.drop(time: 60))
    s.display.answer([1], through: s.reader)
    let result = try #require(s.result)
    #expect(result.picture?.width == 100 && result.icon?.width == 100)
  }

  @Test("if another program owns the selection at the drop, nothing is lifted") func stolenSelection() throws {
    let s = try Scene()
    s.begin()
    s.own()
    s.enter(["UTF8_STRING"])
    _ = s.pass(40)
    s.display.owner = 0x300001
    s.say(.drop(time: 60))
    #expect(s.display.requests.isEmpty && s.display.drain().last == s.finished(false))
    #expect(s.results.count == 1 && s.result == nil)
  }

  @Test("a type that does not come in time is left out, and all of them have less than a second")
  func slowData() throws {
    let s = try Scene()
    s.dragAndDrop(["UTF8_STRING", "image/png", "image/bmp", "image/gif"])
    s.display.answer([7], through: s.reader)
    // One type has 400 ms.
    _ = s.pass(396)
    #expect(s.display.requests.map(\.type) == ["image/png"])
    _ = s.pass(4)
    #expect(s.display.requests.map(\.type) == ["image/bmp"])
    _ = s.pass(400)
    #expect(s.display.requests.map(\.type) == ["image/gif"])
    // All types have 900 ms.
    _ = s.pass(96)
    #expect(s.results.isEmpty)
    _ = s.pass(4)
    #expect(s.display.requests.isEmpty)
    #expect(try #require(s.result).data == ["UTF8_STRING": [7]])
  }

  @Test("a lift whose window is gone ends, with the button up") func windowGone() throws {
    let s = try Scene()
    s.begin()
    s.own()
    s.lift.windowDestroyed(0x200009, at: s.display.now)
    #expect(s.results.isEmpty)
    s.lift.windowDestroyed(Scene.window, at: s.display.now)
    #expect(s.display.drain().contains(.released) && s.results.count == 1 && s.result == nil)
  }

  @Test("an application that drags but never comes is let go after a second") func neverComes() throws {
    let s = try Scene()
    s.begin()
    s.own()
    _ = s.pass(996)
    #expect(s.results.isEmpty)
    #expect(s.pass(4) == [.released, .hidden(s.lift.dropWindow)])
    #expect(s.results.count == 1 && s.result == nil)
  }
}
