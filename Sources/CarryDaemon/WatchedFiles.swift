import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import Synchronization

/// Reads files, and reads them again a moment after one of them, or a directory of theirs, has changed.
///
/// A thread looks for them and reads them, because it may wait for a file system that hangs. Editors write in several steps,
/// so the files are read a moment after the first sign of a change.
final class WatchedFiles<Content: Sendable> {
  /// What a thread has read, and how.
  private struct Found: Sendable {
    var content: Content
    var watched: WatchedNames
    var time: Interval
  }

  private let inotify: Inotify?
  private let reading: AsideReading<Found>
  private var sources: [EventLoop.Source] = []
  private var watched: WatchedNames = [:]
  /// All that are watched, and those that are not forgotten yet; the thread adds to them.
  private let everWatched: SharedNumbers
  /// How long the last reading took.
  private var readingTime = Interval.zero
  /// When the newest reading was asked for, and whether it began at once, and nobody has waited for it yet.
  private var began = Instant.zero
  private var isWorthWaiting = false
  /// When the files are to be read again.
  private(set) var due: Instant?

  /// How long after its first sign a change is read.
  private static var settlingTime: Interval { .milliseconds(100) }
  /// The most that a reading counts for.
  private static var longestReading: Interval { .seconds(1) }

  /// - Parameters:
  ///   - subject: what does not follow its files where the kernel watches none, for the log.
  ///   - watch: watches the files, or the directories in which they may come to be; on any thread.
  ///   - load: reads the files; on any thread.
  /// - Throws: when there is no descriptor left.
  init(
    _ subject: String, watch: @escaping @Sendable (Inotify) -> WatchedNames, load: @escaping @Sendable () -> Content
  ) throws(SystemError) {
    var inotify: Inotify?
    do { inotify = try Inotify() } catch { Log.warning("\(error.sentence); \(subject) only on SIGHUP") }
    self.inotify = inotify
    let everWatched = SharedNumbers()
    self.everWatched = everWatched
    reading = try AsideReading { [inotify] in
      let start = MonotonicClock.now()
      // Before reading, so that a change during the reading is noticed.
      let watched = inotify.map(watch) ?? [:]
      everWatched.add(watched.keys)
      let content = load()
      return Found(content: content, watched: watched, time: MonotonicClock.now() - start)
    }
  }

  /// Whether a reading is under way.
  var isReading: Bool { reading.isUnderWay }

  /// Begins a reading; after the one that is under way, if there is one.
  func begin() {
    due = nil
    isWorthWaiting = reading.begin()
    began = MonotonicClock.now()
  }

  /// What has been read since this was asked last; nil when that takes longer than a time. For a reading that hangs already
  /// nobody waits again.
  func take(within time: Interval = .zero) -> Content? {
    let found = reading.take(within: isWorthWaiting ? time : .zero)
    isWorthWaiting = false
    guard let found else { return nil }
    watched = found.watched
    readingTime = found.time
    // The thread watches more, if it is at work again.
    if !isReading { for old in everWatched.keepOnly(watched.keys) { inotify?.forget(old) } }
    return found.content
  }

  // MARK: Watching

  /// Watches the files from now on.
  ///
  /// - Parameter onRead: called once a reading is over that nobody waited for, so that `take` has its content.
  func start(_ loop: EventLoop, onRead: @escaping () -> Void) {
    if let inotify { sources.append(loop.watch(inotify.descriptor) { [weak self] in self?.takeEvents() }) }
    sources.append(loop.watch(reading.descriptor, onRead))
  }

  func stop() {
    for source in sources { source.cancel() }
    sources = []
  }

  private func takeEvents() {
    var matters = false
    // Until what was read is taken, nobody knows what is watched.
    let isReading = reading.isUntaken
    inotify?.read { event in
      guard !isReading, !event.isOverflow else { return matters = true }
      // An event without a name is about the directory or the file itself.
      if let names = watched[event.watch], names.isEmpty || event.name.isEmpty || names.contains(event.name) {
        matters = true
      }
    }
    guard matters, due == nil else { return }
    // A directory that changes all the time takes a small share of the engine's time, however much there is to read.
    let now = MonotonicClock.now()
    let time = min(Self.longestReading, max(readingTime, self.isReading ? now - began : .zero))
    due = now + max(Self.settlingTime, Interval(microseconds: time.microseconds * 20))
  }

  /// Begins a reading if it is time to.
  func beginIfDue(at now: Instant) -> Bool {
    guard let due, due <= now else { return false }
    begin()
    return true
  }
}

/// The numbers of all that a thread has ever watched.
private final class SharedNumbers: Sendable {
  private let numbers = Mutex<Set<CInt>>([])

  func add(_ new: some Sequence<CInt>) { numbers.withLock { $0.formUnion(new) } }

  /// - Returns: the others, which are forgotten.
  func keepOnly(_ kept: some Sequence<CInt>) -> Set<CInt> {
    let kept = Set(kept)
    return numbers.withLock { all in
      defer { all.formIntersection(kept) }
      return all.subtracting(kept)
    }
  }
}
