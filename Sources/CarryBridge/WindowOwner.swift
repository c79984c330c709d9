/// Who has a window. One process may have many connections to the X server.
enum WindowOwner: Hashable {
  case process(Int32)
  /// Of a process that the X server does not know.
  case connection(UInt32)
}

extension XConnection {
  /// Asks the X server.
  func owner(of window: UInt32) -> WindowOwner {
    process(of: window).map { .process($0) } ?? .connection(window & ~idMask)
  }
}
