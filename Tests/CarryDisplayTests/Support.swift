import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting
import Testing

/// Every suite of this module: one after the other, since Xlib's error handlers belong to the whole process.
@Suite(.serialized, .timeLimit(.minutes(10))) enum DisplayTests {}

/// A server, our display on it, and another client.
struct Desk {
  let server: PrivateXServer
  let client: XClient
  let display: Display

  init(width: Int = 640, height: Int = 480) throws {
    server = try PrivateXServer(width: width, height: height)
    client = try #require(XClient(server.display))
    display = try Display(name: server.display)
  }

  init(server: PrivateXServer, client: XClient, display: Display) {
    (self.server, self.client, self.display) = (server, client, display)
  }

  /// Takes in events until the condition holds.
  func wait(seconds: Double = 10, _ condition: () -> Bool) -> Bool {
    Wait.until(seconds: seconds, descriptor: display.fileDescriptor) {
      display.dispatch { _ in }
      return condition()
    }
  }

  /// Both sides have seen everything.
  func settle() {
    client.sync()
    display.settle()
  }

  /// Waits until the screen shows everything that has been drawn: a compositing manager handles changes in their order,
  /// and the last ones are a small window that appears in the corner and disappears.
  func settleOnScreen() -> Bool {
    settle()
    let color = Screenshot.Color(255, 0, 255)
    let corner = client.makeWindow(Rect(x: 0, y: 0, width: 1, height: 1), color: 0xFF00FF)
    let appears = Wait.until { client.screenshot()?[0, 0] == color }
    client.destroy(corner)
    return appears && Wait.until { client.screenshot().map { $0[0, 0] != color } ?? false }
  }
}

func ms(_ n: Int) -> Instant { Instant(microseconds: Int64(n) * 1000) }
