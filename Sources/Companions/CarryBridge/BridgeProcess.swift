import CLinux
import CX11
import Carry
import CarryCompanion
package import CarryModel
import CarrySystem
import CarryX

/// The bridge process, which the engine starts and monitors.
package enum BridgeProcess {
  /// The argument with which this program converts a picture to PNG for the bridge, and the code that does so.
  package static let pictureOption = PictureConversion.option
  package static func convertPicture(_ socket: CInt, type: String) { PictureConversion.run(socket, type: type) }

  /// Runs until the engine or the X server disconnects.
  ///
  /// - Parameter socket: The connection to the engine. The process takes ownership of it.
  package static func run(displayName: String?, engine socket: CInt) throws(Problem) {
    let x = try XConnection(name: displayName)
    let engine: BridgeClient
    do { engine = try BridgeClient("Other applications", opened: socket) } catch { throw Problem(error.description) }
    let client = engine.client
    let bridge = Bridge(engine, x)
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
      // Sends requests and replies made meanwhile. Events that arrived together with replies are in Xlib's queue,
      // which `EventWait` checks: a turn may have ended before they were handled.
      XFlush(x.display)
      guard (try? client.flush()) != nil else { return bridge.stop() }
      EventWait.wait(for: x.display, and: client.fileDescriptor, until: .earliest(bridge.nextDeadline, startupCode.due))
    }
  }
}
