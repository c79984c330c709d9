package import CLinux
import CarrySystem

/// The processes of the tests and their children.
package enum ProcessID {
  package static let own: Int32 = getpid()

  /// The children of a process.
  package static func children(of process: pid_t) -> [pid_t] {
    Files.list("/proc").compactMap { pid_t($0) }.filter { child in
      let fields = status(of: child)
      return fields.count > 1 && pid_t(fields[1]) == process
    }
  }

  /// Whether SIGSTOP has stopped a process.
  package static func isStopped(_ process: pid_t) -> Bool { status(of: process).first == "T" }

  /// The fields of a process's status behind its name: its state, its parent and others.
  private static func status(of process: pid_t) -> [Substring] {
    guard let bytes = try? Files.readStart("/proc/\(process)/stat", most: 4096) else { return [] }
    // The program's name, in parentheses, may contain anything.
    return String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
  }

  /// The arguments that a process was started with.
  package static func arguments(of process: pid_t) -> [String] {
    guard let bytes = try? Files.readStart("/proc/\(process)/cmdline", most: 1 << 16) else { return [] }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
