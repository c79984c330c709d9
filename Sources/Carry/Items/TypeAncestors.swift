import CarrySystem
import Synchronization

/// What media types are kinds of, on a source's own side: read from the same files as the engine's answer to destinations.
/// Any thread.
enum TypeAncestors {
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
}
