import CLinux
import CarrySystem
import CarryTesting
import Testing

@Suite struct SocketListenerTests {
  /// A socket that is bound and does not listen yet.
  private func bound(_ path: String) throws -> Descriptor {
    let socket = Descriptor(owning: CLinux.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return socket
  }

  @Test("a socket that nobody listens on is no engine, unless one is just starting there")
  func aSocketThatNobodyListensOn() throws {
    let folder = try TestFolder("socket")
    let path = folder.path + "/socket"
    let socket = try bound(path)
    // Left behind: refused at once.
    func connects() -> Bool {
      guard let connection = try? SocketListener.connect(to: path) else { return false }
      return connection.raw >= 0
    }
    #expect(!connects())
    // An engine that has the lock is about to listen; it does so from another thread, when the client waits.
    let lock = try Descriptor.open(path + ".lock", O_CREAT | O_RDWR, mode: 0o600)
    try #require(flock(lock.raw, LOCK_EX) == 0)
    let number = socket.raw
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        poll(nil, 0, 50)
        listen(CInt(Int(bitPattern: argument)), 8)
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(number)))
    #expect(connects())
    pthread_join(thread, nil)
    #expect(lock.raw >= 0 && socket.raw >= 0)
  }

  @Test("who holds a lock is known by its process, and no file is touched for that") func whoHoldsTheLock()
    throws
  {
    let name = "/carry-lock-\(getpid())-S13"
    let listener = try SocketListener(path: "/tmp" + name)
    #expect(SocketListener.isTaken(listener.path, by: getpid()) && !SocketListener.isTaken(listener.path, by: 1 << 22))
    // By its name: the folder, which a stranger may have named, is not looked at.
    #expect(
      SocketListener.isTaken("/nowhere" + name, by: getpid()) && !SocketListener.isTaken("/tmp/other", by: getpid()))
    listener.release()
    #expect(!SocketListener.isTaken(listener.path, by: getpid()) && !SocketListener.isTaken("", by: getpid()))
  }
}
