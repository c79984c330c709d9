import CLinux
import CarrySystem

/// A folder with one file, for tests of what several programs do with it. The folder is gone after the test.
package final class LetterFolder {
  package let path = "/tmp/carry-coordination-\(ProcessID.own)-\(UInt32.random(in: 0 ... .max))"
  package var file: String { path + "/letter.txt" }

  package init() throws {
    try check("mkdir", path) { mkdir(path, 0o700) }
    try write("one")
  }

  deinit { _ = try? ChildProcess(["rm", "-rf", path]).waitForExit(seconds: 10) }

  package func write(_ text: String, to name: String = "letter.txt") throws {
    let fd = try Descriptor.open("\(path)/\(name)", O_CREAT | O_TRUNC | O_WRONLY, mode: 0o600)
    _ = Array(text.utf8).withUnsafeBytes { CLinux.write(fd.raw, $0.baseAddress, $0.count) }
  }
}
