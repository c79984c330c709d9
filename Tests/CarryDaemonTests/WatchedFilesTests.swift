import CLinux
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

  private let base: String

  init() throws {
    let path = "/tmp/carry-watched-\(ProcessID.own)-\(UInt32.random(in: 0 ... .max))"
    try check("mkdir", path) { mkdir(path, 0o700) }
    base = path
  }

  private func clear() { _ = try? ChildProcess(["rm", "-rf", base]).waitForExit(seconds: 10) }

  private func files(
    in place: String, _ slow: Slow
  ) throws -> WatchedFiles<[String]> {
    try WatchedFiles("the list is read again") {
      var watched: WatchedNames = [:]
      let (resolved, links) = $0.watchLinks(on: place)
      for link in links { watched.insert(link) }
      if let directory = $0.watchDirectory(resolved, orAbove: 2) {
        watched.insert(.init(number: directory.number, name: ""))
      }
      return watched
    } load: {
      defer { slow.pass() }
      return Files.list(place)
    }
  }

  @Test("G6, T29: a change that comes as a slow reading ends is read, too") func G6_T29_nothingIsMissed() throws {
    defer { clear() }
    let (place, slow, host) = (base + "/policy.d", Slow(), try TestLoop())
    let files = try files(in: place, slow)
    files.begin()
    #expect(files.take(within: .seconds(20)) == [])
    var news: [String] = []
    files.start(host.loop) { if let new = files.take() { news = new } }
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
        if files.beginIfDue(at: MonotonicClock.now()), let new = files.take(within: .seconds(20)) { news = new }
        return news == ["10.conf"]
      })
    files.stop()
  }

  @Test("G6, T29: nobody waits twice for a file system that hangs") func G6_T29_nobodyWaitsTwice() throws {
    defer { clear() }
    let slow = Slow()
    let files = try files(in: base, slow)
    slow.hang()
    defer { slow.answer() }
    files.begin()
    #expect(files.take(within: .milliseconds(1)) == nil)
    let start = MonotonicClock.now()
    for _ in 0..<10 {
      files.begin()
      #expect(files.take(within: .seconds(30)) == nil)
    }
    // Waiting each time takes five minutes.
    #expect(MonotonicClock.now() - start < .seconds(150))
  }

  @Test("G6, T29: directories that are replaced while they are read leave no watches behind")
  func G6_T29_noWatchesAreLeft() throws {
    defer { clear() }
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
    _ = files.take(within: .seconds(20))
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
      _ = files.take(within: .seconds(20))
    }
    #expect(try watches() == 1)
  }

  @Test("G6, T29: a directory that a link, or a link above it, leads to is read again once the link leads elsewhere")
  func G6_T29_links() throws {
    defer { clear() }
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
    #expect(files.take(within: .seconds(20)) == ["1.conf"])
    files.start(host.loop) {}
    func reads(_ list: [String]) -> Bool {
      var newest: [String]?
      return Wait.until(seconds: 20) {
        host.loop.wake(at: MonotonicClock.now())
        host.loop.turn()
        if files.beginIfDue(at: MonotonicClock.now()), let new = files.take(within: .seconds(20)) { newest = new }
        return newest == list
      }
    }
    try link("policy.d", to: "second")
    #expect(reads(["2.conf"]))
    try link("etc", to: "third")
    #expect(reads(["3.conf"]))
    // Links in a ring are no directory, and what leads out of the ring is followed again.
    try link("etc", to: "etc")
    #expect(reads([]))
    try link("etc", to: base)
    #expect(reads(["2.conf"]))
    files.stop()
  }
}
