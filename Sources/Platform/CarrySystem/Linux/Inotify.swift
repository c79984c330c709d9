import CLinux

/// The kernel's events about changed files and directories. The corresponding C functions are those of inotify(7).
package final class Inotify: Sendable {
  /// A change of a watched file or directory.
  package struct Event {
    /// The result of `watch`; -1 if events were lost.
    package var watch: CInt
    package var mask: UInt32
    /// The name of the entry in a watched directory; empty if the watched file or directory itself changed.
    package var name: String

    /// Whether the kernel has dropped events, so that anything may have changed.
    package var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
  }

  private let queue: Descriptor

  package init() throws(SystemError) {
    queue = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)) })
  }

  /// Readable when there are events.
  package var descriptor: CInt { queue.raw }

  /// Watches a path, under the same number if it is already watched; -1 if the path does not exist.
  package func watch(_ path: String, _ mask: UInt32) -> CInt { inotify_add_watch(queue.raw, path, mask) }

  package func forget(_ watch: CInt) { inotify_rm_watch(queue.raw, watch) }

  /// Calls `body` with the pending events, without waiting. Reads a few hundred at most, so that a storm of events
  /// does not block the caller's loop.
  package func read(_ body: (Event) -> Void) {
    let header = MemoryLayout<inotify_event>.size
    let size = 4096
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return }
      for _ in 0..<16 {
        let n = CLinux.read(queue.raw, base, size)
        guard n > 0 else { return }
        var at = 0
        while at + header <= n {
          let event = buffer.load(fromByteOffset: at, as: inotify_event.self)
          let end = min(n, at + header + Int(event.len))
          // The kernel pads names with NULs.
          let name = String(decoding: buffer[(at + header)..<end].prefix { $0 != 0 }, as: UTF8.self)
          body(Event(watch: event.wd, mask: event.mask, name: name))
          at = end
        }
      }
    }
  }
}
