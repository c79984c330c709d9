import CLinux
import CPrivileges
import CarryLoop
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@testable import CarryDaemon

/// Files on a file system that answers when a test says so.
@Suite struct WatchedFilesTests {
  private final class Slow: Sendable {
    private let isOpen = Atomic<Bool>(true)
    private let readings = Atomic<Int>(0)

    var count: Int { readings.load(ordering: .acquiring) }
    func hang() { isOpen.store(false, ordering: .releasing) }
    func answer() { isOpen.store(true, ordering: .releasing) }

    func pass() {
      readings.add(1, ordering: .releasing)
      _ = Wait.until(seconds: 60) { isOpen.load(ordering: .acquiring) }
    }
  }

  private let folder: TestFolder
  private var base: String { folder.path }

  init() throws { folder = try TestFolder("watched") }

  private func files(
    in place: String, _ slow: Slow, orAbove levels: Int = 2, isWhole: Bool = false
  ) throws -> WatchedFiles<[String]> {
    try WatchedFiles("the list is read again") {
      var watched: WatchedNames = [:]
      for one in $0.watchPlace(place, orAbove: levels, isWhole: isWhole) {
        watched.insert(.init(number: one.number, name: ""))
      }
      return watched
    } load: {
      defer { slow.pass() }
      return Files.list(place)
    }
  }

  @Test("G6: a change that comes as a slow reading ends is read, too") func G6_nothingIsMissed() throws {
    let (place, slow, host) = (base + "/policy.d", Slow(), try TestLoop())
    let files = try files(in: place, slow)
    files.begin()
    #expect(files.collect(within: .seconds(20)) == [])
    var news: [String] = []
    files.start(host.loop) { if let new = files.collect() { news = new } }
    mkdir(place, 0o700)
    slow.hang()
    while files.due == nil { host.loop.turn() }
    #expect(Wait.until { files.beginIfDue(at: MonotonicClock.now()) })
    #expect(Wait.until { slow.count == 2 })
    // It has listed nothing, and watches the directory.
    _ = try Descriptor.open(place + "/10.conf", O_CREAT | O_WRONLY, mode: 0o600)
    slow.answer()
    #expect(Wait.until { !files.isReading })
    #expect(
      Wait.until(seconds: 20) {
        host.loop.wake(at: MonotonicClock.now())
        host.loop.turn()
        if files.beginIfDue(at: MonotonicClock.now()), let new = files.collect(within: .seconds(20)) { news = new }
        return news == ["10.conf"]
      })
    files.stop()
  }

  @Test("G6: nobody waits twice for a file system that hangs") func G6_nobodyWaitsTwice() throws {
    let slow = Slow()
    let files = try files(in: base, slow)
    slow.hang()
    defer { slow.answer() }
    files.begin()
    #expect(files.collect(within: .milliseconds(1)) == nil)
    let start = MonotonicClock.now()
    for _ in 0..<10 {
      files.begin()
      #expect(files.collect(within: .seconds(30)) == nil)
    }
    // Waiting each time takes five minutes.
    #expect(MonotonicClock.now() - start < .seconds(150))
  }

  @Test("G6: directories that are replaced while they are read leave no watches behind")
  func G6_noWatchesAreLeft() throws {
    let (place, slow) = (base + "/d", Slow())
    let queue = Mutex<Inotify?>(nil)
    let files = try WatchedFiles("it is read again") { (inotify: Inotify) -> WatchedNames in
      queue.withLock { $0 = inotify }
      return inotify.watchDirectory(place, orAbove: 1).map { [$0.number: []] } ?? [:]
    } load: {
      slow.pass()
    }
    func watches() throws -> Int {
      let descriptor = try #require(queue.withLock { $0?.descriptor })
      let text = try Files.readAll("/proc/self/fdinfo/\(descriptor)", limit: 1 << 20)
      return String(decoding: text, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix("inotify wd") }
    }
    mkdir(place, 0o700)
    files.begin()
    _ = files.collect(within: .seconds(20))
    for i in 0..<5 {
      slow.hang()
      rename(place, base + "/old-\(i)")
      mkdir(place, 0o700)
      let before = slow.count
      files.begin()
      #expect(Wait.until { slow.count > before })
      files.begin()
      rename(place, base + "/older-\(i)")
      mkdir(place, 0o700)
      slow.answer()
      #expect(Wait.until(seconds: 20) { !files.isReading })
      _ = files.collect(within: .seconds(20))
    }
    #expect(try watches() == 1)
  }

  @Test("G6: a directory that a link, or a link above it, leads to is read again once the link leads elsewhere")
  func G6_links() throws {
    for place in ["first", "second", "third", "third/policy.d"] { mkdir(base + "/" + place, 0o700) }
    for name in ["first/1.conf", "second/2.conf", "third/policy.d/3.conf"] {
      _ = try Descriptor.open(base + "/" + name, O_CREAT | O_WRONLY, mode: 0o600)
    }
    func link(_ path: String, to target: String) throws {
      try check("symlink", path) { symlink(target, base + "/new") }
      try check("rename", path) { rename(base + "/new", base + "/" + path) }
    }
    try link("etc", to: "here/first/../.")
    try link("here", to: base)
    try link("policy.d", to: "first")
    let (host, slow) = (try TestLoop(), Slow())
    let files = try files(in: base + "/etc/policy.d", slow)
    files.begin()
    #expect(files.collect(within: .seconds(20)) == ["1.conf"])
    files.start(host.loop) {}
    try link("policy.d", to: "second")
    #expect(reads(["2.conf"], files, host))
    try link("etc", to: "third")
    #expect(reads(["3.conf"], files, host))
    // Links in a ring are no directory, and what leads out of the ring is followed again.
    try link("etc", to: "etc")
    #expect(reads([], files, host))
    try link("etc", to: base)
    #expect(reads(["2.conf"], files, host))
    files.stop()
  }

  /// Runs until the newest reading is this.
  private func reads(_ list: [String], _ files: WatchedFiles<[String]>, _ host: TestLoop) -> Bool {
    var newest: [String]?
    return Wait.until(seconds: 20) {
      host.loop.wake(at: MonotonicClock.now())
      host.loop.turn()
      if files.beginIfDue(at: MonotonicClock.now()), let new = files.collect(within: .seconds(20)) { newest = new }
      return newest == list
    }
  }

  @Test("G6: a policy is read again whatever directory above it is removed, made again, or another one")
  func G6_directoriesAbove() throws {
    func make(_ path: String, with name: String? = nil) throws {
      _ = try ChildProcess(["mkdir", "-p", base + "/" + path]).waitForExit(seconds: 20)
      if let name { _ = try Descriptor.open("\(base)/\(path)/\(name)", O_CREAT | O_WRONLY, mode: 0o600) }
    }
    try make("srv/a/b/policy.d", with: "1.conf")
    try check("symlink") { symlink("srv/a", base + "/etc") }
    let (host, slow) = (try TestLoop(), Slow())
    let files = try files(in: base + "/etc/b/policy.d", slow, orAbove: .max, isWhole: true)
    files.begin()
    #expect(files.collect(within: .seconds(20)) == ["1.conf"])
    files.start(host.loop) {}
    // All of it goes, and comes again.
    try check("rename") { rename(base + "/srv", base + "/gone") }
    #expect(reads([], files, host))
    try make("srv/a/b/policy.d", with: "2.conf")
    #expect(reads(["2.conf"], files, host))
    // Another directory takes the place of one in between.
    try make("srv/new/policy.d", with: "3.conf")
    try check("rename") { rename(base + "/srv/a/b", base + "/srv/old") }
    try check("rename") { rename(base + "/srv/new", base + "/srv/a/b") }
    #expect(reads(["3.conf"], files, host))
    files.stop()
  }

  @Test(
    "G6: links without an end are followed as far as the kernel would, watched or not", arguments: [false, true])
  func G6_endlessLinks(isReadable: Bool) throws {
    defer { chmod(base, 0o700) }
    let long = "ring/" + String(repeating: "x/", count: 1000)
    try check("symlink") { symlink(long, base + "/ring") }
    cprivileges_beyond_permissions(false)
    defer { cprivileges_beyond_permissions(true) }
    if !isReadable { chmod(base, 0o311) }
    let (resolved, watched) = try Inotify().watchWay(to: base + "/ring/policy.d")
    #expect(resolved.utf8.count <= Int(PATH_MAX) * 2 && watched.count <= 40)
    #expect(isReadable || watched.isEmpty)
  }

  @Test("G6: a link to a directory whose name is no UTF-8 is followed, too") func G6_oddNames() throws {
    let odd: [CChar] = Array("\(base)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    try check("mkdir") { mkdir(odd, 0o700) }
    try check("symlink") { symlink(odd, base + "/etc") }
    let (host, slow) = (try TestLoop(), Slow())
    let files = try files(in: base + "/etc", slow)
    files.begin()
    #expect(files.collect(within: .seconds(20)) == [])
    files.start(host.loop) {}
    _ = try Descriptor.open(base + "/etc/1.conf", O_CREAT | O_WRONLY, mode: 0o600)
    #expect(reads(["1.conf"], files, host))
    files.stop()
  }
}
