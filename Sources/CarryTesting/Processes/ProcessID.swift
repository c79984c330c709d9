import CLinux

/// Who runs the tests.
package enum ProcessID {
  package static let own: Int32 = getpid()
}
