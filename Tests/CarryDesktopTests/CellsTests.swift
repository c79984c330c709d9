import Carry
import CarryModel
import CarryTesting
import Testing

/// Where among cells a drop goes, without an engine.
@Suite struct CellDestinationTests {
  private static let list = (0..<3).map { Carry.Rect(x: 10, y: 40 * $0, width: 200, height: 30) }
  private static let grid = (0..<5).map { Carry.Rect(x: $0 % 3 * 100, y: $0 / 3 * 100, width: 90, height: 90) }

  @Test(
    "C10: in a list a drop goes above or below the nearest row",
    arguments: [(-50.0, 0, nil), (10, 0, 0), (20, 1, 0), (32, 1, nil), (38, 1, nil), (900, 3, nil)]
      as [(
        Double, Int, Int?
      )])
  func C10_list(y: Double, insertion: Int, cell: Int?) {
    let there = CellDestination(at: Carry.Point(x: 100, y: y), among: Self.list)
    #expect(there.insertionIndex == insertion)
    #expect(there.cell == cell)
  }

  @Test(
    "C10: in a grid it goes to the left or the right of the nearest cell",
    arguments: [
      (20.0, 50.0, 0, 0), (70, 80, 1, 0), (94, 10, 1, nil), (220, 20, 2, 2), (280, 50, 3, 2), (290, 190, 5, nil),
      (20, 150, 3, 3),
    ]
      as [(Double, Double, Int, Int?)])
  func C10_grid(x: Double, y: Double, insertion: Int, cell: Int?) {
    let there = CellDestination(at: Carry.Point(x: x, y: y), among: Self.grid)
    #expect(there.insertionIndex == insertion)
    #expect(there.cell == cell)
  }

  @Test("C10: cells that cannot be seen do not count") func C10_unseen() {
    #expect(CellDestination(at: Carry.Point(x: 0, y: 0), among: []).insertionIndex == 0)
    let none = Carry.Rect(x: 0, y: 0, width: 0, height: 0)
    let there = CellDestination(
      at: Carry.Point(x: 1, y: 1),
      among: [none, Carry.Rect(x: .max, y: .max, width: .max, height: .max), Self.list[2], none])
    #expect(there == CellDestination(at: Carry.Point(x: 1, y: 90), among: [none, none, Self.list[2]]))
    #expect(there.insertionIndex == 2)
    #expect(CellDestination(at: Carry.Point(x: .nan, y: .infinity), among: Self.list).cell == nil)
  }
}

extension DesktopTests {
  /// Lists as an application writes them, with the layer for cells.
  @Suite(.serialized) struct Cells {
    private final class List: CellDragDelegate, CellDropDelegate {
      let client: Client
      let window: UInt32
      private(set) var cells: CellRegions?
      var calls: [String] = []
      var type: (Int) -> String = { _ in "text/plain" }
      var propose: (DropSession) -> Carry.DropOperation = { _ in .copy }
      var perform: (CellRegions, CellDropCoordinator) -> Void = { _, _ in }
      var intent = CellDropProposal.Intent.between
      /// The cells that spring open.
      var folders: Set<Int> = []

      init(_ d: Desktop, _ name: String, x: Double) throws {
        client = try Client(name: name, socket: d.socket)
        window = d.client.makeWindow(CarryModel.Rect(x: x, y: 250, width: 300, height: 300), color: 0x336699).raw
        d.client.sync()
        let cells = CellRegions(client: client, window: window, delegate: self) { $0.label = "row \($1)" }
        cells.acceptDrops(in: .init(x: 0, y: 0, width: 300, height: 300), edgeZone: 50, self)
        cells.frames = Self.rows(4)
        self.cells = cells
      }

      static func rows(_ n: Int) -> [Carry.Rect] {
        (0..<n).map { .init(x: 0, y: 60 * $0, width: 300, height: 60) } + [.init(x: 0, y: 0, width: 0, height: 0)]
      }

      func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [Carry.DragItem] {
        calls.append("items at \(index)")
        let provider = ItemProvider()
        provider.registerDataRepresentation(forType: type(index)) { $0(.success(Array("row \(index)".utf8))) }
        return [Carry.DragItem(itemProvider: provider)]
      }
      func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters {
        calls.append("parameters at \(index)")
        return DragPreviewParameters()
      }
      func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
        calls.append("ended with \(session.items.count)")
      }
      func cells(
        _ cells: CellRegions, sessionDidUpdate s: DropSession, at place: CellDestination
      ) -> CellDropProposal { CellDropProposal(DropProposal(operation: propose(s)), intent) }
      func cells(_ cells: CellRegions, performDropWith coordinator: CellDropCoordinator) {
        switch coordinator.place {
        case .before(let i): calls.append("dropped before \(i)")
        case .into(let i): calls.append("dropped into \(i)")
        }
        perform(cells, coordinator)
      }
      func cells(_ cells: CellRegions, canSpringOpenAt index: Int) -> Bool { folders.contains(index) }
      func cells(_ cells: CellRegions, didSpringOpenAt index: Int) { calls.append("opened \(index)") }
      func cellsNeedDisplay(_ cells: CellRegions) {
        if let place = cells.dropPlaces.first { calls.append("\(place)") }
        if cells.scrollSpeed.y != 0 { calls.append("scroll \(cells.scrollSpeed.y > 0 ? "down" : "up")") }
      }
      /// Without what the list shows meanwhile.
      var results: [String] { calls.filter { !$0.contains("(") && !$0.hasPrefix("scroll") } }
    }

    @Test("C10, A4, A13, L18: rows lift and are added by their index, once, and go between the rows of another list")
    func C10_rowsBetweenLists() throws {
      var s = Traces.screen
      let f = s.down(200, 250 + 90, at: 0)
      s.move(f, to: 240, 600, from: 700, until: 900)
      for (i, y) in [210, 90, 210, 270].enumerated() { s.tap(300, 250 + y, at: 1300 + 500 * i) }
      s.move(f, to: 1000, 250 + 130, from: 3500, until: 3800)
      s.up(f, at: 4300)
      let d = try Desktop(s)
      let source = try List(d, "source", x: 50)
      let target = try List(d, "target", x: 850)
      #expect(source.cells?.region(at: 3)?.label == "row 3" && source.cells?.region(at: 4) == nil)
      let isOver = Wait.until(seconds: 20, descriptor: source.client.fileDescriptor) {
        for app in [source, target] { try? app.client.dispatch() }
        // Each hears of the end on its own connection, in no order of the two.
        return source.calls.last?.hasPrefix("ended") == true && !target.results.isEmpty
      }
      #expect(isOver)
      #expect(source.results == ["items at 1", "parameters at 1", "items at 3", "parameters at 3", "ended with 2"])
      #expect(target.results == ["dropped before 2"])
      #expect(d.playToTheEnd() == 0)
    }

    @Test("A8, K4: a target takes kinds of its type, and refuses all when one of the items is no such thing")
    func A8_K4_homogeneity() throws {
      var s = Traces.screen
      s.carry(from: (200, 250 + 30), at: 0, .to(1000, 400, 700...900), .tap(300, 250 + 90, at: 1600), upAt: 2500)
      let d = try Desktop(s, compositor: nil)
      let source = try List(d, "source", x: 50)
      let target = try List(d, "target", x: 850)
      source.type = { $0 == 0 ? "text/markdown" : "application/vnd.example.drawing" }
      var proposals: [String] = []
      target.propose = { session in
        let fits = session.items.allSatisfy { $0.itemProvider.hasRepresentationConforming(to: "text/plain") }
        proposals.append("\(session.items.count) \(fits)")
        return fits ? .copy : .forbidden
      }
      let isOver = Wait.until(seconds: 20, descriptor: source.client.fileDescriptor) {
        for app in [source, target] { try? app.client.dispatch() }
        return source.calls.last?.hasPrefix("ended") == true
      }
      #expect(isOver)
      #expect(Set(proposals) == ["1 true", "2 false"])
      #expect(target.results.isEmpty)
      #expect(d.playToTheEnd() == 0)
    }

    @Test("R9: a dropped item's placeholder does not lift while its data is on its way, and lifts once it is committed")
    func R9_aPlaceholder() throws {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(1000, 250 + 130, 650...1000), upAt: 1300)
      // The placeholder, its neighbour, and after the data has arrived the same place once more.
      for (y, time) in [(150, 2000), (90, 3200), (150, 8000)] {
        let press = s.down(900, 250 + y, at: time)
        s.up(press, at: time + 900)
      }
      let d = try Desktop(s, compositor: nil)
      let source = try App(d, "source")
      source.takePlaces(isTarget: false)
      let list = try List(d, "list", x: 850)
      var request: ItemRequest?
      source.items = {
        let provider = ItemProvider()
        provider.registerRequests(forType: "text/plain;charset=utf-8") { request = $0 }
        return [Carry.DragItem(itemProvider: provider)]
      }
      var placeholder: CellPlaceholder?
      list.perform = { cells, coordinator in
        placeholder = coordinator.insert(coordinator.items[0], as: String.self, at: 2) { index, _ in
          list.calls.append("committed at \(index)")
        }
        cells.frames = List.rows(5)
      }
      let isOver = source.run(seconds: 25) {
        try? list.client.dispatch()
        if list.calls.contains("items at 1") {
          request?.answer(.success(.data(Array("words".utf8))))
          request = nil
        }
        return list.calls.contains("items at 2")
      }
      #expect(isOver && placeholder?.index == nil)
      let steps = list.results.filter { !$0.hasPrefix("parameters") && !$0.hasPrefix("ended") }
      #expect(steps == ["dropped before 2", "items at 1", "committed at 2", "items at 2"])
    }

    @Test("C10: a row is moved within its list, lands in its place, and the list shows that place meanwhile")
    func C10_reordering() throws {
      var s = Traces.screen
      s.carry(from: (200, 250 + 30), at: 0, .to(200, 250 + 170, 700...1000), upAt: 1400)
      let d = try Desktop(s, compositor: nil)
      let list = try List(d, "list", x: 50)
      list.propose = { $0.allowsMoveOperation ? .move : .copy }
      let first = try #require(list.cells?.region(at: 0))
      var moved: [Int]?
      list.perform = { cells, coordinator in
        moved = coordinator.move(coordinator.items[0], before: 3).map { [$0.from, $0.to] }
        cells.frames = List.rows(4)
      }
      let isOver = Wait.until(seconds: 20, descriptor: list.client.fileDescriptor) {
        try? list.client.dispatch()
        return list.calls.last?.hasPrefix("ended") == true
      }
      #expect(isOver && moved == [0, 2])
      #expect(list.cells?.region(at: 2) === first && list.calls.contains("before(3)"))
      #expect(list.results.contains("dropped before 3"))
      #expect(d.playToTheEnd() == 0)
    }

    @Test("C10, S1, Z11: a row springs open, takes what is dropped into it, and a list scrolls at its edge")
    func C10_S1_Z11_intoARow() throws {
      var s = Traces.screen
      let f = s.down(200, 250 + 90, at: 0)
      // At the lower edge, then on the second row.
      s.move(f, to: 1000, 250 + 290, from: 700, until: 900)
      s.move(f, to: 1000, 250 + 90, from: 1600, until: 1700)
      s.up(f, at: 4500)
      let d = try Desktop(s, compositor: nil)
      let source = try List(d, "source", x: 50)
      let target = try List(d, "target", x: 850)
      target.intent = .into
      target.folders = [1]
      target.cells?.frames = []
      target.cells?.frames = List.rows(4)
      var isFramed = false
      let isOver = Wait.until(seconds: 20, descriptor: source.client.fileDescriptor) {
        for app in [source, target] { try? app.client.dispatch() }
        if target.calls.contains("into(1)"), !isFramed {
          // The list draws nothing, so the engine frames the row.
          isFramed = d.shows { $0[852, 340].distance(to: .init(0x33, 0x66, 0x99)) > 40 }
          d.shoot("cells-spring")
        }
        return source.calls.last?.hasPrefix("ended") == true && target.results.count > 1
      }
      #expect(isOver && isFramed, "\(target.calls)")
      #expect(target.results == ["opened 1", "dropped into 1"])
      #expect(target.calls.contains("scroll down") && target.calls.contains("into(1)"))
      #expect(target.cells?.scrollSpeed.y == 0)
      #expect(d.playToTheEnd() == 0)
    }

    @Test("C10: a cell keeps what is its own when cells come, go and move") func C10_cellsChange() throws {
      let d = try Desktop(compositor: nil)
      let list = try List(d, "list", x: 50)
      let cells = try #require(list.cells)
      let second = try #require(cells.region(at: 1))
      cells.insert(.init(x: 0, y: 0, width: 300, height: 60), at: 0)
      #expect(cells.region(at: 2) === second)
      cells.move(from: 2, to: 0)
      #expect(cells.region(at: 0) === second && second.frame.y == 60)
      cells.frames = List.rows(5)
      #expect(cells.region(at: 0) === second && second.frame.y == 0)
      cells.remove(at: 1)
      cells.remove(at: 99)
      #expect(cells.frames.count == 5 && cells.region(at: 0) === second)
      // Out of sight there is no region, and a new one when it is seen again.
      cells.frames = []
      #expect(cells.frames.isEmpty && cells.target(at: 0) == nil && cells.preview(at: 0) == nil)
    }
  }
}
