import CLinux
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

@testable import CarryBridge

/// The engine's session, and what it was told.
private final class RecordingSession: ForeignSession {
  enum Call: Equatable {
    case moved(CarryModel.Point)
    case dropped(CarryModel.Point)
    case cancelled
  }

  var onProposal: ((CarryModel.DropOperation) -> Void)?
  var onKept: (() -> Void)?
  var onEnd: ((CarryModel.DropOperation, _ delivered: Int) -> Void)?
  var calls: [Call] = []
  let process: Int32?
  let isByButton: Bool
  let items: [DragItem]

  init(_ process: Int32?, _ isByButton: Bool, _ items: [DragItem]) {
    (self.process, self.isByButton, self.items) = (process, isByButton, items)
  }

  func move(to point: CarryModel.Point) { calls.append(.moved(point)) }
  func drop(at point: CarryModel.Point) { calls.append(.dropped(point)) }
  func cancel() { calls.append(.cancelled) }
}

/// A drag of another program over a window of Carry's.
private final class Scene {
  static let source: UInt32 = 0x300001
  static let target: UInt32 = 0x400001
  static let door: UInt32 = 0x100001
  static let here = CarryModel.Point(x: 10, y: 20)
  let display = RecordingDisplay()
  let client: Client
  let reader: SelectionReader
  private(set) var session: RecordingSession?
  private(set) var isOver = false
  private(set) var kept: (any ForeignSession)?
  private let enter: XdndMessage.Words
  private(set) lazy var drag = ArrivingDrag(
    from: Self.source, over: Self.target, named: Self.door, enter, display, client, reader
  ) { [unowned self] process, isByButton, items, _, _ in
    session = RecordingSession(process, isByButton, items)
    return session
  }

  init(_ types: [String], hasMore: Bool = false) throws {
    client = try Client(awaitingEngineAs: "Other applications", socket: "/nonexistent/carry")
    reader = SelectionReader(display, of: "XdndSelection")
    enter = XdndMessage.enter(from: Self.source, types, display, hasMore: hasMore)
    for window in [Self.source, Self.target] { display.windows[window] = .init(process: getpid()) }
    display.owner = Self.source
    drag.onOver = { [unowned self] in isOver = true }
    drag.onKept = { [unowned self] in kept = $0 }
  }

  /// The messages to the source since the last call. All of them come from the window that the source addresses.
  func messages() -> [XdndMessage] {
    display.drain().compactMap { deed in
      guard case .sent(let message, Self.door, Self.source, Self.source) = deed else { return nil }
      return message
    }
  }

  func status(_ accepts: Bool) -> XdndMessage { .status(accepts: accepts, action: display.atom("XdndActionCopy")) }

  func finished(_ accepted: Bool) -> XdndMessage {
    .finished(accepted: accepted, action: display.atom("XdndActionCopy"))
  }

  func move(to point: CarryModel.Point = Scene.here) { drag.position(point, time: 77, at: display.now) }
  func query() { drag.queryFacts(at: display.now) }

  /// Comes, and is accepted.
  func comeAndBeAccepted() throws {
    move()
    query()
    try #require(session).onProposal?(.copy)
    #expect(messages() == [status(true)])
  }

  func drop() { drag.dropped(time: 78, at: display.now) }

  func pass(_ milliseconds: Int) {
    display.pass(milliseconds)
    reader.advance(to: display.now)
    drag.advance(to: display.now)
  }
}

@Suite struct ArrivingDragTests {
  @Test("Z1: the X server is asked at the first position, the engine's answer is the status, the end is XdndFinished")
  func aDrop() throws {
    let s = try Scene(["UTF8_STRING"])
    #expect(!s.drag.wantsFacts)
    s.move()
    #expect(s.drag.wantsFacts && s.session == nil && s.display.drain().isEmpty)
    s.query()
    #expect(s.display.drain() == [.watchedDestruction(Scene.source)])
    let session = try #require(s.session)
    #expect(session.items.count == 1 && session.isByButton && session.process == getpid())
    #expect(session.items[0].itemProvider.registeredTypes == [ForeignTypes.text, "text/plain"])
    #expect(s.drag.program == .process(getpid()))
    session.onProposal?(.copy)
    #expect(s.messages() == [s.status(true)])
    let there = CarryModel.Point(x: 11, y: 20)
    s.move(to: there)
    s.drop()
    #expect(session.calls == [.moved(there), .dropped(there)] && s.messages() == [s.status(true)])
    session.onEnd?(.copy, 1)
    #expect(s.messages() == [s.finished(true)] && s.isOver)
  }

  @Test("Z1: a source with more than three types has them on its window") func typeList() throws {
    for hasMore in [true, false] {
      let s = try Scene(["image/png"], hasMore: hasMore)
      s.display.windows[Scene.source]?.words["XdndTypeList"] = ["image/gif", "image/bmp"].map(s.display.atom)
      s.move()
      s.query()
      let types = try #require(s.session).items[0].itemProvider.registeredTypes
      #expect(types == (hasMore ? ["image/gif", "image/bmp"] : ["image/png"]))
    }
  }

  @Test("Z1: of a repeated XdndEnter the newest counts, until the X server has been asked") func enteredTwice() throws {
    let s = try Scene(["image/png"])
    let other = XdndMessage.enter(from: Scene.source, ["image/gif"], s.display)
    #expect(s.drag.restart(with: other, named: 0x100002) && s.drag.name == 0x100002)
    s.move()
    s.query()
    #expect(!s.drag.restart(with: other, named: Scene.door) && s.drag.name == 0x100002)
    #expect(try #require(s.session).items[0].itemProvider.registeredTypes == ["image/gif"])
  }

  @Test("the first status waits 100 ms for the engine, and a later answer corrects it") func lateAnswer() throws {
    let s = try Scene(["UTF8_STRING"])
    s.move()
    s.query()
    _ = s.display.drain()
    s.pass(99)
    #expect(s.messages().isEmpty)
    s.pass(1)
    #expect(s.messages() == [s.status(false)])
    try #require(s.session).onProposal?(.copy)
    #expect(s.messages() == [s.status(true)])
  }

  @Test("what nobody could accept is refused: no usable type, or no owner of the selection")
  func nothingToAccept() throws {
    for isOwned in [true, false] {
      let s = try Scene([isOwned ? "application/x-moz-nativeimage" : "UTF8_STRING"])
      if !isOwned { s.display.owner = 0 }
      s.move()
      s.query()
      #expect(s.session == nil && s.messages() == [s.status(false)])
      s.drop()
      #expect(s.messages() == [s.finished(false)] && s.isOver)
    }
  }

  @Test("a source that does not exist is neither watched nor answered") func noSource() throws {
    let s = try Scene(["UTF8_STRING"])
    s.display.windows[Scene.source] = nil
    s.move()
    s.query()
    #expect(s.isOver && s.session == nil && s.display.drain().isEmpty)
  }

  @Test(
    "data that belongs to another program than the messages is not read before the drop, and comes from nobody known")
  func anothersSelection() throws {
    let s = try Scene([XdndOffer.uriList])
    s.display.owner = 0x500001
    s.display.windows[0x500001] = .init(process: 1)
    s.move()
    s.query()
    #expect(s.display.requests.isEmpty && s.drag.program == .unknown)
    #expect(try #require(s.session).process == nil)
  }

  @Test("a program on another machine is known by its connection") func byConnection() throws {
    let s = try Scene(["UTF8_STRING"])
    s.display.windows[Scene.source]?.process = nil
    s.move()
    s.query()
    #expect(s.drag.program == .connection(0x300000))
  }

  @Test("Z1: files are known before the drop: their list is read, and each is an item") func files() throws {
    let s = try Scene([XdndOffer.uriList])
    s.move()
    s.query()
    #expect(s.display.requests.map(\.type) == [XdndOffer.uriList] && s.session == nil)
    s.display.answer(Array("file:///etc/passwd\r\nfile:///etc/group\r\n".utf8), through: s.reader)
    // Another thread looks at them.
    #expect(
      Wait.until(seconds: 20) {
        try? s.client.dispatch()
        return s.session != nil
      })
    #expect(s.session?.items.map(\.itemProvider.suggestedName) == ["passwd", "group"])
    // One of the two files did not arrive.
    try #require(s.session).onProposal?(.copy)
    s.drop()
    _ = s.messages()
    s.session?.onEnd?(.copy, 1)
    #expect(s.messages() == [s.finished(false)])
  }

  @Test("a source that does not send its list within a second drags one item of which only the types are known")
  func lateList() throws {
    let s = try Scene([XdndOffer.uriList])
    s.move()
    s.query()
    s.pass(999)
    #expect(s.session == nil && s.display.requests.count == 1)
    s.pass(1)
    #expect(s.session?.items.count == 1 && s.display.requests.isEmpty)
    #expect(s.session?.items[0].itemProvider.registeredTypes == [XdndOffer.uriList])
  }

  @Test("a refused list and a list of no files leave one item", arguments: [nil, "https://example.org/\r\n"])
  func noFiles(list: String?) throws {
    let s = try Scene([XdndOffer.uriList, "UTF8_STRING"])
    s.move()
    s.query()
    s.display.answer(list.map { Array($0.utf8) }, through: s.reader)
    #expect(s.session?.items.count == 1)
    #expect(s.session?.items[0].itemProvider.registeredTypes.contains("text/plain") == true)
  }

  @Test("a drag that leaves cancels the session; one whose source is gone gets no message") func leaves() throws {
    let s = try Scene(["UTF8_STRING"])
    try s.comeAndBeAccepted()
    s.drag.left(at: s.display.now)
    #expect(s.isOver && s.session?.calls == [.cancelled] && s.messages().isEmpty)
    let other = try Scene(["UTF8_STRING"])
    try other.comeAndBeAccepted()
    other.drop()
    other.drag.sourceGone(at: other.display.now)
    #expect(other.isOver && other.messages().isEmpty)
  }

  @Test("a drop that makes room for others is refused at once") func evicted() throws {
    let s = try Scene(["UTF8_STRING"])
    try s.comeAndBeAccepted()
    s.drop()
    s.drag.evict(at: s.display.now)
    #expect(s.isOver && s.messages() == [s.finished(false)])
  }

  @Test("Z15: what the shelf keeps is read before the source's drag ends", arguments: [true, false])
  func shelf(hasData: Bool) throws {
    let s = try Scene(["image/png"])
    try s.comeAndBeAccepted()
    s.drop()
    try #require(s.session).onKept?()
    #expect(s.display.requests.map(\.type) == ["image/png"] && s.messages().isEmpty)
    s.display.answer(hasData ? [1, 2, 3] : nil, through: s.reader)
    #expect(s.messages() == [s.finished(hasData)] && s.isOver)
    #expect((s.kept === s.session) == hasData)
  }
}
