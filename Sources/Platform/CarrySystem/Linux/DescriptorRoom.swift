import CLinux

/// How many more descriptors the process may open.
package enum DescriptorRoom {
  /// Whether more than half of them are in use, judging by the lowest free number. New work may still open some, and
  /// the program has other work.
  package static var isScarce: Bool {
    var most = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 else { return false }
    let lowest = clinux_open("/", clinux_o_path() | O_CLOEXEC, 0)
    guard lowest >= 0 else { return true }
    close(lowest)
    return UInt64(lowest) > UInt64(most.rlim_cur) / 2
  }
}
