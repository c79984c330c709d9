import CarrySystem
import Synchronization

/// Of which types a media type is a kind, for the source's own side: read from the files from which the engine answers
/// destinations, too. Any thread.
enum TypeDatabase {
  private struct Database: @unchecked Sendable {
    let types = MediaTypes()
    var known: [String: [String]] = [:]
  }

  private static let database = Mutex(Database())

  static func of(_ type: String) -> [String] {
    database.withLock { database in
      if let list = database.known[type] { return list }
      let list = database.types.ancestors(of: type)
      database.known[type] = list
      return list
    }
  }

  /// The type that a file's name suggests; `application/octet-stream` when it suggests none.
  static func guess(_ name: String) -> String { database.withLock { $0.types.type(ofFileNamed: name) } }
}
