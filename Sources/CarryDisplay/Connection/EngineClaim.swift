import CX11
package import CarryModel
import CarrySystem
import CarryX

/// What came of an engine's claim to a display.
package enum EngineClaim: Equatable, Sendable {
  case made
  /// Made, although another client had claimed the display: that client, in words, is no living engine.
  case madeOver(String)
  /// A living engine has claimed the display: its process.
  case refused(pid: Int32)
}

/// Tells every X client that a display has an engine: the owner of the selection `_CARRY_ENGINE_Sn`. Compositing managers
/// use the same method. Any client can own a selection, so the owner is believed only if it holds an engine's lock.
extension Display {
  /// Takes the selection, unless a living engine owns it.
  ///
  /// Some round trips. The server releases the selection when the connection closes, whatever happens to the process.
  /// `dispatch` reports `.claimLost` when another client takes the selection.
  ///
  /// - Parameter status: published with the claim, so that the next engine finds out whose the claim is.
  package func claimEngine(as status: EngineStatus) -> EngineClaim {
    let atom = XInternAtom(connection, EngineStatus.selection(screen: server.screen), 0)
    let window = XCreateSimpleWindow(connection, XDefaultRootWindow(connection), -1, -1, 1, 1, 0, 0, 0)
    engineWindow = WindowID(UInt32(truncatingIfNeeded: window))
    publish(status)
    // Whether an owner is an engine is asked outside of the grab, because the answer may take a while. Owners that change
    // again and again are no engines.
    for isLast in [false, false, true] where isAlive {
      let owner = XGetSelectionOwner(connection, atom)
      if let pid = engine(owning: owner) {
        XDestroyWindow(connection, window)
        engineWindow = nil
        return .refused(pid: pid)
      }
      // No other client may come between the question and the claim.
      XGrabServer(connection)
      let isSame = XGetSelectionOwner(connection, atom) == owner
      if isSame || isLast { XSetSelectionOwner(connection, atom, window, UInt(CurrentTime)) }
      XUngrabServer(connection)
      XSync(connection, 0)
      if isSame || isLast { return owner == 0 ? .made : .madeOver(words(on: owner)) }
    }
    // The server is gone, which `dispatch` reports.
    return .made
  }

  /// The process of the engine that serves this display; nil if there is none. A few round trips.
  package func servingEngine() -> Int32? {
    engine(
      owning: XGetSelectionOwner(connection, XInternAtom(connection, EngineStatus.selection(screen: server.screen), 0)))
  }

  /// The client that has the claim now, in words. A few round trips.
  func claimant() -> String {
    words(on: XGetSelectionOwner(connection, XInternAtom(connection, EngineStatus.selection(screen: server.screen), 0)))
  }

  /// The engine that made a window; nil when the window is no living engine's. Only the lock says who lives, and only the
  /// server says whose a window is.
  private func engine(owning window: CX11.Window) -> Int32? {
    guard window != 0, let pid = owner(of: WindowID(UInt32(truncatingIfNeeded: window))),
      let status = EngineStatus(of: window, on: connection), status.pid == pid,
      SocketListener.isTaken(status.socket, by: pid)
    else { return nil }
    return pid
  }

  private func words(on window: CX11.Window) -> String {
    guard window != 0 else { return "nobody" }
    guard let pid = owner(of: WindowID(UInt32(truncatingIfNeeded: window))) else {
      return "a client whose process is not known"
    }
    let name = (try? Files.readStart("/proc/\(pid)/comm", most: 64)) ?? []
    return "\(SafeText.displayable(String(decoding: name.prefix { $0 != 10 }, as: UTF8.self))) (process \(pid))"
  }

  /// Publishes the engine's status to every X client.
  package func publish(_ status: EngineStatus) {
    guard isAlive, let engineWindow else { return }
    let property = XInternAtom(connection, EngineStatus.property, 0)
    let type = XInternAtom(connection, "UTF8_STRING", 0)
    let bytes = Array(status.text.utf8)
    XChangeProperty(
      connection, UInt(engineWindow.raw), property, type, 8, PropModeReplace, bytes, CInt(clamping: bytes.count))
  }
}
