import CLinux
import CarryModel
package import CarrySystem

/// A client that encodes the wire format by hand, so that it can send what no library would.
package final class RawClient {
  package let socket: Descriptor
  /// Received but not yet decoded bytes.
  package var received: [UInt8] = []

  package init(_ path: String) throws { socket = try SocketListener.connect(to: path) }

  /// Creates a client on an existing connection.
  package init(on socket: consuming Descriptor) { self.socket = socket }

  /// A message: header and words.
  package static func message(_ object: UInt32, _ opcode: UInt16, _ body: [UInt8] = []) -> [UInt8] {
    words([object, UInt32(8 + body.count) << 16 | UInt32(opcode)]) + body
  }

  package static func words(_ list: [UInt32]) -> [UInt8] {
    list.flatMap { w in withUnsafeBytes(of: w.littleEndian) { Array($0) } }
  }

  package static func string(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes + [0]
    while padded.count % 4 != 0 { padded.append(0) }
    return words([UInt32(bytes.count + 1)]) + padded
  }

  package static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }

  /// Sends bytes, with descriptors attached to the first one; false if the other end is closed.
  @discardableResult
  package func send(_ bytes: [UInt8], descriptors: [CInt] = []) -> Bool {
    if !descriptors.isEmpty {
      return bytes.withUnsafeBytes {
        clinux_send_descriptors(socket.raw, $0.baseAddress, $0.count, descriptors, CInt(descriptors.count), 0)
      } >= 0
    }
    var sent = 0
    while sent < bytes.count {
      let n = bytes.withUnsafeBytes {
        CLinux.send(socket.raw, $0.baseAddress! + sent, $0.count - sent, CInt(MSG_NOSIGNAL))
      }
      if n <= 0 { return false }
      sent += n
    }
    return true
  }

  /// Registry 2, manager 3, hello: after this the client is an ordinary one.
  package func greet(hello: Bool = true) {
    send(Self.message(1, 1, Self.words([2])))
    send(Self.message(2, 0, Self.words([1]) + Self.string("carry_manager") + Self.words([1, 3])))
    if hello { send(Self.message(3, 1, Self.string("raw"))) }
  }

  /// Reads until the other end closes; false if it does not in time.
  package func isClosed(within seconds: Double = 5) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let end = MonotonicClock.now().seconds + seconds
    while true {
      let left = end - MonotonicClock.now().seconds
      if left <= 0 { return false }
      var p = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
      if poll(&p, 1, CInt(left * 1000) + 1) <= 0 { continue }
      let n = recv(socket.raw, &buffer, buffer.count, 0)
      if n <= 0 { return true }
    }
  }
}

/// Decodes the wire format by hand.
extension RawClient {
  /// A message from the engine: the object, the event, and the words that follow.
  package struct Event {
    package var object: UInt32
    package var opcode: UInt16
    package var words: [UInt32]
  }

  /// Waits for a message of an object and discards those before it. Nil if the other end closes, or on timeout.
  package func event(of object: UInt32, _ opcode: UInt16, within seconds: Double = 5) -> Event? {
    let end = MonotonicClock.now().seconds + seconds
    while true {
      while let event = takeEvent() { if event.object == object, event.opcode == opcode { return event } }
      guard receive(until: end) else { return nil }
    }
  }

  /// Waits for bytes, until a time in seconds; false if the other end closes, or on timeout.
  private func receive(until end: Double) -> Bool {
    let left = end - MonotonicClock.now().seconds
    var p = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
    guard left > 0, poll(&p, 1, CInt(left * 1000) + 1) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let n = recv(socket.raw, &bytes, bytes.count, 0)
    guard n > 0 else { return false }
    received += bytes.prefix(n)
    return true
  }

  /// The events before one of an object, such as the reply to a sync.
  package func events(before object: UInt32, within seconds: Double = 10) -> [Event] {
    let end = MonotonicClock.now().seconds + seconds
    var events: [Event] = []
    while true {
      while let event = takeEvent() {
        if event.object == object { return events }
        events.append(event)
      }
      guard receive(until: end) else { return events }
    }
  }

  private func takeEvent() -> Event? {
    func word(_ i: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(received[i * 4 + $1]) << UInt32($1 * 8) }
    }
    guard received.count >= 8 else { return nil }
    let size = Int(word(1) >> 16)
    guard size >= 8, received.count >= size else { return nil }
    defer { received.removeFirst(size) }
    return Event(object: word(0), opcode: UInt16(truncatingIfNeeded: word(1)), words: (2..<size / 4).map(word))
  }
}

extension RawClient {
  /// Reads what has arrived, without waiting; closes descriptors that came with it and returns how many there were.
  package func receive() -> Int {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var descriptors = [CInt](repeating: -1, count: 28)
    var count: CInt = 0
    let n = clinux_receive_descriptors(socket.raw, &bytes, bytes.count, &descriptors, 28, &count)
    if n > 0 { received += bytes.prefix(n) }
    for fd in descriptors.prefix(Int(count)) { close(fd) }
    return Int(count)
  }
}
