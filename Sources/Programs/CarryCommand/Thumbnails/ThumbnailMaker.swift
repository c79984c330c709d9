import CLinux
import CarryModel
import CarrySystem
import CarryWindow

/// Creates thumbnails in processes, one at a time, while the tool's loop continues.
final class ThumbnailMaker {
  private struct Order {
    var path: String
    var type: String
    var made: (Picture) -> Void
  }

  /// The running process.
  private struct Work {
    var pid: pid_t
    var output: CInt
    var bytes: [UInt8]
    var order: Order
  }

  private var orders: [Order] = []
  private var work: Work?
  /// The timeout of a process. It ends itself before that, unless it is blocked on a hung file system, where no
  /// signal reaches it.
  private static let patience = Interval.seconds(12)
  private var alarm: Int?

  deinit {
    guard let work else { return }
    // Not waited for: it may be blocked on a file system, and the tool ends now.
    kill(work.pid, SIGKILL)
    if let alarm { ToolLoop.cancel(alarm: alarm) }
    ToolLoop.unwatch(work.output)
    close(work.output)
  }

  /// Orders the thumbnail of a file. A file that is not a picture and not in the desktop's cache gets none, nor does
  /// a picture that cannot be read in time.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - made: Called once, on the tool's loop, if there is a thumbnail.
  func order(_ path: String, type: String, _ made: @escaping (Picture) -> Void) {
    guard type.hasPrefix("image/") || !ThumbnailCache.candidates(for: path, in: ThumbnailCache.directory).isEmpty else {
      return
    }
    orders.append(Order(path: path, type: type, made: made))
    if work == nil { next() }
  }

  private func next() {
    while work == nil, !orders.isEmpty {
      let order = orders.removeFirst()
      guard let started = try? Self.start(order) else { continue }
      work = started
      ToolLoop.watch(started.output) { [unowned self] in self.read() }
      alarm = ToolLoop.at(MonotonicClock.now() + Self.patience) { [unowned self] in
        alarm = nil
        _ = end()
        next()
      }
    }
  }

  private static func start(_ order: Order) throws -> Work {
    let pipe = try Pipe()
    _ = clinux_set_status_flags(pipe.read.raw, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe.write.raw, 1)
    // The decoder's messages are not the tool's.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tool blocks and ignores signals for its own loop.
    var none = sigset_t()
    sigemptyset(&none)
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = ["carry", ThumbnailProcess.name, "--", order.path, order.type]
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, &argv, clinux_environ())
    guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", subject: "/proc/self/exe") }
    let output = pipe.takeReading().release()
    return Work(pid: pid, output: output, bytes: [], order: order)
  }

  private func read() {
    guard let output = work?.output else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let n = CLinux.read(output, &chunk, chunk.count)
    if n < 0, [EAGAIN, EINTR].contains(clinux_errno()) { return }
    if n > 0 {
      work?.bytes += chunk[..<n]
      if let work, work.bytes.count <= ThumbnailProcess.most { return }
    }
    guard let ended = end() else { return }
    if n == 0, let picture = Picture(pixels: ended.bytes) { ended.order.made(picture) }
    next()
  }

  /// Ends the running process.
  private func end() -> Work? {
    guard let work else { return nil }
    self.work = nil
    if let alarm { ToolLoop.cancel(alarm: alarm) }
    alarm = nil
    ToolLoop.unwatch(work.output)
    close(work.output)
    // It has closed its output, written too much, or taken too long.
    kill(work.pid, SIGKILL)
    ProcessEnd.wait(for: work.pid)
    return work
  }
}

extension Picture {
  /// A picture as `ThumbnailProcess` writes it; nil when the bytes are none, or one that is too large.
  convenience init?(pixels bytes: [UInt8]) {
    guard bytes.count > 8 else { return nil }
    let (width, height) = bytes.withUnsafeBytes {
      (Int($0.loadUnaligned(as: UInt32.self)), Int($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }
    let sides = 1...ThumbnailProcess.side
    guard sides.contains(width), sides.contains(height), bytes.count == 8 + width * height * 4 else { return nil }
    self.init(width: width, height: height) { y, row in
      UnsafeMutableRawBufferPointer(row).copyBytes(from: bytes[(8 + y * width * 4)..<(8 + (y + 1) * width * 4)])
    }
  }
}
