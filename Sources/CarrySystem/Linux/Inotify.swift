import CLinux

/// The kernel's news about files and directories. The corresponding C functions are those of inotify(7).
package final class Inotify {
  /// What happened to something that is watched.
  package struct Event {
    /// What `watch` answered; -1 when events were lost.
    package var watch: CInt
    package var mask: UInt32
    /// Of the entry in a watched directory; empty when it happened to the watched thing itself.
    package var name: String

    /// Whether more happened than the kernel kept: anything may be different now.
    package var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
  }

  private let queue: Descriptor

  package init() throws(SystemError) {
    queue = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)) })
  }

  /// Readable when there are events.
  package var descriptor: CInt { queue.raw }

  /// Watches a path from now on, under the same number if it is watched already; -1 when it is not there.
  package func watch(_ path: String, _ mask: UInt32) -> CInt { inotify_add_watch(queue.raw, path, mask) }

  package func forget(_ watch: CInt) { inotify_rm_watch(queue.raw, watch) }

  /// Calls `body` with what has happened, without waiting: a few hundred events at the most, so that a storm does not
  /// keep the caller's loop from everything else.
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
          // The kernel pads names with zeros.
          let name = String(decoding: buffer[(at + header)..<end].prefix { $0 != 0 }, as: UTF8.self)
          body(Event(watch: event.wd, mask: event.mask, name: name))
          at = end
        }
      }
    }
  }
}
