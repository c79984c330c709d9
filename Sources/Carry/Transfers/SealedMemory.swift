import CLinux
import CarrySystem

/// Small payloads: one piece of memory that nobody can change any more.
enum SealedMemory {
  /// Up to this size it costs less to read it than to have a thread read it.
  private static let small = 64 * 1024

  /// Whether a stranger's descriptor is such memory, and little enough to be read on the client's thread. Memory never keeps
  /// its reader waiting, as a file may.
  static func isSmall(_ fd: CInt) -> Bool {
    PassedDescriptor.isSafe(fd, .memory) && PassedDescriptor.size(of: fd).map { $0 <= small } == true
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
