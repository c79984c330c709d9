import CLinux

/// The limits of this process's descriptor table.
package enum DescriptorTable {
  /// Whether `count` more descriptors could be opened now, tested by opening them. The corresponding C function is
  /// `fcntl`.
  package static func hasRoom(for count: Int) -> Bool {
    var opened: [CInt] = []
    defer { for fd in opened { close(fd) } }
    for _ in 0..<count {
      let fd = clinux_dup_above(STDERR_FILENO, 0)
      if fd < 0 { return clinux_errno() != EMFILE && clinux_errno() != ENFILE }
      opened.append(fd)
    }
    return true
  }

  /// How many descriptors the process may have.
  package static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }
}
