import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import Synchronization

/// Reads files, and reads them again shortly after one of them, or one of their directories, has changed.
///
/// A thread looks for the files and reads them, because it may wait for a file system that hangs. Editors write in
/// several steps, so the files are read a moment after the first sign of a change.
final class WatchedFiles<Content: Sendable> {
  /// The content that a thread has read, and how.
  private struct Found: Sendable {
    var content: Content
    var watched: WatchedNames
    var time: Interval
  }

  private let inotify: Inotify?
  private let reading: AsideReading<Found>
  private var sources: [EventLoop.Source] = []
  private var watched: WatchedNames = [:]
  /// The numbers of all watches that have not been forgotten yet; the thread adds to them.
  private let everWatched: SharedNumbers
  /// How long the last reading took.
  private var readingTime = Interval.zero
  /// When the newest reading was requested, and whether it began at once and has not been waited for yet.
  private var began = Instant.zero
  private var isWorthWaiting = false
  /// When the files are to be read again.
  private(set) var due: Instant?

  /// How long after its first sign a change is read.
  private static var settlingTime: Interval { .milliseconds(100) }
  /// The longest reading time that is taken into account.
  private static var longestReading: Interval { .seconds(1) }

  /// - Parameters:
  ///   - subject: names, for the log, what does not follow its files if the kernel watches none.
  ///   - watch: watches the files, or the directories in which they may appear; called on any thread.
  ///   - load: reads the files; called on any thread.
  /// - Throws: if no descriptor is left.
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
      // Watch before reading, so that a change during the reading is noticed.
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

  /// The content that was read since the last call; nil if that takes longer than `time`. A reading that already
  /// exceeded a wait is not waited for again.
  func collect(within time: Interval = .zero) -> Content? {
    let found = reading.collect(within: isWorthWaiting ? time : .zero)
    isWorthWaiting = false
    guard let found else { return nil }
    watched = found.watched
    readingTime = found.time
    // If the thread is working again, it may add watches.
    if !isReading { for old in everWatched.keepOnly(watched.keys) { inotify?.forget(old) } }
    return found.content
  }

  // MARK: Watching

  /// Starts watching the files.
  ///
  /// - Parameter onRead: called when a reading is over that was not waited for, so that `take` has its content.
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
    // Until the content is taken, the set of watches is unknown.
    let isReading = reading.isUntaken
    inotify?.read { event in
      guard !isReading, !event.isOverflow else { return matters = true }
      // An event without a name concerns the directory or the file itself.
      if let names = watched[event.watch], names.isEmpty || event.name.isEmpty || names.contains(event.name) {
        matters = true
      }
    }
    guard matters, due == nil else { return }
    // A directory that changes constantly costs little, however much there is to read.
    let now = MonotonicClock.now()
    let time = min(Self.longestReading, max(readingTime, self.isReading ? now - began : .zero))
    due = now + max(Self.settlingTime, time.rest)
  }

  /// Begins a reading if it is time to.
  func beginIfDue(at now: Instant) -> Bool {
    guard let due, due <= now else { return false }
    begin()
    return true
  }
}

/// The numbers of all watches that a thread has ever added.
private final class SharedNumbers: Sendable {
  private let numbers = Mutex<Set<CInt>>([])

  func add(_ new: some Sequence<CInt>) { numbers.withLock { $0.formUnion(new) } }

  /// - Returns: the removed numbers.
  func keepOnly(_ kept: some Sequence<CInt>) -> Set<CInt> {
    let kept = Set(kept)
    return numbers.withLock { all in
      defer { all.formIntersection(kept) }
      return all.subtracting(kept)
    }
  }
}
