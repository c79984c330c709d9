import Carry
import CarryModel
import CarrySystem

/// The source behind `carry drag`: a window that is full of tiles.
final class DragSource {
  private(set) var window: ToolWindow!
  private(set) var board: TileBoard!
  /// Where more files come from, as paths; nil where none do.
  private var door: AddingDoor?

  /// Opens the window.
  init(
    _ things: [DragThing], client: Client, geometry: Geometry, _ handling: TileBoard.Handling, _ printer: Printer
  ) throws(Problem) {
    window = try ToolWindow(title: "carry drag", geometry: geometry) { [unowned self] c, w, h in
      self.board?.draw(c, w, h)
    }
    board = TileBoard(client: client, window: window, handling, printer)
    board.add(things)
    window.onClosed = { ToolLoop.stop() }
    window.onResized = { [unowned self] in self.board.layOut() }
    window.onKey = { [unowned self] in if $0 == .copy { self.board.copyAll() } }
  }

  /// Takes files from `carry drag --add` of other shells, if there is a place for the socket.
  func takeMore(_ printer: Printer) {
    door = AddingDoor { [unowned self] paths throws(Problem) in
      guard paths.count <= self.board.room else {
        throw Problem("the window has room for \(self.board.room) more, and not for \(paths.count)")
      }
      var things: [DragThing] = []
      for path in paths { things.append(try .file(path, printer)) }
      self.board.add(things)
    }
  }
}
