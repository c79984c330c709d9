import CLinux
import CarrySystem

/// Small payloads: one piece of memory that nobody can change any more.
enum SealedMemory {
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
