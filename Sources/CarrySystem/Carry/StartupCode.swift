import CLinux

/// Gives back the memory of code that only the start needed.
package enum StartupCode {
  /// Removes the pages of all program code from this process's memory. The kernel keeps them in its page cache, and code
  /// that runs again comes back page by page, at a fraction of a microsecond each.
  ///
  /// For a process that will wait for a long time: the start runs most of the code once, and idling runs almost none.
  /// The corresponding C functions are `madvise` and `malloc_trim`.
  package static func release() {
    // Only segments that nobody can have written to: dropping a changed page would lose the change.
    clinux_each_code_segment { start, size in _ = madvise(start, size, CInt(MADV_DONTNEED)) }
    clinux_trim_heap()
  }
}
