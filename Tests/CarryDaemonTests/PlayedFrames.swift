import CarryContacts
import CarryEvdev
import CarryModel

@testable import CarryDaemon

/// Frames that a test hands out, on a clock of its own.
final class PlayedFrames: FrameSource {
  let description: DeviceDescription
  var nextTime: Instant?
  var waiting: [ContactFrame] = []
  var state: ContactFrame?
  var isGone = false

  init(_ description: DeviceDescription) { self.description = description }

  func advance(to now: Instant, _ body: (ContactFrame) -> Void) {}

  func readFrames(_ body: (ContactFrame) -> Void) throws(DeviceError) {
    let frames = waiting
    waiting = []
    for frame in frames { body(frame) }
    if isGone { throw DeviceError(node: "node", reason: .gone, explanation: "gone") }
  }

  func askForState(_ body: (ContactFrame) -> Void) throws(DeviceError) { if let state { body(state) } }

  func frame(_ phase: Contact.Phase, _ id: UInt32, _ x: Int32, _ y: Int32, isClicked: Bool = false, at time: Instant) {
    let contact = Contact(id: ContactID(id), slot: 0, phase: phase, x: x, y: y)
    waiting.append(
      ContactFrame(
        time: time, contacts: [contact], keys: TrackpadKeys(isButtonDown: isClicked, fingerCount: 1)))
  }
}
