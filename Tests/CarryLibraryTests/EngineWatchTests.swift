import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import Carry

/// Waiting for an engine without waking one.
@Suite(.serialized) struct EngineWatchTests {
  /// Folders of the test's own.
  private final class Place {
    private let top: TestFolder
    var folder: String { top.path + "/rün" }
    var socket: String { folder + "/carry-0" }

    init(withFolder: Bool) throws {
      top = try TestFolder("watch")
      if withFolder { mkdir(folder, 0o700) }
    }
  }

  /// Turns a watch as a client's loop would, until it says that there is an engine.
  private func findsAnEngine(_ watch: EngineWatch, within seconds: Double) -> Bool {
    let end = MonotonicClock.now() + .seconds(seconds)
    while MonotonicClock.now() < end {
      var fds = watch.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&fds, nfds_t(fds.count), CInt(seconds * 1000 / 4))
      if watch.turn() { return true }
    }
    return false
  }

  @Test("Z30: a socket that a service manager keeps is left alone, until an engine lives")
  func Z30_aKeptSocketIsLeftAlone() throws {
    let place = try Place(withFolder: true)
    // As a service manager does: it listens, and whoever connects starts the engine.
    let socket = Descriptor(
      owning: CLinux.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place.socket.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0 && listen(socket.raw, 4) == 0)
    let watch = try EngineWatch(place.socket)
    watch.start(after: .zero)
    #expect(!findsAnEngine(watch, within: 0.5))
    #expect(clinux_accept4(socket.raw, 0) < 0, "it was connected to")
    let lock = try Descriptor.open(place.socket + ".lock", O_CREAT | O_RDWR, mode: 0o600)
    #expect(flock(lock.raw, LOCK_EX | LOCK_NB) == 0)
    #expect(findsAnEngine(watch, within: 20))
    #expect(clinux_accept4(socket.raw, 0) < 0, "it was connected to")
  }

  @Test(
    "an engine that comes is noticed, after one that died, and where not even the folder was there",
    arguments: [true, false])
  func anEngineThatComes(hasLockOfADeadOne: Bool) throws {
    let place = try Place(withFolder: hasLockOfADeadOne)
    if hasLockOfADeadOne { _ = try Descriptor.open(place.socket + ".lock", O_CREAT | O_RDWR, mode: 0o600) }
    let watch = try EngineWatch(place.socket)
    watch.start(after: .zero)
    #expect(!findsAnEngine(watch, within: 0.2))
    // Long after it has stopped looking by itself.
    #expect(!findsAnEngine(watch, within: 3))
    if !hasLockOfADeadOne { mkdir(place.folder, 0o700) }
    let engine = try SocketListener(path: place.socket)
    #expect(findsAnEngine(watch, within: 20))
    withExtendedLifetime(engine) {}
  }

  @Test("clients that wait beside a dead engine's lock do not keep one another awake")
  func theyLetEachOtherSleep()
    throws
  {
    let place = try Place(withFolder: true)
    _ = try Descriptor.open(place.socket + ".lock", O_CREAT | O_RDWR, mode: 0o600)
    let watches = try (0..<3).map { _ in try EngineWatch(place.socket) }
    for watch in watches { watch.start(after: .zero) }
    // Until each has looked as often as it will.
    func isAsleep() -> Bool {
      var fds = watches.flatMap(\.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&fds, nfds_t(fds.count), 500) > 0 else { return true }
      for watch in watches { #expect(!watch.turn()) }
      return false
    }
    let end = MonotonicClock.now() + .seconds(60)
    var sleeps = false
    while !sleeps, MonotonicClock.now() < end { sleeps = isAsleep() }
    #expect(sleeps)
  }
}
