import CLinux
import CarryModel
import CarrySystem

/// Waits for an engine, by watching its socket and its lock file with inotify.
///
/// An engine touches the lock file as it acquires the lock, which causes an event even if a crashed engine has left
/// the file. Checking whether the lock is held causes none, so waiting clients do not wake one another.
///
/// It does not try to connect repeatedly: that would start an engine that was stopped on purpose, if a service
/// manager holds its socket. A held lock means that an engine is running.
final class EngineWatch {
  private static let news = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
  /// An engine creates its lock first and listens a moment later.
  private static let looks = 40
  private static let pause = Interval.milliseconds(50)

  private let path: String
  private let folder: String
  private let names: Set<String>
  private let inotify: Inotify
  private let timer: DeadlineTimer
  private var looksLeft = 0
  /// Whether the watched folder is the socket's own, and not a parent.
  private var isFolderThere = false

  init(_ path: String) throws(SystemError) {
    self.path = path
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let above = String(path.dropLast(name.count))
    folder = above.isEmpty ? "." : above
    names = [name, name + ".lock"]
    inotify = try Inotify()
    timer = try DeadlineTimer()
  }

  /// Readable when `turn` is to be called.
  var descriptors: [CInt] { [inotify.descriptor, timer.descriptor] }

  /// Checks from now on, and soon for the first time.
  func start(after delay: Interval = pause) {
    watch()
    looksLeft = Self.looks
    timer.set(MonotonicClock.now() + delay)
  }

  private func watch() {
    isFolderThere = inotify.watch(folder, Self.news) >= 0
    var above = folder
    var isWatched = isFolderThere
    while !isWatched, let last = above.split(separator: "/").last {
      above = String(above.dropLast(last.count + (above.hasSuffix("/") ? 1 : 0)))
      isWatched = inotify.watch(above.isEmpty ? "/" : above, Self.news) >= 0
    }
  }

  /// Whether there is an engine to connect to. Never blocks.
  func turn() -> Bool {
    var hasNews = false
    inotify.read { if self.concerns($0) { hasNews = true } }
    if hasNews { start() }
    guard timer.isOver else { return false }
    let isThere = SocketListener.isTaken(path)
    looksLeft -= 1
    if !isThere, looksLeft > 0 { timer.set(MonotonicClock.now() + Self.pause) }
    return isThere
  }

  private func concerns(_ event: Inotify.Event) -> Bool {
    event.isOverflow || !isFolderThere || event.name.isEmpty || names.contains(event.name)
  }
}
