import Carry
import Testing

/// Cells whose content is on its way.
@Suite struct PlaceholderTests {
  private final class Nothing: CellDragDelegate {
    var cells: CellRegions?
    func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem] { [] }
  }

  private let row = Rect(x: 0, y: 0, width: 300, height: 60)

  @Test("R9: a placeholder has its place and does not lift, until it is committed or dismissed")
  func R9_placeholders() throws {
    let client = try Client(awaitingEngineAs: "test", socket: "/tmp/carry-no-such-folder/socket")
    let delegate = Nothing()
    let cells = CellRegions(client: client, window: 1, delegate: delegate)
    delegate.cells = cells
    cells.frames = [row, row]
    // A source's own provider loads nothing, and fails at once.
    let load = ItemProvider(text: "x").loadDataRepresentation(forType: "text/plain") { _ in }
    let first = try #require(cells.insertPlaceholder(row, at: 1, for: load))
    let second = try #require(cells.insertPlaceholder(row, at: 0, for: load))
    #expect(cells.frames.count == 4 && first.index == 2 && second.index == 0)
    #expect(cells.region(at: 2) == nil && cells.region(at: 0) == nil && cells.region(at: 1) != nil)
    cells.move(from: 2, to: 3)
    #expect(first.index == 3)
    #expect(first.commit() == 3)
    #expect(cells.region(at: 3) != nil && first.index == nil)
    #expect(second.dismiss() == 0)
    #expect(cells.frames.count == 3)
    // Nothing more comes of either.
    #expect(first.dismiss() == nil && second.commit() == nil && second.dismiss() == nil)
    #expect(cells.frames.count == 3)
  }
}
