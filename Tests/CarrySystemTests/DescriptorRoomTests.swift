import CLinux
import CarrySystem
import Testing

/// How many more descriptors a process may have.
@Suite struct DescriptorRoomTests {
  @Test(
    "descriptors are scarce once more than half of those that the process may have are in use, and at the limit")
  func scarce() async {
    // In a process of its own, because the limit is a process's.
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 100, rlim_max: 100)
      try check("setrlimit") { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
      #expect(!DescriptorRoom.isScarce)
      var opened: [CInt] = []
      while opened.last ?? 0 < 50 { opened.append(try check("dup") { dup(0) }) }
      #expect(DescriptorRoom.isScarce)
      while case let fd = dup(0), fd >= 0 { opened.append(fd) }
      #expect(DescriptorRoom.isScarce)
      for fd in opened { close(fd) }
      #expect(!DescriptorRoom.isScarce)
    }
  }
}
