import CLinux
package import CarryModel

/// Releases the memory of code and constants that only the start needed, once a process has started and is idle.
///
/// For a process that will wait for a long time: the start runs most of the code once, and idling runs almost none.
package struct StartupCode {
  /// When to release it; nil once done.
  package private(set) var due: Instant?

  /// The time from the beginning of a process to the end of its start. By then it has communicated with all others.
  private static let start = Interval.seconds(1)

  package init(at now: Instant) { due = now + Self.start }

  package mutating func advance(to now: Instant) {
    guard let due, due <= now else { return }
    self.due = nil
    Self.release()
  }

  /// Removes the pages of all program code and constants from this process's memory. The kernel keeps them in its
  /// page cache, and pages needed again return one by one, at a fraction of a microsecond each. The corresponding C
  /// functions are `madvise` and `malloc_trim`.
  private static func release() {
    // Only segments that were never writable: dropping a changed page would lose the change.
    clinux_each_read_only_segment { start, size in _ = madvise(start, size, CInt(MADV_DONTNEED)) }
    clinux_trim_heap()
  }
}
