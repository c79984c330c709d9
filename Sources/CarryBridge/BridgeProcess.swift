import CLinux
import CX11
import Carry
package import CarryModel
import CarrySystem
import CarryX

/// The process of the bridge, which the engine starts and watches.
package enum BridgeProcess {
  /// The argument by which this program makes a PNG file of a picture for the bridge, and what it does then.
  package static let pictureOption = PictureConversion.option
  package static func convertPicture(_ socket: CInt, type: String) { PictureConversion.run(socket, type: type) }

  /// Runs until the engine or the X server is gone.
  ///
  /// - Parameter engine: the connection to the engine, which the process owns from now on.
  package static func run(displayName: String?, engine: CInt) throws(Problem) {
    let x = try XConnection(name: displayName)
    let client: Client
    do { client = try Client(bridge: "Other applications", opened: engine) } catch { throw Problem(error.description) }
    let bridge = Bridge(client, x)
    bridge.start()
    Log.info("the bridge runs")
    var startupCode = StartupCode(at: MonotonicClock.now())
    while true {
      let now = MonotonicClock.now()
      startupCode.advance(to: now)
      bridge.advance(to: now)
      do { try client.dispatch() } catch { return bridge.stop() }
      bridge.dispatch()
      if bridge.isLost { return bridge.stop() }
      // Requests to the X server, and answers that were made meanwhile. Events that came with what the X server was asked go
      // to Xlib's queue, in which `EventWait` looks: a turn may have ended before they were reached.
      XFlush(x.display)
      guard (try? client.flush()) != nil else { return bridge.stop() }
      EventWait.wait(for: x.display, and: client.fileDescriptor, until: .earliest(bridge.nextDeadline, startupCode.due))
    }
  }
}
