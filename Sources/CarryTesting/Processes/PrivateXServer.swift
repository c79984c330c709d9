import CLinux
package import CarrySystem

/// An X server without a screen of its own, alone for one test: it picks a free display number itself.
package final class PrivateXServer {
  /// Such as ":7".
  package let display: String
  package let process: ChildProcess

  package init(width: Int = 1280, height: Int = 800) throws(SystemError) {
    let pipe = try Pipe()
    process = try ChildProcess(
      [
        "Xvfb", "-displayfd", "3", "-screen", "0", "\(width)x\(height)x24", "-noreset", "-nolisten", "tcp", "-dpi",
        "96",
      ], descriptors: [pipe.write.raw])
    // It writes the digits and the end of the line separately.
    var buffer: [UInt8] = []
    guard let number = LineReader.next(from: pipe.read.raw, &buffer, seconds: 20), !number.isEmpty else {
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

  /// Starts one and waits until it owns the screen's manager selection.
  package convenience init(_ kind: Kind, on server: PrivateXServer, _ more: [String] = []) throws(SystemError) {
    try self.init(kind, onDisplay: server.display, more)
  }

  /// The same on any display.
  package init(_ kind: Kind, onDisplay display: String, _ more: [String] = []) throws(SystemError) {
    let arguments: [String] =
      switch kind {
      case .picom: ["picom", "--backend", "xrender", "--config", "/dev/null"]
      case .xcompmgr: ["xcompmgr", "-n"]
      }
    process = try ChildProcess(arguments + more, environment: ["DISPLAY": display])
    guard let client = XClient(display) else {
      throw SystemError(code: ECONNREFUSED, call: "XOpenDisplay", subject: display)
    }
    guard Wait.until(seconds: 20, { client.hasOwner("_NET_WM_CM_S0") }) else {
      throw SystemError(code: ETIMEDOUT, call: kind.rawValue)
    }
  }
}
