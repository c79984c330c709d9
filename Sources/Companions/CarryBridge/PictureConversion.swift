import CLinux
import CPixbuf
import Carry
import CarryModel
import CarrySystem

/// Converts pictures of other types to PNG, each in a process of its own: a malicious picture that makes its decoder
/// hang or crash affects only that process.
struct PictureConversion: PictureConverter {
  private let client: Client

  init(_ client: Client) { self.client = client }

  /// The argument that starts this program as that process, followed by the number of its socket and the picture's
  /// type.
  static let option = "--picture-process"

  /// The maximum sizes of the decoded and of the created file, in bytes.
  private static let most = 64 << 20
  private static let maxPixels: Int64 = 1 << 25
  /// The timeout of the process.
  private static let patience = Interval.seconds(10)
  /// The timeout of `png`, which includes starting and ending the process.
  private static let longest = Interval.seconds(12)

  /// A place of its own, which limits the number of processes. Without the slash it would be the root folder.
  private static let place = "pictures"

  // MARK: This side

  var isAvailable: Bool { cpixbuf_is_there() }

  func makePNG(of bytes: [UInt8], type: String, completion: @escaping ([UInt8]?) -> Void) {
    let runs = client.runBlocking(lookingAt: [Self.place], for: Self.longest) {
      Self.png(bytes, type: type)
    } then: {
      completion($0 ?? nil)
    }
    if !runs { completion(nil) }
  }

  /// Waits for the process.
  private static func png(_ bytes: [UInt8], type: String) -> [UInt8]? {
    let until = MonotonicClock.now() + patience
    let number = HelperProcess.socketNumber
    guard bytes.count <= most, let pair = try? SocketPair(CInt(SOCK_STREAM.rawValue)),
      let process = try? HelperProcess("/proc/self/exe", [option, "\(number)", type], at: pair.theirs.raw)
    else { return nil }
    defer { process.end() }
    let socket = pair.takeOurs()
    return send(bytes, to: socket.raw, until: until) ? receive(from: socket.raw, until: until) : nil
  }

  private static func send(_ bytes: [UInt8], to socket: CInt, until: Instant) -> Bool {
    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    var sent = 0
    while sent < bytes.count {
      let n = bytes.withUnsafeBytes { CLinux.send(socket, $0.baseAddress! + sent, $0.count - sent, flags) }
      if n > 0 { sent += n } else if !waits(for: socket, POLLOUT, until) { return false }
    }
    return shutdown(socket, CInt(SHUT_WR)) == 0
  }

  private static func receive(from socket: CInt, until: Instant) -> [UInt8]? {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    while all.count <= most {
      let n = recv(socket, &part, part.count, CInt(MSG_DONTWAIT))
      if n == 0 { return all.isEmpty ? nil : all }
      if n > 0 { all += part[..<n] } else if !waits(for: socket, POLLIN, until) { return nil }
    }
    return nil
  }

  /// Waits, after a call that had no effect, until it can succeed.
  ///
  /// - Returns: false if it never will, or the time is up.
  private static func waits(for socket: CInt, _ event: CInt, _ until: Instant) -> Bool {
    guard [EAGAIN, EINTR].contains(clinux_errno()) else { return false }
    let left = until - MonotonicClock.now()
    guard left > .zero else { return false }
    var entry = pollfd(fd: socket, events: Int16(event), revents: 0)
    return poll(&entry, 1, CInt(left.microseconds / 1000 + 1)) != 0
  }

  // MARK: The process

  /// Reads a picture from a socket to its end, and writes it there as a PNG file.
  static func run(_ socket: CInt, type: String) {
    limitItself()
    guard let bytes = readAll(socket), let png = converted(bytes, type) else { return }
    var sent = 0
    while sent < png.count {
      let n = png.withUnsafeBytes { CLinux.send(socket, $0.baseAddress! + sent, $0.count - sent, CInt(MSG_NOSIGNAL)) }
      guard n > 0 else { return }
      sent += n
    }
  }

  private static func limitItself() {
    // The seconds after which the process is killed, whatever it waits for.
    alarm(UInt32(patience.seconds))
    func limit(_ what: __rlimit_resource, _ most: UInt) {
      var value = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
      setrlimit(__rlimit_resource_t(what.rawValue), &value)
    }
    limit(RLIMIT_CPU, 8)
    limit(RLIMIT_AS, 1 << 30)
    // Sockets are not files: this does not limit them.
    limit(RLIMIT_FSIZE, 0)
    limit(RLIMIT_CORE, 0)
    clinux_be_nice(10)
  }

  private static func readAll(_ socket: CInt) -> [UInt8]? {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    while all.count <= most {
      let n = recv(socket, &part, part.count, 0)
      if n == 0 { return all }
      guard n > 0 else { return nil }
      all += part[..<n]
    }
    return nil
  }

  private static func converted(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
    var picture = cpixbuf_picture()
    var problem = cpixbuf_problem()
    let isDecoded = bytes.withUnsafeBytes {
      cpixbuf_decode($0.baseAddress, $0.count, type, 32_767, maxPixels, &picture, &problem)
    }
    guard isDecoded, let pixels = picture.pixels else { return nil }
    defer { free(pixels) }
    var png: UnsafeMutableRawPointer?
    var count = 0
    guard cpixbuf_encode(pixels, picture.width, picture.height, "png", &png, &count, &problem), let png else {
      return nil
    }
    defer { free(png) }
    return Array(UnsafeRawBufferPointer(start: png, count: count))
  }
}
