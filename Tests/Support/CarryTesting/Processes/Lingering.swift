import CLinux
package import CarrySystem

/// A connection whose last descriptor takes up to 60 s to close, until the other end has read what was sent. It is
/// queued in a local socket, which is then passed on, unless it is bare: then it is passed on itself.
package final class Lingering {
  private let listener: Descriptor
  private var accepted: Descriptor?
  private var socket: Descriptor?

  package init(isBare: Bool = false) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let listener = Descriptor(owning: try check("socket") { CLinux.socket(AF_INET, kind, 0) })
    let sender = Descriptor(owning: try check("socket") { CLinux.socket(AF_INET, kind, 0) })
    let (there, here) = (listener.raw, sender.raw)
    // The receiver has room for a small part of what the sender holds, whenever the kernel passes it on.
    var (small, large) = (CInt(4096), CInt(1 << 18))
    setsockopt(there, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<CInt>.size))
    setsockopt(here, SOL_SOCKET, SO_SNDBUF, &large, socklen_t(MemoryLayout<CInt>.size))
    try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { p in
        try check("bind") { bind(there, p, length) }
        try check("listen") { listen(there, 1) }
        try check("getsockname") { getsockname(there, p, &length) }
        try check("connect") { connect(here, p, length) }
      }
    }
    accepted = Descriptor(owning: try check("accept") { accept(there, nil, nil) })
    var wait = linger(l_onoff: 1, l_linger: 60)
    setsockopt(here, SOL_SOCKET, SO_LINGER, &wait, socklen_t(MemoryLayout<linger>.size))
    let bytes = [UInt8](repeating: 0, count: 65_536)
    while send(here, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)) > 0 {}
    self.listener = listener
    guard !isBare else {
      socket = consume sender
      return
    }
    var pair: [CInt] = [-1, -1]
    let local = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, local, 0, &pair) }
    socket = Descriptor(owning: pair[0])
    let inner = Descriptor(owning: pair[1])
    var byte: UInt8 = 0
    try check("sendmsg") { CInt(clinux_send_descriptors(inner.raw, &byte, 1, [here], 1, 0)) }
    // The queued descriptor is now the last.
    _ = consume sender
    _ = consume inner
  }

  /// Passes it as the last of some descriptors; this process no longer has it.
  package func give(to client: RawClient, object: UInt32, behind others: [CInt] = []) {
    guard let raw = socket?.raw else { return }
    client.send(RawClient.message(1, 0, RawClient.words([object])), descriptors: others + [raw])
    socket = nil
  }

  /// Passes it with a message's first byte, which is sent out of band.
  package func giveOutOfBand(to client: RawClient, object: UInt32) throws {
    guard let raw = socket?.raw else { return }
    // CMSG_* are macros: the length of the header and one descriptor, SOL_SOCKET, SCM_RIGHTS.
    var control = [20, 0, Int32(SOL_SOCKET), 1, raw, 0]
    let message = RawClient.message(1, 0, RawClient.words([object]))
    var byte = message[0]
    try control.withUnsafeMutableBytes { control in
      try withUnsafeMutablePointer(to: &byte) { byte in
        var vector = iovec(iov_base: byte, iov_len: 1)
        try withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          try check("sendmsg") { CInt(sendmsg(client.socket.raw, &message, CInt(MSG_OOB))) }
        }
      }
    }
    client.send(Array(message.dropFirst()))
    socket = nil
  }

  /// Gives up ownership of the only descriptor.
  package func take() -> Descriptor {
    let fd = socket?.raw ?? -1
    let own = Descriptor(owning: clinux_dup_above(fd, 0))
    socket = nil
    return own
  }

  /// Closes the other end: closing no longer blocks.
  package func end() { accepted = nil }
}
