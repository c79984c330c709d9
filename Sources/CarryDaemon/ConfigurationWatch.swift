import CarryConfiguration
import CarryLoop
import CLinux
import CarryModel
import CarrySystem

/// Keeps the settings equal to `carry.conf`. Reads the file again when it, or a file that takes precedence, is written,
/// replaced, removed or created.
///
/// Editors write in several steps, so the file is read a moment after the first sign of a change. A file with a mistake in
/// it changes nothing.
final class ConfigurationWatch {
  /// How long after its first sign a change is read.
  private static let settlingTime = Interval.milliseconds(100)

  /// Where a file may be, the most important first.
  private let places: [String]
  /// Whether the command line names the file, which then has to exist.
  private let isNamed: Bool
  private var file: String?
  private(set) var settings: Settings
  private var inotify: Inotify?
  private var source: EventLoop.Source?
  /// The names to watch in each watched directory; empty for a watched file.
  private var watched: [CInt: Set<String>] = [:]
  /// When the files are to be looked at again.
  private(set) var due: Instant?
  /// The mistake that was logged last. Each mistake is logged once.
  private var complaint: FileProblem?

  /// Reads the settings for the first time.
  ///
  /// - Parameter named: the file that was asked for, or nil for the usual places.
  init(named: String?) throws(FileProblem) {
    isNamed = named != nil
    places = named.map { [Self.absolute($0)] } ?? ConfigurationFile.places()
    file = named ?? ConfigurationFile.found(in: places)
    settings = if let file { try ConfigurationFile.load(file) } else { Settings() }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// Watches the files from now on.
  func start(_ loop: EventLoop) {
    do { inotify = try Inotify() } catch {
      Log.warning("\(error.sentence); carry.conf is read again on SIGHUP only")
      return
    }
    guard let fd = inotify?.descriptor else { return }
    source = loop.watch(fd) { [weak self] in self?.takeEvents() }
    watch()
    if let file { Log.info("settings from \(file)") }
  }

  func stop() {
    source?.cancel()
    source = nil
  }

  /// Watches the directory of each place, or the nearest existing directory above it; and the file itself, which may be a
  /// link to a file elsewhere.
  private func watch() {
    guard let inotify else { return }
    let mask =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    var now: [CInt: Set<String>] = [:]
    for place in places {
      var (directory, name) = Self.split(place)
      var number = inotify.watch(directory, UInt32(mask | IN_ONLYDIR))
      while number < 0, directory != "/" {
        (directory, name) = Self.split(directory)
        number = inotify.watch(directory, UInt32(mask | IN_ONLYDIR))
      }
      if number >= 0 { now[number, default: []].insert(name) }
      let itself = inotify.watch(place, UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF))
      if itself >= 0 { now[itself, default: []].insert("") }
    }
    for old in watched.keys where now[old] == nil { inotify.forget(old) }
    watched = now
  }

  private static func split(_ path: String) -> (directory: String, name: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[slash...].drop { $0 == "/" }))
  }

  private func takeEvents() {
    var matters = false
    inotify?.read { event in
      // An event without a name is about the directory or the file itself.
      if event.isOverflow || watched[event.watch].map({ event.name.isEmpty || $0.contains(event.name) }) == true {
        matters = true
      }
    }
    if matters, due == nil { due = MonotonicClock.now() + Self.settlingTime }
  }

  /// Reads the files again if it is time to.
  ///
  /// - Returns: the new settings; nil when they have not changed.
  func advance(to now: Instant) -> Settings? {
    guard let due, due <= now else { return nil }
    return reload()
  }

  /// Reads the files now, because somebody asked for it, and logs mistakes even if they were logged before.
  func reloadNow() -> Settings? {
    reload(isAsked: true)
  }

  private func reload(isAsked: Bool = false) -> Settings? {
    due = nil
    // Before reading, so that a change during the reading is noticed.
    watch()
    let found = isNamed ? file : ConfigurationFile.found(in: places)
    let new: Settings
    do { new = if let found { try ConfigurationFile.load(found) } else { Settings() } } catch {
      let sentence = "\(error.sentence); the settings stay as they were"
      // The log suppresses a repeated warning, but a person who asks gets an answer.
      if complaint != error { Log.warning(sentence) } else if isAsked { Log.notice(sentence) }
      complaint = error
      return nil
    }
    complaint = nil
    let isNews = found != file || new != settings
    file = found
    guard isNews else { return nil }
    Log.notice(found.map { "settings read again from \($0)" } ?? "there is no carry.conf any more; default settings")
    guard new != settings else { return nil }
    settings = new
    return new
  }
}
