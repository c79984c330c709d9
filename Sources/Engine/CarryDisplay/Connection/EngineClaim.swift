import CX11
package import CarryModel
import CarrySystem
import CarryX

/// The result of an engine's claim to a display.
package enum EngineClaim: Equatable, Sendable {
  case made
  /// Made, although another client had claimed the display: that client, described in words, is not a living engine.
  case madeOver(String)
  /// A living engine has claimed the display: its process.
  case refused(pid: Int32)
}

/// Announces to every X client that a display has an engine: the owner of the selection `_CARRY_ENGINE_Sn`, the
/// method that compositing managers use. Any client can own a selection, so the owner is believed only if it holds an
/// engine's lock.
extension Display {
  /// Takes the selection, unless a living engine owns it.
  ///
  /// Some round trips. The server releases the selection when the connection closes, whatever happens to the process.
  /// `dispatch` reports `.claimLost` when another client takes the selection.
  ///
  /// - Parameter status: published with the claim, so that the next engine can find its owner.
  package func claimEngine(as status: EngineStatus) -> EngineClaim {
    let atom = XInternAtom(connection, EngineStatus.selection(screen: server.screen), 0)
    let window = XCreateSimpleWindow(connection, XDefaultRootWindow(connection), -1, -1, 1, 1, 0, 0, 0)
    engineWindow = WindowID(UInt32(truncatingIfNeeded: window))
    publish(status)
    // Whether an owner is an engine is checked outside of the grab, because that may take a while. Owners that change
    // again and again are not engines.
    for isLast in [false, false, true] where isAlive {
      let owner = XGetSelectionOwner(connection, atom)
      if let pid = engine(owning: owner) {
        XDestroyWindow(connection, window)
        engineWindow = nil
        return .refused(pid: pid)
      }
      // No other client may act between the query and the claim.
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
  /// A description of the client that has the claim now. A few round trips.
  func claimant() -> String {
    words(on: XGetSelectionOwner(connection, XInternAtom(connection, EngineStatus.selection(screen: server.screen), 0)))
  }

  /// The engine that created a window; nil if the window does not belong to a living engine. Only the lock proves
  /// that an engine is alive, and only the server knows who created a window.
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
