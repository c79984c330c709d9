import CarryModel
import CarryWireServer

/// The fingers that a program plays, in an engine that was started for tests.
final class PlayedFingers: PlayedTouchscreen {
  private unowned let input: Input
  private let device: DeviceID
  private var contacts: [UInt32: ContactID] = [:]

  init(_ input: Input) {
    self.input = input
    device = input.fingers.addDevice("carry play")
  }

  func handle(finger: UInt32, _ phase: Touch.Phase, _ point: Point) {
    // A finger that is down already only moves, and one that is up stays up.
    guard (contacts[finger] == nil) == (phase == .began) else { return }
    let contact = contacts[finger] ?? input.newContact()
    contacts[finger] = phase == .began || phase == .moved ? contact : nil
    input.handle(
      Touch(
        id: contact, phase: phase, point: point, scale: input.layout.scale, device: device, time: input.options.now()))
  }

  func remove() { input.lose(device, at: input.options.now()) }
}
