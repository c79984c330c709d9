import CarryConfiguration
import CarryLoop
import CarryModel
import CarrySystem

/// Keeps the programs' manifests and the organisation's policy in step with their files. Reads the files again
/// shortly after one of their directories has changed, and on SIGHUP.
///
/// Until a file system answers, the last content counts. At the start no manifest counts, and a policy that cannot be
/// read forbids everything.
final class AccessFiles {
  /// How long the engine waits for the files, which are usually available at once: at the start, and later.
  private static let patience = (start: Interval.seconds(2), later: Interval.milliseconds(100))

  /// The content that a thread has read, and the mistakes in it.
  private struct Found<Content: Sendable>: Sendable {
    var content: Content
    var problems: [FileProblem]
  }

  private let policyPlace: String
  private(set) var registry = ProgramRegistry()
  private(set) var policy = Policy()
  private let manifestFiles: WatchedFiles<Found<[ProgramManifest]>>
  private let policyFiles: WatchedFiles<Found<Policy>>
  /// The mistakes that were logged last. Each is logged once.
  private var complaints: (manifests: [FileProblem], policy: [FileProblem]) = ([], [])
  private var isAsked = (manifests: false, policy: false)
  private var hasSaidThatItWaits = false

  /// Reads the files for the first time.
  ///
  /// - Parameters:
  ///   - manifests: a directory that replaces the system's; nil for the usual places.
  ///   - policy: a directory that replaces `/etc/carry/policy.d`.
  /// - Throws: if no descriptor is left.
  init(manifests: String?, policy: String?) throws(SystemError) {
    let files = ManifestFiles(named: manifests)
    let place = policy ?? PolicyFiles.place
    policyPlace = place
    manifestFiles = try WatchedFiles("manifests are read again") { inotify in
      // A directory further up changes often and irrelevantly: watch nothing above the data directory.
      Self.names(files.places.flatMap { inotify.watchPlace($0.path, orAbove: 2) })
    } load: {
      let (manifests, problems) = files.load()
      return Found(content: manifests, problems: problems)
    }
    policyFiles = try WatchedFiles("the policy is read again") {
      // Without a policy everything is allowed, so a new policy must be noticed wherever it comes from.
      Self.names($0.watchPlace(place, isWhole: true))
    } load: {
      let (policy, problems) = PolicyFiles.load(place)
      return Found(content: policy, problems: problems)
    }
    manifestFiles.begin()
    policyFiles.begin()
    _ = collect(within: Self.patience.start)
    guard policyFiles.isReading else { return }
    let mistake = "its file system does not answer"
    self.policy = Policy([Policy.Rule(.forbid, place: place, mistake: mistake)])
    Log.error("\(place): \(mistake); until it does, no drag goes from one program to another")
  }

  /// The names that matter in the watched directories. Called on a thread.
  private static func names(_ watched: [Inotify.Watched]) -> WatchedNames {
    var names: WatchedNames = [:]
    for one in watched { names.insert(one) }
    return names
  }

  // MARK: Content

  /// What has changed.
  struct Change {
    var hasPolicy = false
    var hasManifests = false
  }

  private func collect(within time: Interval = .zero) -> Change {
    let end = MonotonicClock.now() + time
    let hasPolicy = apply(policyFiles.collect(within: time))
    let hasManifests = apply(manifestFiles.collect(within: max(.zero, end - MonotonicClock.now())))
    let waits = policyFiles.isReading || manifestFiles.isReading
    if waits, !hasSaidThatItWaits {
      let what = policyFiles.isReading ? policyPlace : "a directory of manifests"
      Log.warning("\(what) does not answer yet; until it does, its last known content is used")
    }
    hasSaidThatItWaits = waits
    return Change(hasPolicy: hasPolicy, hasManifests: hasManifests)
  }

  private func apply(_ found: Found<Policy>?) -> Bool {
    guard let found else { return false }
    for problem in found.problems where isAsked.policy || !complaints.policy.contains(problem) {
      Log.error(
        "\(SafeText.displayable(problem.sentence, limit: 1024)); until that is repaired, no drag goes from one program to "
          + "another")
    }
    (complaints.policy, isAsked.policy) = (found.problems, false)
    let isNew = found.content != policy
    if isNew, found.problems.isEmpty {
      Log.notice("the policy of \(policyPlace) is in force; rules: \(found.content.rules.count)")
    }
    policy = found.content
    return isNew
  }

  private func apply(_ found: Found<[ProgramManifest]>?) -> Bool {
    guard let found else { return false }
    for problem in found.problems where isAsked.manifests || !complaints.manifests.contains(problem) {
      Log.warning("\(SafeText.displayable(problem.sentence, limit: 1024)); this manifest does not count")
    }
    (complaints.manifests, isAsked.manifests) = (found.problems, false)
    let isNew = found.content != registry.manifests
    registry = ProgramRegistry(found.content)
    return isNew
  }

  // MARK: Watching

  /// When `advance` has to be called.
  var due: Instant? { .earliest(policyFiles.due, manifestFiles.due) }

  /// Starts watching the files.
  ///
  /// - Parameter onChange: called with content that was read after the engine stopped waiting for it.
  func start(_ loop: EventLoop, onChange: @escaping (Change) -> Void) {
    for start in [policyFiles.start, manifestFiles.start] {
      start(loop) { [weak self] in if let self { onChange(collect()) } }
    }
  }

  func stop() {
    policyFiles.stop()
    manifestFiles.stop()
  }

  /// Reads the files again if it is time to.
  func advance(to now: Instant) -> Change? {
    let begins = (policyFiles.beginIfDue(at: now), manifestFiles.beginIfDue(at: now))
    return begins.0 || begins.1 ? collect(within: Self.patience.later) : nil
  }

  /// Reads the files now, on request, and logs mistakes even if they were logged before.
  func reloadNow() -> Change {
    isAsked = (true, true)
    manifestFiles.begin()
    policyFiles.begin()
    return collect(within: Self.patience.later)
  }
}
