import CarryContacts
import CarryEvdev
import CarryGestures
import CarryModel

/// Has trackpads, and the pointer that they move.
protocol PadOwner: TouchReceiver {
  /// A pad came to rest, or is in use again; or neither: the owner looks.
  func padChanged()
}

/// A trackpad: its fingers make one on the screen, at the pointer.
final class PadSource: DeviceSource {
  let device: DeviceID
  private let frames: any FrameSource
  private unowned let owner: any PadOwner
  private var recognizer: TrackpadRecognizer
  /// What the recogniser makes of its input; kept, so that it costs no memory each time.
  private var touches: [Touch] = []
  /// Whether it moves a pointer of its own, as in recordings, which must mean the same everywhere.
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
    if let due = recognizer.nextDeadline, due <= now { tell { $0.advance(to: now, into: &$1) } }
    frames.advance(to: now) { handle($0) }
  }

  func read() throws(DeviceError) { try frames.readFrames { handle($0) } }

  func askForState() throws(DeviceError) { try frames.askForState { handle($0) } }

  func remap(_ layout: ScreenLayout) {
    recognizer.scale = layout.scale
    recognizer.resize(layout.rect)
  }

  // MARK: As a pad

  /// Whether any finger touches or anything is carried: when the pointer matters.
  var isActive: Bool { recognizer.isActive }

  /// The virtual finger that the button holds down, and whether it has lifted.
  var clicked: (contact: ContactID, isCarrying: Bool)? { recognizer.clicked }

  func apply(_ settings: Settings) { recognizer.apply(settings) }

  /// The pointer is somewhere else now, in screen pixels.
  func pointerMoved(to point: Point, time: Instant) { tell { $0.pointerMoved(to: point, time: time, into: &$1) } }

  /// What was made of a finger.
  func note(_ event: GestureEvent) { recognizer.note(event) }

  /// Nobody wants the finger.
  func ignore(_ contact: ContactID) { recognizer.ignore(contact) }

  /// Lets go of its fingers.
  func cancel(at now: Instant) { tell { $0.cancel(at: now, into: &$1) } }

  private func handle(_ frame: ContactFrame) { tell { $0.handle(frame, into: &$1) } }

  /// Tells the recogniser something, and hands on the fingers that it makes of it.
  private func tell(_ body: (inout TrackpadRecognizer, inout [Touch]) -> Void) {
    // Out of the object: whoever gets the fingers may come back here.
    var told: [Touch] = []
    swap(&told, &touches)
    body(&recognizer, &told)
    for i in told.indices { owner.take(told[i]) }
    told.removeAll(keepingCapacity: true)
    swap(&told, &touches)
    // Not with frames only: a pad also comes to rest when the wait for its finger is over, and when it goes.
    owner.padChanged()
  }
}
