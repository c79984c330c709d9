import CLinux

/// How many more descriptors the process may have, and pass on.
package enum DescriptorRoom {
  /// Whether more than half of them are in use, as the lowest free number tells: what is begun now may still open some, and the
  /// program has other work.
  package static var isScarce: Bool {
    var most = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 else { return false }
    let lowest = clinux_open("/", clinux_o_path() | O_CLOEXEC, 0)
    guard lowest >= 0 else { return true }
    close(lowest)
    return UInt64(lowest) > UInt64(most.rlim_cur) / 2
  }

  /// Whether the kernel passes descriptors on to another process now. While the user's processes have more of them under way,
  /// sent and not received, than this process may have open, the kernel does not (ETOOMANYREFS, unix(7)), whosever they are.
  package static var canBePassed: Bool {
    guard let pair = try? SocketPair(CInt(SOCK_STREAM.rawValue)) else { return true }
    // No socket: with many sockets under way the kernel first collects those that nobody can receive any more.
    var event = eventfd(0, CInt(EFD_CLOEXEC))
    guard event >= 0 else { return true }
    defer { close(event) }
    var byte: UInt8 = 0
    return clinux_send_descriptors(pair.ours.raw, &byte, 1, &event, 1) == 1 || clinux_errno() != ETOOMANYREFS
  }
}
