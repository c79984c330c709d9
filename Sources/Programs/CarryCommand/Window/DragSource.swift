import Carry
import CarryModel
import CarrySystem
import CarryWindow

/// The source behind `carry drag`: a window that is full of tiles.
final class DragSource: WindowContent {
  let display: Display
  let board: TileBoard
  /// Where more files come from, as paths; nil where none do.
  private var door: AddingDoor?

  /// Opens the window.
  init(
    _ things: [DragThing], client: Client, geometry: WindowGeometry?, _ handling: TileBoard.Handling, _ printer: Printer
  ) throws(Problem) {
    display = try Display.open()
    let window = Window(
      display, title: "carry drag", program: "carry-drag", width: 300, height: 300, geometry: geometry)
    board = TileBoard(client: client, window: window, handling, printer)
    board.add(things)
    window.content = self
    window.show()
  }

  func draw(on canvas: Canvas, size: (width: Double, height: Double)) { board.draw(on: canvas, size) }
  func resized() { board.layOut() }
  func key(_ event: KeyEvent) { if event.isControl("c") { board.copyAll() } }
  func closed() { ToolLoop.stop() }

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
