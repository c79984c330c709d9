import CLinux
import CarryConfiguration
import CarryLoop
import CarryModel
import CarrySystem

/// Keeps the settings in step with `carry.conf`. Reads the file again when it, or a file that takes precedence, is
/// written, replaced, removed or created. A file with a mistake in it changes nothing.
final class ConfigurationWatch {
  /// How long the engine waits for the file, which is usually available at once: at the start, and later.
  private static let patience = (start: Interval.seconds(2), later: Interval.milliseconds(100))

  /// The result of a thread's reading.
  private struct Found: Sendable {
    /// Nil if there is none.
    var file: String?
    var settings: Result<Settings, FileProblem>
  }

  private let files: WatchedFiles<Found>
  /// For the log, while no file has been found.
  private let place: String
  private var file: String?
  private(set) var settings = Settings()
  /// The mistake that was logged last. Each mistake is logged once.
  private var complaint: FileProblem?
  private var isAsked = false
  private var hasSaidThatItWaits = false

  /// Reads the settings for the first time.
  ///
  /// - Parameter named: the file that was requested, which then has to exist, or nil for the usual places.
  /// - Throws: if the file has a mistake, or if no descriptor is left.
  init(named: String?) throws(Problem) {
    // The most important first.
    let places = named.map { [Files.absolute($0)] } ?? ConfigurationFile.places()
    place = named ?? "carry.conf"
    do {
      files = try WatchedFiles("carry.conf is read again") {
        Self.watch(places, $0)
      } load: {
        Self.load(named ?? ConfigurationFile.found(in: places))
      }
    } catch { throw Problem(error.sentence) }
    files.begin()
    guard let found = files.collect(within: Self.patience.start) else {
      saysThatItWaits("the settings are the default ones")
      return
    }
    file = found.file
    do { settings = try found.settings.get() } catch { throw Problem(error.sentence) }
  }

  private func saysThatItWaits(_ meanwhile: String) {
    if !hasSaidThatItWaits { Log.warning("\(place): its file system does not answer; until it does, \(meanwhile)") }
    hasSaidThatItWaits = true
  }

  // MARK: On a thread

  private static func load(_ file: String?) -> Found {
    guard let file else { return Found(file: nil, settings: .success(Settings())) }
    return Found(file: file, settings: Result { () throws(FileProblem) in try ConfigurationFile.load(file) })
  }

  /// Watches the directory of each place, or the nearest existing directory above it, the links on the way, and the
  /// file itself, which may be elsewhere.
  private static func watch(_ places: [String], _ inotify: Inotify) -> WatchedNames {
    var watched: WatchedNames = [:]
    for place in places {
      let (resolved, links) = inotify.watchWay(to: place)
      for link in links { watched.insert(link) }
      for file in Set([place, resolved]) {
        let slash = file.lastIndex(of: "/") ?? file.startIndex
        guard var directory = inotify.watchDirectory(String(file[..<slash])) else { continue }
        if directory.name.isEmpty { directory.name = String(file[slash...].drop { $0 == "/" }) }
        watched.insert(directory)
      }
      let itself = inotify.watch(place, UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF))
      if itself >= 0 { watched.insert(.init(number: itself, name: "")) }
    }
    return watched
  }

  // MARK: Watching

  /// When `advance` has to be called.
  var due: Instant? { files.due }

  /// Starts watching the files.
  ///
  /// - Parameter onChange: called with settings that were read after the engine stopped waiting for them.
  func start(_ loop: EventLoop, onChange: @escaping (Settings) -> Void) {
    files.start(loop) { [weak self] in if let settings = self?.collect() { onChange(settings) } }
    if let file { Log.info("settings from \(file)") }
  }

  func stop() { files.stop() }

  /// Reads the files again if it is time to.
  ///
  /// - Returns: the new settings; nil if they have not changed.
  func advance(to now: Instant) -> Settings? {
    files.beginIfDue(at: now) ? collect(within: Self.patience.later) : nil
  }

  /// Reads the files now, on request, and logs mistakes even if they were logged before.
  func reloadNow() -> Settings? {
    isAsked = true
    files.begin()
    return collect(within: Self.patience.later)
  }

  private func collect(within time: Interval = .zero) -> Settings? {
    guard let found = files.collect(within: time) else {
      if files.isReading { saysThatItWaits("the settings stay as they were") }
      return nil
    }
    defer { (isAsked, hasSaidThatItWaits) = (false, false) }
    let new: Settings
    do { new = try found.settings.get() } catch {
      let sentence = "\(error.sentence); the settings stay as they were"
      // The log suppresses a repeated warning, but a person who asks gets an answer.
      if complaint != error { Log.warning(sentence) } else if isAsked { Log.notice(sentence) }
      complaint = error
      return nil
    }
    complaint = nil
    let isNews = found.file != file || new != settings
    file = found.file
    guard isNews else { return nil }
    Log.notice(file.map { "settings read again from \($0)" } ?? "there is no carry.conf any more; default settings")
    guard new != settings else { return nil }
    settings = new
    return new
  }
}
