package import CLinux
import CarrySystem

/// The processes of the tests and their children.
package enum ProcessID {
  package static let own: Int32 = getpid()

  /// The children of a process.
  package static func children(of process: pid_t) -> [pid_t] {
    Files.list("/proc").compactMap { pid_t($0) }.filter { child in
      guard let bytes = try? Files.readStart("/proc/\(child)/stat", most: 4096) else { return false }
      // The program's name, in parentheses, may contain anything. The parent is the second field after it.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && pid_t(fields[1]) == process
    }
  }

  /// The arguments that a process was started with.
  package static func arguments(of process: pid_t) -> [String] {
    guard let bytes = try? Files.readStart("/proc/\(process)/cmdline", most: 1 << 16) else { return [] }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
