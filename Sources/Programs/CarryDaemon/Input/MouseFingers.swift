import CarryModel

/// Mice and pens as fingers (Z31). A finger comes down with a click that the gate follows, moves with the pointer,
/// and goes up with the button.
final class MouseFingers {
  private struct Finger {
    let click: UInt32
    let contact: ContactID
    let tool: Touch.Tool
    var point: Point
  }

  private unowned let owner: any ClickOwner
  /// The devices of the fingers, shown by monitors; created with the first finger.
  private var devices: [(tool: Touch.Tool, id: DeviceID)] = []
  private var down: [Finger] = []
  /// The fingers whose clicks the applications have. They are cancelled in the next `sayEnds`, because the engine may
  /// be handling a finger when it decides.
  private var ends: [ContactID] = []

  init(_ owner: any ClickOwner) { self.owner = owner }

  func began(_ click: UInt32, _ contact: ContactID, at point: Point, tool: Touch.Tool, time: Instant) {
    down.append(Finger(click: click, contact: contact, tool: tool, point: point))
    owner.handle(touch(contact, .began, point, tool, time))
  }

  func moved(_ click: UInt32, to point: Point, time: Instant) {
    guard let i = down.firstIndex(where: { $0.click == click }) else { return }
    down[i].point = point
    let finger = down[i]
    owner.handle(touch(finger.contact, .moved, point, finger.tool, time))
  }

  func released(_ click: UInt32, at point: Point, time: Instant) {
    guard let i = down.firstIndex(where: { $0.click == click }) else { return }
    let finger = down.remove(at: i)
    // A mouse that has not moved must not cause another question to the target.
    if point != finger.point { owner.handle(touch(finger.contact, .moved, point, finger.tool, time)) }
    owner.handle(touch(finger.contact, .ended, point, finger.tool, time))
  }

  /// Makes a click add the item under it to a session.
  func tap(_ contact: ContactID, at point: Point, time: Instant) {
    owner.handle(touch(contact, .began, point, .addingClick, time))
    owner.handle(touch(contact, .ended, point, .addingClick, time))
  }

  // MARK: Ends

  /// The application has the click, so the finger is no longer tracked.
  func ended(_ click: UInt32) {
    guard let i = down.firstIndex(where: { $0.click == click }) else { return }
    ends.append(down.remove(at: i).contact)
  }

  /// The application has the click although the engine had not decided: the finger lifts and adds nothing.
  func gaveAway(_ click: UInt32, _ contact: ContactID) {
    ended(click)
    if !ends.contains(contact) { ends.append(contact) }
  }

  func cancelAll() {
    ends += down.map(\.contact)
    down = []
  }

  /// Whether `sayEnds` has something to do.
  var hasEnded: Bool { !ends.isEmpty }

  /// Cancels the fingers whose clicks the applications have.
  func sayEnds(at now: Instant) {
    while let contact = ends.popLast() {
      owner.handle(Touch(id: contact, phase: .cancelled, point: .zero, time: now))
    }
  }

  private func touch(
    _ contact: ContactID, _ phase: Touch.Phase, _ point: Point, _ tool: Touch.Tool, _ time: Instant
  ) -> Touch {
    Touch(
      id: contact, phase: phase, point: point, scale: owner.clickScale, device: device(of: tool), time: time,
      tool: tool)
  }

  private func device(of tool: Touch.Tool) -> DeviceID {
    if let known = devices.first(where: { $0.tool == tool }) { return known.id }
    let id = owner.addDevice(tool == .pen ? "pen" : "mouse")
    devices.append((tool, id))
    return id
  }
}
