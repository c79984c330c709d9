import CLinux
package import CarrySystem

/// Small payloads: immutable memory.
package enum SealedMemory {
  /// Up to this size, reading costs less than handing the work to a thread.
  private static let small = 64 * 1024

  /// Whether a foreign descriptor is sealed memory, and small enough to read and close on the client's thread. Unlike
  /// a file, it cannot block its reader, except for a few pages that the kernel has swapped out.
  package static func isSmall(_ fd: CInt) -> Bool {
    var status = stat()
    // It may have more pages than its size says, and the last one to close it frees them: 0.2 s for 1 GiB.
    return PassedDescriptor.isSafe(fd, .memory) && fstat(fd, &status) == 0 && status.st_size <= small
      && status.st_blocks <= 2 * small / 512
  }

  package static func make(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let fd = Descriptor(
      owning: try check("memfd_create") {
        clinux_memfd_create("carry")
      })
    // Written, not mapped: the page faults of a mapping cost more than the copy.
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
