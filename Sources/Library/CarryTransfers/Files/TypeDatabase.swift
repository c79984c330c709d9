import CarrySystem
import Synchronization

/// The supertypes of media types, for the source's own side: read from the same files that the engine uses to answer
/// destinations. Callable from any thread.
package enum TypeDatabase {
  private struct Database: @unchecked Sendable {
    let types = MediaTypes()
    var known: [String: [String]] = [:]
  }

  private static let database = Mutex(Database())

  package static func of(_ type: String) -> [String] {
    database.withLock { database in
      if let list = database.known[type] { return list }
      let list = database.types.ancestors(of: type)
      database.known[type] = list
      return list
    }
  }

  /// The type that a file's name suggests; `application/octet-stream` if it suggests none.
  package static func guess(_ name: String) -> String { database.withLock { $0.types.type(ofFileNamed: name) } }
}
