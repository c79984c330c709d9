import CLinux
import Testing

enum Nonblocking {
  static func set(_ fd: CInt) throws {
    #expect(clinux_set_status_flags(fd, clinux_get_status_flags(fd) | O_NONBLOCK) == 0)
  }
}
