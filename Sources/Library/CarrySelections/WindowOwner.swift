import CXcb

/// The program that owns a window. One process may have many connections to the X server.
package enum WindowOwner: Hashable, Sendable {
  case process(Int32)
  /// The X server does not know the process, for example on another machine.
  case connection(UInt32)
}

extension SelectionConnection {
  /// The process that created a window; nil if the X server does not know it. Queries the server.
  package func process(of window: UInt32) -> Int32? {
    let process = cxcb_process(raw, window)
    return process > 0 ? process : nil
  }

  /// The owner of a window. Queries the X server.
  package func maker(of window: UInt32) -> WindowOwner {
    let process = knowsProcesses ? process(of: window) : nil
    return process.map { .process($0) } ?? .connection(connection(of: window))
  }
}
