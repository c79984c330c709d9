import CLinux
import Carry
import CarrySystem
import CarryTesting
import Synchronization
import Testing

/// F3, F5: several programs at one file.
@Suite(.serialized) struct FileCoordinationTests {
  private final class Place {
    let path = "/tmp/carry-coordination-\(ProcessID.own)-\(UInt32.random(in: 0 ... .max))"
    var file: String { path + "/letter.txt" }
    init() throws {
      try check("mkdir", path) { mkdir(path, 0o700) }
      try write("one")
    }
    deinit { _ = try? ChildProcess(["rm", "-rf", path]).waitForExit(seconds: 10) }

    func write(_ text: String, to name: String = "letter.txt") throws {
      let fd = try Descriptor.open("\(path)/\(name)", O_CREAT | O_TRUNC | O_WRONLY, mode: 0o600)
      _ = Array(text.utf8).withUnsafeBytes { CLinux.write(fd.raw, $0.baseAddress, $0.count) }
    }
  }

  private static func text(_ fd: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(fd, &bytes, 64, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test("F3: readers read together; a writer is alone, and nobody waits for ever") func F3_locks() throws {
    let place = try Place()
    let file = place.file
    let both = try FileCoordination.read(file) { _ in
      #expect(throws: FileCoordinationError.busy) { try FileCoordination.write(file, within: 0.05) { _ in } }
      return try FileCoordination.read(file, within: 0) { Self.text($0) }
    }
    #expect(both == "one")
    try FileCoordination.write(file) { _ in
      #expect(throws: FileCoordinationError.busy) { try FileCoordination.read(file, within: 0) { _ in } }
    }
    let last = try FileCoordination.write(file, within: 0) { Self.text($0) }
    #expect(last == "one")
  }

  @Test("F3: a reader waits for a writer, and reads the file that the writer has put there")
  func F3_waitsForTheNewFile() throws {
    let place = try Place()
    let (file, path) = (place.file, place.path)
    let isIn = Atomic(false)
    let result = Mutex("")
    try FileCoordination.write(file) { _ in
      try Worker.start {
        isIn.store(true, ordering: .releasing)
        let text = (try? FileCoordination.read(file, within: 10) { Self.text($0) }) ?? "nothing"
        result.withLock { $0 = text }
      }
      #expect(Wait.until { isIn.load(ordering: .acquiring) })
      try place.write("two", to: "new")
      rename(path + "/new", file)
    }
    #expect(Wait.until { result.withLock { !$0.isEmpty } })
    #expect(result.withLock { $0 } == "two")
  }

  @Test("F3: what is no file is refused") func F3_noFile() throws {
    let place = try Place()
    mkfifo(place.path + "/pipe", 0o600)
    for path in [place.path, place.path + "/pipe", place.path + "/nothing"] {
      #expect(throws: FileCoordinationError.self) { try FileCoordination.read(path, within: 0) { _ in } }
    }
  }

  @Test("F3: changes are told, of editors that write and of those that save by renaming") func F3_changes() throws {
    let place = try Place()
    let client = try Client(awaitingEngineAs: "watcher", socket: "/tmp/carry-no-such-folder/socket")
    var changes: [FileWatch.Change] = []
    let watch = try FileWatch(place.file, client: client) { changes.append($0) }
    func hears(_ change: FileWatch.Change) -> Bool {
      defer { changes = [] }
      return Wait.until(descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return changes.contains(change)
      }
    }
    try place.write("two")
    #expect(hears(.written))
    for text in ["three", "four"] {
      try place.write(text, to: "new")
      rename(place.path + "/new", place.file)
      #expect(hears(.replaced))
      // The new file is watched as the old one was.
      try place.write(text + " and more")
      #expect(hears(.written))
    }
    unlink(place.file)
    #expect(hears(.removed))
    try place.write("five")
    #expect(hears(.replaced))
    // Other files are nobody's business.
    try place.write("six", to: "other")
    try? client.dispatch()
    #expect(!changes.contains(.replaced) && !changes.contains(.removed))
    withExtendedLifetime(watch) {}
  }

  @Test("F3: a folder that is not there cannot be watched") func F3_noFolder() throws {
    let client = try Client(awaitingEngineAs: "watcher", socket: "/tmp/carry-no-such-folder/socket")
    #expect(throws: ClientError.self) { _ = try FileWatch("/tmp/carry-no-such-folder/x", client: client) { _ in } }
  }
}
