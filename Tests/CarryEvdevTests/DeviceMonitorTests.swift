import CLinux
import CarryEvdev
import CarrySystem
import CarryTesting
import Testing

/// A directory of nodes without a kernel behind them. udevd is left out: it would speak of the machine's own devices.
private final class NodeFolder {
  private let folder: TestFolder
  var parent: String { folder.path }
  let path: String
  let monitor: DeviceMonitor

  init(exists: Bool = true) throws {
    folder = try TestFolder("nodes")
    path = folder.path + "/input"
    if exists { mkdir(path, 0o700) }
    monitor = try DeviceMonitor(directory: path, usesUdev: false)
  }

  func removeFolder() { Files.removeAll(path) }

  func create(_ name: String) throws {
    _ = try Descriptor.open(path + "/" + name, O_WRONLY | O_CREAT, mode: 0)
  }

  /// Every change so far, in short. What inotify tells is there as soon as the call that caused it has returned.
  func changes() -> [String] {
    var list: [String] = []
    monitor.read { change in
      switch change {
      case .ready(let node, true): list.append("+" + node.dropFirst(path.utf8.count + 1))
      case .ready(let node, false): list.append("?" + node.dropFirst(path.utf8.count + 1))
      case .vanished(let node): list.append("-" + node.dropFirst(path.utf8.count + 1))
      }
    }
    return list
  }

  /// Waits for a change. That a directory is gone the kernel tells when it finds the time.
  func tells(_ change: String) -> Bool { Wait.until { self.changes().contains(change) } }

  /// Whether anybody would be woken.
  var isQuiet: Bool {
    monitor.descriptors.allSatisfy { fd in
      var p = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      return poll(&p, 1, 0) == 0
    }
  }
}

@Suite(.serialized) struct DeviceMonitorTests {
  @Test func Z5_nodesThatComeChangeAndGoAreTold() throws {
    let folder = try NodeFolder()
    #expect(folder.isQuiet)
    try folder.create("event7")
    #expect(!folder.isQuiet)
    #expect(folder.changes() == ["+event7"])
    #expect(folder.isQuiet)
    // Permission that arrives late.
    chmod(folder.path + "/event7", 0o600)
    #expect(folder.changes() == ["+event7"])
    unlink(folder.path + "/event7")
    // The last link that goes changes the file as well; what is there no more is at any rate told last.
    #expect(folder.changes().last == "-event7")
    #expect(folder.isQuiet)
  }

  @Test func Z5_otherNamesAreNobodysBusiness() throws {
    let folder = try NodeFolder()
    for name in [
      "mouse0", "js0", "event", "event-1", "event+1", "eventual", "event7.tmp", "event99999999999999999999",
    ] {
      try folder.create(name)
    }
    #expect(folder.changes() == [])
    #expect(folder.monitor.nodes == [])
    try folder.create("event10")
    try folder.create("event9")
    #expect(folder.changes() == ["+event10", "+event9"])
    #expect(folder.monitor.nodes == [folder.path + "/event9", folder.path + "/event10"])
  }

  @Test func Z5_aNodeThatIsRenamedInAndOut() throws {
    let folder = try NodeFolder()
    try folder.create("new")
    rename(folder.path + "/new", folder.path + "/event3")
    rename(folder.path + "/event3", folder.path + "/old")
    #expect(folder.changes() == ["+event3", "-event3"])
  }

  /// The kernel makes the directory for the first device and takes it away with the last.
  @Test func Z5_theDirectoryComesLaterAndGoesInBetween() throws {
    let folder = try NodeFolder(exists: false)
    #expect(folder.changes() == [])
    for _ in 0..<3 {
      mkdir(folder.path, 0o700)
      try folder.create("event0")
      #expect(folder.tells("+event0"))
      try folder.create("event1")
      #expect(folder.tells("+event1"))
      folder.removeFolder()
      #expect(folder.tells("-event1"))
    }
  }

  @Test func aStormThatOverflowsTheQueueLosesNoNode() throws {
    let folder = try NodeFolder()
    let limit = try Files.readNumber("/proc/sys/fs/inotify/max_queued_events")
    try #require(limit > 0 && limit < 1 << 20)
    // Two changing in turn, as the kernel merges what repeats itself.
    try folder.create("event0")
    try folder.create("event1")
    for _ in 0..<(limit / 2 + 1) {
      chmod(folder.path + "/event0", 0o600)
      chmod(folder.path + "/event1", 0o600)
    }
    try folder.create("event2")
    var all: Set<String> = []
    while !folder.isQuiet { all.formUnion(folder.changes()) }
    #expect(all == ["+event0", "+event1", "+event2"])
  }
}

extension Files {
  /// Files below /proc have no size to read them by.
  fileprivate static func readNumber(_ path: String) throws -> Int {
    let fd = try Descriptor.open(path, O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: 32)
    let n = CLinux.read(fd.raw, &bytes, bytes.count)
    return Int(String(decoding: bytes.prefix(max(0, n)).prefix { $0 > 0x20 }, as: UTF8.self)) ?? 0
  }
}
