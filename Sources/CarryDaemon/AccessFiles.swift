import CLinux
import CarryConfiguration
import CarryLoop
import CarryModel
import CarrySystem

/// Keeps the programs' manifests and the organisation's policy equal to their files. Reads the files again a moment after a
/// directory of theirs has changed, and on SIGHUP.
///
/// Others read: a thread each, which may wait for a file system that hangs. Until it answers, what was read last counts; at the
/// start no manifest counts, and a policy that cannot be read forbids.
final class AccessFiles {
  /// How long after its first sign a change is read.
  private static let settlingTime = Interval.milliseconds(100)
  /// How long the engine waits for the files, which are usually there at once: as it starts, and later.
  private static let patience = (start: Interval.seconds(2), later: Interval.milliseconds(100))
  /// The most that a reading counts for.
  private static let longestReading = Interval.seconds(1)

  /// What a thread has read, and how.
  private struct Found<Content: Sendable>: Sendable {
    var content: Content
    var problems: [FileProblem]
    var watched: Set<CInt>
    var time: Interval
  }

  private let policyPlace: String
  private(set) var registry = ProgramRegistry()
  private(set) var policy = Policy()
  private let inotify: Inotify?
  private let manifestReading: AsideReading<Found<[ProgramManifest]>>
  private let policyReading: AsideReading<Found<Policy>>
  private var sources: [EventLoop.Source] = []
  private var watched: (manifests: Set<CInt>, policy: Set<CInt>) = ([], [])
  /// All that are watched, and those that are not forgotten yet.
  private var everWatched: Set<CInt> = []
  /// When the files are to be read again.
  private(set) var due: Instant?
  /// How long the last readings took.
  private var readingTime = (manifests: Interval.zero, policy: Interval.zero)
  /// The mistakes that were logged last. Each is logged once.
  private var complaints: (manifests: [FileProblem], policy: [FileProblem]) = ([], [])
  private var isAsked = false
  private var hasSaidThatItWaits = false

  /// Reads the files for the first time.
  ///
  /// - Parameters:
  ///   - manifests: a directory in the place of the system's; nil for the usual places.
  ///   - policy: a directory in the place of `/etc/carry/policy.d`.
  /// - Throws: when there is no descriptor left.
  init(manifests: String?, policy: String?) throws(SystemError) {
    let files = ManifestFiles(named: manifests)
    let place = policy ?? PolicyFiles.place
    policyPlace = place
    let inotify: Inotify?
    do { inotify = try Inotify() } catch {
      inotify = nil
      Log.warning("\(error.sentence); manifests and the policy are read again on SIGHUP only")
    }
    self.inotify = inotify
    manifestReading = try AsideReading {
      Self.read(files.places.map(\.path), inotify) {
        let (manifests, problems) = files.load()
        return (manifests, problems)
      }
    }
    policyReading = try AsideReading {
      Self.read([place], inotify) {
        let (policy, problems) = PolicyFiles.load(place)
        return (policy, problems)
      }
    }
    read(within: Self.patience.start)
    guard policyReading.isUnderWay else { return }
    let mistake = "its file system does not answer"
    self.policy = Policy([Policy.Rule(.forbid, place: place, mistake: mistake)])
    Log.error("\(place): \(mistake); until it does, no drag goes from one program to another")
  }

  // MARK: On threads of their own

  private static func read<Content>(
    _ places: [String], _ inotify: Inotify?, _ load: () -> (Content, [FileProblem])
  ) -> Found<Content> {
    let start = MonotonicClock.now()
    // Before reading, so that a change during the reading is noticed.
    let watched = inotify.map { watch(places, $0) } ?? []
    let (content, problems) = load()
    return Found(content: content, problems: problems, watched: watched, time: MonotonicClock.now() - start)
  }

  /// Watches each directory, or the nearest existing one above it.
  private static func watch(_ places: [String], _ inotify: Inotify) -> Set<CInt> {
    let mask =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    var watched: Set<CInt> = []
    for place in places {
      var directory = place
      var number = inotify.watch(directory, UInt32(mask | IN_ONLYDIR))
      // A directory far above changes often, and means nothing: the data directory is the last to be watched.
      for _ in 0..<2 where number < 0 && directory != "/" && !directory.isEmpty {
        directory = String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)])
        number = inotify.watch(directory.isEmpty ? "/" : directory, UInt32(mask | IN_ONLYDIR))
      }
      if number >= 0 { watched.insert(number) }
    }
    return watched
  }

  // MARK: What was read

  private var isReading: Bool { manifestReading.isUnderWay || policyReading.isUnderWay }

  /// What has changed.
  struct Change {
    var hasPolicy = false
    var hasManifests = false
  }

  /// - Parameter isAsked: whether a person wants to hear of mistakes again.
  @discardableResult
  private func read(isAsked: Bool = false, within time: Interval) -> Change {
    due = nil
    self.isAsked = isAsked
    manifestReading.begin()
    policyReading.begin()
    let end = MonotonicClock.now() + time
    var change = take(policyReading.take(within: time))
    change.hasManifests = take(manifestReading.take(within: max(.zero, end - MonotonicClock.now())))
    if isReading, !hasSaidThatItWaits {
      let what = policyReading.isUnderWay ? policyPlace : "a directory of manifests"
      Log.warning("\(what) does not answer yet; until it does, what was read before counts")
    }
    hasSaidThatItWaits = isReading
    return change
  }

  private func take(_ found: Found<Policy>?) -> Change {
    guard let found else { return Change() }
    for problem in found.problems where isAsked || !complaints.policy.contains(problem) {
      Log.error(
        "\(SafeText.displayable(problem.sentence, limit: 1024)); until that is repaired, no drag goes from one program to "
          + "another")
    }
    complaints.policy = found.problems
    watched.policy = found.watched
    readingTime.policy = found.time
    forgetOld()
    let isNew = found.content != policy
    if isNew { Log.notice("the policy of \(policyPlace) is in force; rules: \(found.content.rules.count)") }
    policy = found.content
    return Change(hasPolicy: isNew)
  }

  private func take(_ found: Found<[ProgramManifest]>?) -> Bool {
    guard let found else { return false }
    for problem in found.problems where isAsked || !complaints.manifests.contains(problem) {
      Log.warning("\(SafeText.displayable(problem.sentence, limit: 1024)); this manifest does not count")
    }
    complaints.manifests = found.problems
    watched.manifests = found.watched
    readingTime.manifests = found.time
    forgetOld()
    let isNew = found.content != registry.manifests
    registry = ProgramRegistry(found.content)
    return isNew
  }

  // MARK: Watching

  /// A directory may be one of both, and one that is being read may be one of the others'.
  private func forgetOld() {
    let now = watched.manifests.union(watched.policy)
    guard !isReading else { return everWatched.formUnion(now) }
    for old in everWatched.subtracting(now) { inotify?.forget(old) }
    everWatched = now
  }

  /// Watches the files from now on.
  ///
  /// - Parameter onChange: called with what a thread has read later than it was waited for.
  func start(_ loop: EventLoop, onChange: @escaping (Change) -> Void) {
    if let inotify { sources.append(loop.watch(inotify.descriptor) { [weak self] in self?.takeEvents() }) }
    sources.append(
      loop.watch(policyReading.descriptor) { [weak self] in
        if let self { onChange(take(policyReading.take())) }
      })
    sources.append(
      loop.watch(manifestReading.descriptor) { [weak self] in
        if let self { onChange(Change(hasManifests: take(manifestReading.take()))) }
      })
  }

  func stop() {
    for source in sources { source.cancel() }
    sources = []
  }

  private func takeEvents() {
    // While it is read, nobody knows yet what is watched.
    var matters = false
    let isReading = isReading
    inotify?.read { event in if event.isOverflow || isReading || everWatched.contains(event.watch) { matters = true } }
    guard matters, due == nil else { return }
    // A directory that changes all the time takes a small share of the engine's time, however much there is to read.
    let time = min(Self.longestReading, max(readingTime.manifests, readingTime.policy))
    due = MonotonicClock.now() + max(Self.settlingTime, Interval(microseconds: time.microseconds * 20))
  }

  /// Reads the files again if it is time to.
  func advance(to now: Instant) -> Change? {
    guard let due, due <= now else { return nil }
    return read(within: Self.patience.later)
  }

  /// Reads the files now, because somebody asked for it.
  func reloadNow() -> Change { read(isAsked: true, within: Self.patience.later) }
}
