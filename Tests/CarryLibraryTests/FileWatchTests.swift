import CLinux
import CarrySystem
import CarryTesting
import Testing

@testable import Carry

/// F3: what is told of a file that others change.
@Suite(.serialized) struct FileWatchTests {
  /// A client that watches a file.
  private final class Watcher {
    private let client: Client
    private var watch: FileWatch?
    private(set) var changes: [FileWatch.Change] = []

    init(_ path: String) throws {
      client = try Client(awaitingEngineAs: "watcher", socket: "/tmp/carry-no-such-folder/socket")
      watch = try FileWatch(path, client: client) { [unowned self] in changes.append($0) }
    }

    deinit {
      watch = nil
      client.close()
    }

    func dispatch() { try? client.dispatch() }
    func forget() { changes = [] }

    /// Waits until a change is told, since `forget`.
    func hears(_ change: FileWatch.Change) -> Bool {
      Wait.until(descriptor: client.fileDescriptor) {
        dispatch()
        return changes.contains(change)
      }
    }

    /// The same, and forgets it and all others.
    func hearsAnew(_ change: FileWatch.Change) -> Bool {
      defer { forget() }
      return hears(change)
    }
  }

  @Test("F3: a link that takes the file's place is watched as the file that it leads to")
  func F3_watchesLinks() throws {
    let (place, other) = (try LetterFolder(), try LetterFolder())
    let watcher = try Watcher(place.file)
    try place.write("told")
    #expect(watcher.hears(.written))
    symlink(other.file, place.path + "/link")
    rename(place.path + "/link", place.file)
    #expect(watcher.hearsAnew(.replaced))
    try other.write("of the link")
    unlink(place.file)
    #expect(
      watcher.hears(.removed) && watcher.changes.contains(.written), "\(watcher.changes)")
  }

  @Test("F3: a folder that is removed is told")
  func F3_theFolderGoes() throws {
    let place = try LetterFolder()
    let file = place.path + "/folder/later.txt"
    mkdir(place.path + "/folder", 0o700)
    let watcher = try Watcher(file)
    rmdir(place.path + "/folder")
    #expect(watcher.hears(.removed) && watcher.changes == [.removed])
  }

  @Test("F3: a folder that is renamed takes its file along, and brings it back") func F3_theFolderMoves() throws {
    let place = try LetterFolder()
    let watcher = try Watcher(place.file)
    rename(place.path, place.path + ".old")
    #expect(watcher.hears(.removed) && watcher.changes == [.removed])
    watcher.forget()
    rename(place.path + ".old", place.path)
    #expect(watcher.hears(.replaced) && watcher.changes == [.replaced])
    watcher.forget()
    try place.write("two")
    #expect(watcher.hearsAnew(.written))
  }

  @Test("F3: changes are told, of editors that write and of those that save by renaming") func F3_changes() throws {
    let place = try LetterFolder()
    let watcher = try Watcher(place.file)
    try place.write("two")
    #expect(watcher.hearsAnew(.written))
    for text in ["three", "four"] {
      try place.write(text, to: "new")
      rename(place.path + "/new", place.file)
      #expect(watcher.hearsAnew(.replaced))
      // The new file is watched as the old one was.
      try place.write(text + " and more")
      #expect(watcher.hearsAnew(.written))
    }
    unlink(place.file)
    #expect(watcher.hearsAnew(.removed))
    try place.write("five")
    #expect(watcher.hearsAnew(.replaced))
    // Other files are nobody's business.
    try place.write("six", to: "other")
    watcher.dispatch()
    #expect(!watcher.changes.contains(.replaced) && !watcher.changes.contains(.removed))
  }

  @Test(
    "F3: where more happens at once than the kernel keeps, a file that was replaced meanwhile is watched all the same")
  func F3_tooMuchAtOnce() throws {
    let place = try LetterFolder()
    let watcher = try Watcher(place.file)
    let text = String(decoding: try Files.readAll("/proc/sys/fs/inotify/max_queued_events", limit: 64), as: UTF8.self)
    let most = try #require(Int(text.split(separator: "\n").first ?? ""))
    for _ in 0...most / 2 {
      try place.write("", to: "other")
      unlink(place.path + "/other")
    }
    try place.write("new", to: "new")
    rename(place.path + "/new", place.file)
    #expect(watcher.hearsAnew(.replaced))
    try place.write("new and more")
    #expect(watcher.hearsAnew(.written))
  }

  @Test("F3: a folder that is not there cannot be watched") func F3_noFolder() throws {
    func problem(_ path: String) -> String? {
      do { _ = try Watcher(path) } catch let error as ClientError { return error.description } catch {}
      return nil
    }
    #expect(problem("/tmp/carry-no-such-folder/x") == "/tmp/carry-no-such-folder: No such file or directory")
    #expect(problem("") == "'' names no file to watch")
  }
}
