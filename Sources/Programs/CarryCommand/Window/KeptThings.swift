import Carry
import CarryModel
import CarrySystem

/// What `carry drop --keep` has received: tiles, to be dragged elsewhere.
final class KeptThings {
  let board: TileBoard
  private let printer: Printer
  /// Bytes in memory; files are where they are.
  private var bytesInMemory = 0
  private static let maxBytesInMemory = 64 << 20

  init(_ board: TileBoard, _ printer: Printer) {
    self.board = board
    self.printer = printer
  }

  /// Keeps a file or folder. What cannot be kept is reported.
  ///
  /// - Parameter type: nil for the type that the name suggests.
  func keep(fileAt path: String, type: String? = nil) {
    add { () throws(Problem) in try .file(path, type: type, printer) }
  }

  /// Keeps data. What cannot be kept is reported.
  ///
  /// - Returns: whether it is kept.
  func keep(_ bytes: [UInt8], type: String, name: String?) -> Bool {
    add { () throws(Problem) in
      guard bytesInMemory + bytes.count <= Self.maxBytesInMemory else {
        throw Problem("\(name ?? type): no room to keep it; --to DIR keeps files")
      }
      bytesInMemory += bytes.count
      return .bytes(bytes, type: type, name: name)
    }
  }

  @discardableResult
  private func add(_ thing: () throws(Problem) -> DragThing) -> Bool {
    do throws(Problem) {
      guard board.room > 0 else { throw Problem("no room to keep more than \(DragThing.most) things") }
      board.add([try thing()])
      return true
    } catch {
      printer.error(error.sentence)
      return false
    }
  }
}
