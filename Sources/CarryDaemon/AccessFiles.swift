import CLinux
import CarryConfiguration
import CarryLoop
import CarryModel
import CarrySystem

/// Keeps the programs' manifests and the organisation's policy equal to their files. Reads the files again a moment after a
/// directory of theirs has changed, and on SIGHUP.
final class AccessFiles {
  /// How long after its first sign a change is read.
  private static let settlingTime = Interval.milliseconds(100)

  private let manifestFiles: ManifestFiles
  private let policyPlace: String
  private(set) var registry = ProgramRegistry()
  private(set) var policy = Policy()
  private var inotify: Inotify?
  private var source: EventLoop.Source?
  private var watched: Set<CInt> = []
  /// When the files are to be read again.
  private(set) var due: Instant?
  /// How long the last reading took.
  private var readingTime = Interval.zero
  /// The mistakes that were logged last. Each is logged once.
  private var complaints: [FileProblem] = []

  /// Reads the files for the first time.
  ///
  /// - Parameters:
  ///   - manifests: a directory in the place of the system's; nil for the usual places.
  ///   - policy: a directory in the place of `/etc/carry/policy.d`.
  init(manifests: String?, policy: String?) {
    manifestFiles = ManifestFiles(named: manifests)
    policyPlace = policy ?? PolicyFiles.place
    read()
  }

  /// What has changed.
  struct Change {
    var hasPolicy = false
    var hasManifests = false
  }

  /// - Parameter isAsked: whether a person wants to hear of mistakes again.
  @discardableResult
  private func read(isAsked: Bool = false) -> Change {
    due = nil
    let start = MonotonicClock.now()
    defer { readingTime = MonotonicClock.now() - start }
    // Before reading, so that a change during the reading is noticed.
    watch()
    let (manifests, manifestProblems) = manifestFiles.load()
    let (policy, policyProblems) = PolicyFiles.load(policyPlace)
    for problem in manifestProblems where isAsked || !complaints.contains(problem) {
      Log.warning("\(SafeText.displayable(problem.sentence, limit: 1024)); this manifest does not count")
    }
    for problem in policyProblems where isAsked || !complaints.contains(problem) {
      Log.error(
        "\(SafeText.displayable(problem.sentence, limit: 1024)); until that is repaired, no drag goes from one program to "
          + "another")
    }
    complaints = manifestProblems + policyProblems
    let change = Change(hasPolicy: policy != self.policy, hasManifests: manifests != registry.manifests)
    if change.hasPolicy { Log.notice("the policy of \(policyPlace) is in force; rules: \(policy.rules.count)") }
    self.policy = policy
    registry = ProgramRegistry(manifests)
    return change
  }

  // MARK: Watching

  /// Watches the files from now on.
  func start(_ loop: EventLoop) {
    do { inotify = try Inotify() } catch {
      Log.warning("\(error.sentence); manifests and the policy are read again on SIGHUP only")
      return
    }
    guard let fd = inotify?.descriptor else { return }
    source = loop.watch(fd) { [weak self] in self?.takeEvents() }
    watch()
  }

  func stop() {
    source?.cancel()
    source = nil
  }

  /// Watches each directory, or the nearest existing one above it.
  private func watch() {
    guard let inotify else { return }
    let mask =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    var now: Set<CInt> = []
    for place in manifestFiles.places.map(\.path) + [policyPlace] {
      var directory = place
      var number = inotify.watch(directory, UInt32(mask | IN_ONLYDIR))
      // A directory far above changes often, and means nothing: the data directory is the last to be watched.
      for _ in 0..<2 where number < 0 && directory != "/" && !directory.isEmpty {
        directory = String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)])
        number = inotify.watch(directory.isEmpty ? "/" : directory, UInt32(mask | IN_ONLYDIR))
      }
      if number >= 0 { now.insert(number) }
    }
    for old in watched.subtracting(now) { inotify.forget(old) }
    watched = now
  }

  private func takeEvents() {
    var matters = false
    inotify?.read { event in if event.isOverflow || watched.contains(event.watch) { matters = true } }
    guard matters, due == nil else { return }
    // A directory that changes all the time takes a small share of the engine's time, however much there is to read.
    due = MonotonicClock.now() + max(Self.settlingTime, Interval(microseconds: readingTime.microseconds * 20))
  }

  /// Reads the files again if it is time to.
  func advance(to now: Instant) -> Change? {
    guard let due, due <= now else { return nil }
    return read()
  }

  /// Reads the files now, because somebody asked for it.
  func reloadNow() -> Change { read(isAsked: true) }
}
