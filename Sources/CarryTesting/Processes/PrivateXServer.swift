import CLinux
import CarryModel
package import CarrySystem

/// An X server without a screen of its own, alone for one test: it picks a free display number itself.
package final class PrivateXServer {
  /// Such as ":7".
  package let display: String
  package let process: ChildProcess

  package init(width: Int = 1280, height: Int = 800) throws(SystemError) {
    let pipe = try Pipe()
    // Nothing here draws with GLX, and for it each server would load a whole compiler (LLVM) first.
    process = try ChildProcess(
      [
        "Xvfb", "-displayfd", "3", "-screen", "0", "\(width)x\(height)x24", "-noreset", "-nolisten", "tcp", "-dpi",
        "96", "-extension", "GLX",
      ], descriptors: [pipe.write.raw])
    // Otherwise the pipe would not end with an Xvfb that cannot start.
    let reading = pipe.takeReading()
    // It writes the digits and the end of the line separately.
    var buffer: [UInt8] = []
    guard let number = LineReader.next(from: reading.raw, &buffer, seconds: 20), !number.isEmpty else {
      throw SystemError(code: ETIMEDOUT, call: "Xvfb -displayfd")
    }
    display = ":" + number
  }

  // Killed, it would leave its lock and its socket behind.
  deinit { process.stop() }
}

/// A compositing manager on a private server.
package final class Compositor {
  package enum Kind: String, CaseIterable, Sendable { case picom, xcompmgr }

  package let process: ChildProcess

  /// Starts one and waits until it draws.
  ///
  /// - Parameter waitsUntilItDraws: false where it is enough that the manager is there.
  package convenience init(
    _ kind: Kind, on server: PrivateXServer, _ more: [String] = [], waitsUntilItDraws: Bool = true
  ) throws(SystemError) {
    try self.init(kind, onDisplay: server.display, more, waitsUntilItDraws: waitsUntilItDraws)
  }

  /// The same on any display.
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

  /// Waits until what is translucent looks so. A manager owns its selection before it knows all windows, and one that comes
  /// meanwhile it may never draw.
  private static func draws(_ client: XClient) -> Bool {
    let side = 4
    let corner = Rect(x: 0, y: 0, width: Double(side), height: Double(side))
    return (0..<10).contains { _ in
      // Half a black over white; all of it without a manager.
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
