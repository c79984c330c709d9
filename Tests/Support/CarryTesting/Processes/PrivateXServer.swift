import CLinux
import CarryModel
package import CarrySystem

/// An X server without a physical screen, exclusive to one test. It picks a free display number itself.
package final class PrivateXServer {
  /// For example ":7".
  package let display: String
  package let process: ChildProcess

  package init(width: Int = 1280, height: Int = 800) throws(SystemError) {
    let pipe = try Pipe()
    // GLX is unused here, and each server would first load a compiler (LLVM) for it.
    process = try ChildProcess(
      [
        "Xvfb", "-displayfd", "3", "-screen", "0", "\(width)x\(height)x24", "-noreset", "-nolisten", "tcp", "-dpi",
        "96", "-extension", "GLX",
      ], descriptors: [pipe.write.raw])
    // Otherwise the pipe would not end if Xvfb cannot start.
    let reading = pipe.takeReading()
    // Xvfb writes the digits and the line end separately.
    var buffer: [UInt8] = []
    guard let number = LineReader.next(from: reading.raw, &buffer, seconds: 20), !number.isEmpty else {
      throw SystemError(code: ETIMEDOUT, call: "Xvfb -displayfd")
    }
    display = ":" + number
  }

  // If killed, it would leave its lock and socket behind.
  deinit { process.stop() }
}

/// A compositing manager on a private server.
package final class Compositor {
  package enum Kind: String, CaseIterable, Sendable { case picom, xcompmgr }

  package let process: ChildProcess

  /// Starts a manager and waits until it draws.
  ///
  /// - Parameter waitsUntilItDraws: False if it is enough that the manager owns its selection.
  package convenience init(
    _ kind: Kind, on server: PrivateXServer, _ more: [String] = [], waitsUntilItDraws: Bool = true
  ) throws(SystemError) {
    try self.init(kind, onDisplay: server.display, more, waitsUntilItDraws: waitsUntilItDraws)
  }

  /// Starts a manager on any display.
  package init(
    _ kind: Kind, onDisplay display: String, _ more: [String] = [], waitsUntilItDraws: Bool = true
  ) throws(SystemError) {
    let arguments: [String] =
      switch kind {
      case .picom: ["picom", "--backend", "xrender", "--config", "/dev/null"]
      case .xcompmgr: ["xcompmgr", "-n"]
      }
    process = try ChildProcess(arguments + more, environment: ["DISPLAY": display])
    guard let client = XClient(display) else {
      throw SystemError(code: ECONNREFUSED, call: "XOpenDisplay", subject: display)
    }
    guard Wait.until(seconds: 20, { client.hasOwner("_NET_WM_CM_S0") }),
      !waitsUntilItDraws || Self.draws(client)
    else {
      throw SystemError(code: ETIMEDOUT, call: kind.rawValue)
    }
  }

  /// Waits until translucent windows look translucent. A manager owns its selection before it knows all windows, and
  /// may never draw a window that appears in between.
  private static func draws(_ client: XClient) -> Bool {
    let side = 4
    let corner = Rect(x: 0, y: 0, width: Double(side), height: Double(side))
    return (0..<10).contains { _ in
      // Half-transparent black over white; opaque without a manager.
      let windows = [client.makeWindow(corner, color: 0xFFFFFF), client.makeAlphaWindow(corner, color: 0x8000_0000)]
      defer {
        for window in windows { window.map(client.destroy) }
        client.sync()
      }
      client.sync()
      return Wait.until(seconds: 2) {
        Screenshot(client.connection, client.root, side: side).map {
          $0[2, 2].distance(to: Screenshot.Color(127, 127, 127)) <= 6
        } ?? false
      }
    }
  }
}
