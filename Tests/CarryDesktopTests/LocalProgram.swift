import Carry
import CarryModel
import CarryTesting

extension DesktopTests {
  /// An application in this very process, over the real engine: its client, its windows, and what it is called back with.
  class LocalProgram {
    let client: Client
    var calls: [String] = []
    var regions: [Region] = []
    private let desktop: Desktop

    init(_ desktop: Desktop, _ client: Client) {
      self.desktop = desktop
      self.client = client
    }

    convenience init(_ desktop: Desktop, _ name: String) throws {
      self.init(desktop, try Client(name: name, socket: desktop.socket))
    }

    /// A window of one colour that is a region as a whole.
    @discardableResult
    func region(_ rect: CarryModel.Rect, color: UInt32 = 0x3366CC, _ interactions: [any Interaction]) -> Region {
      let window = desktop.client.makeWindow(rect, color: color)
      desktop.client.sync()
      return region(
        window, Carry.Rect(x: 0, y: 0, width: Int(rect.width), height: Int(rect.height)), interactions)
    }

    @discardableResult
    func region(_ window: CarryModel.WindowID, _ frame: Carry.Rect, _ interactions: [any Interaction]) -> Region {
      let region = Region(client: client, window: window.raw, frame: frame)
      for i in interactions { region.addInteraction(i) }
      regions.append(region)
      return region
    }

    /// Runs applications until something holds.
    static func run(_ apps: [LocalProgram], seconds: Double = 20, until condition: () -> Bool) -> Bool {
      for app in apps { try? app.client.flush() }
      return Wait.until(seconds: seconds, descriptor: apps.first?.client.fileDescriptor ?? -1) {
        for app in apps { app.client.dispatchIfReady() }
        return condition()
      }
    }

    func run(seconds: Double = 20, until condition: () -> Bool) -> Bool {
      Self.run([self], seconds: seconds, until: condition)
    }
  }
}

extension Client {
  /// Handles what has come, as `run` does: only when the descriptor says that there is something. A loop that turns by
  /// itself hides that nobody would ever wake it.
  func dispatchIfReady() { if Wait.isReadable(fileDescriptor) { try? dispatch() } }
}
