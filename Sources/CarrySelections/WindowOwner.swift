import CXcb

/// Who has a window. One process may have many connections to the X server.
package enum WindowOwner: Hashable, Sendable {
  case process(Int32)
  /// Of a process that the X server does not know, as of another machine's.
  case connection(UInt32)
}

extension SelectionConnection {
  /// The process that made a window; nil where the X server cannot tell. Asks it.
  package func process(of window: UInt32) -> Int32? {
    let process = cxcb_process(raw, window)
    return process > 0 ? process : nil
  }

  /// Who made a window. Asks the X server.
  package func maker(of window: UInt32) -> WindowOwner {
    let process = knowsProcesses ? process(of: window) : nil
    return process.map { .process($0) } ?? .connection(connection(of: window))
  }
}
