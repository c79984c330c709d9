import CarryConfiguration
import CarryLoop
import CLinux
import CarryModel
import CarrySystem

/// Keeps the settings what `carry.conf` says: reads it again when it is written, replaced, removed or appears, or when a
/// file that counts more does.
///
/// Editors write in several steps, so a change is looked at a moment after its first sign. A file with a mistake in it
/// changes nothing.
final class ConfigurationWatch {
  /// How long after its first sign a change is read.
  private static let settlingTime = Interval.milliseconds(100)

  /// Where a file may be, the most important first.
  private let places: [String]
  /// Whether the file was named on the command line: then it has to be there.
  private let isNamed: Bool
  private var file: String?
  private(set) var settings: Settings
  private var inotify: Inotify?
  private var source: EventLoop.Source?
  /// The entries that matter in each watched directory; none for a watched file.
  private var watched: [CInt: Set<String>] = [:]
  /// When the files are to be looked at again.
  private(set) var due: Instant?
  /// What was last said of a mistake: it is said once for each.
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

  /// Watches the directory of each place, or the nearest one above that is there; and the file itself, which may be a
  /// link to one elsewhere.
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
  /// - Returns: the settings when they are others than before.
  func advance(to now: Instant) -> Settings? {
    guard let due, due <= now else { return nil }
    return reload()
  }

  /// Somebody asks for it: reads the files now, and says what is wrong with them even if it has been said.
  func reloadNow() -> Settings? {
    reload(isAsked: true)
  }

  private func reload(isAsked: Bool = false) -> Settings? {
    due = nil
    // First: what changes while the file is being read is seen.
    watch()
    let found = isNamed ? file : ConfigurationFile.found(in: places)
    let new: Settings
    do { new = if let found { try ConfigurationFile.load(found) } else { Settings() } } catch {
      let sentence = "\(error.sentence); the settings stay as they were"
      // A warning that repeats is held back by the log; who asks gets an answer.
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
