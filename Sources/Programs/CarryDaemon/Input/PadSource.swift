import CarryContacts
import CarryEvdev
import CarryGestures
import CarryModel

/// Owns the trackpads, and the pointer that they move.
protocol PadOwner: TouchReceiver {
  /// A pad may have become idle or active; the owner checks `isActive`.
  func padChanged()
}

/// A trackpad: its fingers make one virtual finger on the screen, at the pointer.
final class PadSource: DeviceSource {
  let device: DeviceID
  private let frames: any FrameSource
  private unowned let owner: any PadOwner
  private var recognizer: TrackpadRecognizer
  /// The recogniser's output. The array is kept, so that frames allocate nothing.
  private var touches: [Touch] = []
  /// Whether the pad moves a virtual pointer, as recordings do, because they must mean the same everywhere.
  let hasOwnPointer: Bool

  init(
    _ frames: any FrameSource, _ device: DeviceID, _ settings: Settings, _ identifiers: ContactIDSource,
    hasOwnPointer: Bool, _ layout: ScreenLayout, _ owner: any PadOwner
  ) {
    (self.frames, self.device, self.hasOwnPointer) = (frames, device, hasOwnPointer)
    self.owner = owner
    let pointer = VirtualPointer(
      screen: layout.rect, pixelsPerMillimetre: settings.trackpad.pixelsPerMillimetre)
    recognizer = TrackpadRecognizer(
      frames.description, device, settings: settings, identifiers: identifiers,
      pointer: hasOwnPointer ? pointer : nil)
    recognizer.scale = layout.scale
  }

  // MARK: As a source

  var nextDeadline: Instant? { Instant.earliest(frames.nextTime, recognizer.nextDeadline) }

  func advance(to now: Instant) {
    if let due = recognizer.nextDeadline, due <= now { recognize { $0.advance(to: now, into: &$1) } }
    frames.advance(to: now) { handle($0) }
  }

  func read() throws(DeviceError) { try frames.readFrames { handle($0) } }

  func askForState() throws(DeviceError) { try frames.askForState { handle($0) } }

  func remap(_ layout: ScreenLayout) {
    recognizer.scale = layout.scale
    recognizer.resize(layout.rect)
  }

  // MARK: As a pad

  /// Whether a finger touches the pad or carries something. Only then the pointer's position matters.
  var isActive: Bool { recognizer.isActive }

  /// The virtual finger that the button holds down, and whether it carries something.
  var clicked: (contact: ContactID, isCarrying: Bool)? { recognizer.clicked }

  func apply(_ settings: Settings) { recognizer.apply(settings) }

  /// The pointer has moved to a point, in screen pixels.
  func pointerMoved(to point: Point, time: Instant) { recognize { $0.pointerMoved(to: point, time: time, into: &$1) } }

  /// Passes the recogniser the gesture that was recognised from its finger.
  func handle(_ event: GestureEvent) { recognizer.handle(event) }

  /// Ignores the finger from now on.
  func ignore(_ contact: ContactID) { recognizer.ignore(contact) }

  /// Cancels the pad's fingers.
  func cancel(at now: Instant) { recognize { $0.cancel(at: now, into: &$1) } }

  private func handle(_ frame: ContactFrame) { recognize { $0.handle(frame, into: &$1) } }

  /// Runs the recogniser, and forwards the touches that it makes.
  private func recognize(_ body: (inout TrackpadRecognizer, inout [Touch]) -> Void) {
    // Moved out of the property, because the receiver of the touches may call this object again.
    var told: [Touch] = []
    swap(&told, &touches)
    body(&recognizer, &told)
    for i in told.indices { owner.handle(told[i]) }
    told.removeAll(keepingCapacity: true)
    swap(&told, &touches)
    // Not only after frames: a pad also becomes idle when the wait for its finger is over, and when the pad is
    // removed.
    owner.padChanged()
  }
}
