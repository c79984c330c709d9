package import CarryModel
import CarrySystem
import CarryWireClient
import Synchronization

extension Client {
  /// Does something on the client's thread, in a later turn, as long as the client is there. It may be called on any thread.
  package var laterOnClientThread: @Sendable (@escaping @Sendable () -> Void) -> Void {
    let completions = transfers.completions
    return { completions.add($0) }
  }

  /// Runs `work`, which may wait for long, on another thread, and `completion` with its result on the client's thread.
  ///
  /// - Parameters:
  ///   - paths: of the files that the work looks at. Where their file system hangs, the work keeps its thread; further
  ///     work there is refused, and no other.
  ///   - time: how long it may take. A busy machine may take its time.
  ///   - isQuiet: whether nobody is warned where it takes longer.
  ///   - isUrgent: whether a finger waits for it.
  ///   - completion: called once, with nil when the work has taken too long.
  /// - Returns: whether it runs. It does not where work that was begun before still waits, or no thread can be made.
  package func runAside<T: Sendable>(
    lookingAt paths: [String], for time: Interval = .seconds(2), isQuiet: Bool = false, isUrgent: Bool = false,
    _ work: @escaping @Sendable () -> T, then completion: @escaping (T?) -> Void
  ) -> Bool {
    transfers.aside.begin(
      AsideWork(lookingAt: paths, for: time, isQuiet: isQuiet, isUrgent: isUrgent, work, then: completion))
  }

  /// The same for one file, of which there may be many: where much runs there, the work waits for its turn.
  ///
  /// - Parameters:
  ///   - provision: the load that it is for. Where nobody waits for that any more, the work does not begin.
  ///   - completion: called once, with nil when the work has taken too long, or may not run; perhaps at once.
  func runAsideInTurn<T: Sendable>(
    for provision: WireProvision, lookingAt path: String, within time: Interval = .seconds(2),
    _ work: @escaping @Sendable () -> T, then completion: @escaping (T?) -> Void
  ) {
    transfers.beginInTurn(AsideWork(lookingAt: [path], for: time, work, then: completion), for: provision)
  }
}

/// Where work that runs aside looks now: of a list of files, one may be on a file system that hangs.
final class AsideLook: Sendable {
  /// Of the thread that asks; nil where it does no such work.
  @TaskLocal static var current: AsideLook?

  private let newest = Mutex<String?>(nil)

  /// Nil where the work does not say.
  var folder: String? { newest.withLock { $0 } }

  /// The work is about to look at a file. Called on its thread.
  static func isAbout(toLookAt path: String) {
    guard let current else { return }
    let folder = folder(of: path)
    current.newest.withLock { $0 = folder }
  }

  /// The folder that a path is in, going by its words alone.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
