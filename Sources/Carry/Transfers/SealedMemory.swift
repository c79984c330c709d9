import CLinux
import CarrySystem

/// Small payloads: one piece of memory that nobody can change any more.
enum SealedMemory {
  /// Up to this size it costs less to read it than to have a thread read it.
  private static let small = 64 * 1024

  /// Whether a stranger's descriptor is such memory, and little enough to be read and closed on the client's thread. Nobody
  /// can make its reader wait, as for a file, but for a few pages that the kernel has swapped out.
  static func isSmall(_ fd: CInt) -> Bool {
    var status = stat()
    // It may have more pages than its size says, and who closes it last frees them: 0.2 s for 1 GiB.
    return PassedDescriptor.isSafe(fd, .memory) && fstat(fd, &status) == 0 && status.st_size <= small
      && status.st_blocks <= 2 * small / 512
  }

  static func make(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let fd = Descriptor(
      owning: try check("memfd_create") {
        clinux_memfd_create("carry")
      })
    // Written, not mapped: a page's first touch through a mapping costs more than the copy.
    var sent = 0
    while sent < bytes.count {
      let n = try check("write") { bytes.withUnsafeBytes { write(fd.raw, $0.baseAddress! + sent, $0.count - sent) } }
      sent += n
    }
    let seals = CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE | CLINUX_SEAL_SEAL
    try check("fcntl(F_ADD_SEALS)") { clinux_add_seals(fd.raw, CInt(seals)) }
    return fd
  }
}
