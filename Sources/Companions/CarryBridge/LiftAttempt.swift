import Carry
import CarryModel
import CarrySelections
import CarryXdnd

/// One lift out of a window of another program: the state machine, the pointer, and the data.
final class LiftAttempt {
  /// What was lifted.
  struct Result {
    /// Keyed by the source's names of the types.
    var data: [String: [UInt8]]
    var offers: [ForeignTypes.Offer]
    /// The source's drag picture; nil if a finger would hide it.
    var picture: PreviewImage?
    /// The picture for the card shown instead; nil for an icon by type.
    var icon: PreviewImage?
    /// The source's process; nil if the X server does not know it.
    var process: Int32?
  }

  private let x: any LiftDisplay
  let reader: SelectionReader
  private var machine: ForeignLift
  private var effects: [ForeignLift.Effect] = []
  private let window: UInt32
  private let process: Int32?
  /// The frame of the pressed window.
  private let frame: CarryModel.Rect
  /// Where the button was pressed, in pixels of the screen.
  private var pressed = CarryModel.Point.zero
  /// Where the pointer was before the lift, and where it was put last.
  private let pointerBefore: CarryModel.Point
  private var pointer: CarryModel.Point
  /// The bridge's window that accepts the drag.
  let dropWindow: UInt32
  /// The source window of the drag; 0 before its first message.
  private var source: UInt32 = 0
  private var types = ForeignTypes([])
  private var wanted: [ForeignTypes.Offer] = []
  private var time: UInt32 = 0
  private var data: [String: [UInt8]] = [:]
  private var bytesLeft = Limits.foreignLiftBytes
  private var conversion: UInt32?
  /// Windows that the program has shown since the press; one of them is its drag picture.
  private var shown: [UInt32] = []
  private var picture: SeenPicture?
  private lazy var scale = x.scale
  /// Called when the lift takes over the touch.
  var onTouchTaken: (() -> Void)?
  /// Called last; with nil if nothing was lifted.
  var onEnd: ((Result?) -> Void)?

  /// The timeout for one type. Chromium never answers requests for large data.
  private static let patience = Interval.milliseconds(400)
  private static let side = 64
  private static let maxShown = 8

  /// Presses at a point of the screen; nil if the pointer does not get into the window.
  init?(_ window: UInt32, at point: CarryModel.Point, _ x: any LiftDisplay, _ reader: SelectionReader, at now: Instant)
  {
    guard let frame = x.frame(of: window), let before = x.pointer() else { return nil }
    (self.x, self.reader, self.window, self.frame) = (x, reader, window, frame)
    (pointerBefore, pointer) = (before, point)
    process = x.process(of: window)
    x.point(to: point)
    // Press only on a listed window, whatever the engine saw there.
    guard x.pointerIs(in: window) else {
      x.point(to: before)
      return nil
    }
    dropWindow = x.makeDropWindow(side: Self.side)
    x.watchOwners(for: dropWindow)
    machine = ForeignLift(
      at: point, towards: CarryModel.Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2), at: now,
      into: &effects)
  }

  deinit { x.destroyWindow(dropWindow) }

  /// Carries out the initial effects.
  func begin(at now: Instant) { carryOut(at: now) }

  /// Cancels the lift.
  func abandon(at now: Instant) {
    machine.abandon(into: &effects)
    carryOut(at: now)
  }

  // MARK: From the application

  /// Handles a new owner of the XDND selection.
  func owned(by owner: UInt32, at now: Instant) {
    guard owner != 0, isOfProgram(owner) else { return }
    machine.owned(at: now, into: &effects)
    carryOut(at: now)
  }

  private func isOfProgram(_ other: UInt32) -> Bool {
    if x.connection(of: other) == x.connection(of: window) { return true }
    guard let process else { return false }
    return x.process(of: other) == process
  }

  /// Handles an XDND message.
  ///
  /// - Returns: Whether it was for this lift.
  func handle(_ kind: XdndMessage.Kind, _ words: XdndMessage.Words, about window: UInt32, at now: Instant) -> Bool {
    guard window == dropWindow else { return false }
    // Any program can send messages.
    guard isOfProgram(words.w0) else { return true }
    switch XdndMessage(kind, words) {
    case .enter where machine.mayEnter: enter(words)
    case .position(_, let time, _) where words.w0 == source:
      self.time = time
      machine.position(types: wanted.count, at: now, into: &effects)
    case .drop(let time) where words.w0 == source:
      self.time = time
      machine.dropped(at: now, into: &effects)
    case .enter, .position, .drop, .leave, .status, .finished: break
    }
    carryOut(at: now)
    return true
  }

  private func enter(_ words: XdndMessage.Words) {
    source = words.w0
    types = ForeignTypes(x.typeNames(of: words))
    wanted = types.forLift
  }

  /// A window of any program is shown. One of this program's may be its drag picture.
  ///
  /// - Parameter isUnmanaged: Whether window managers ignore the window.
  func windowShown(_ shown: UInt32, isUnmanaged: Bool) {
    if isUnmanaged, shown != dropWindow, self.shown.count < Self.maxShown, isOfProgram(shown) {
      self.shown.append(shown)
    }
  }

  func windowDestroyed(_ window: UInt32, at now: Instant) { if window == self.window { abandon(at: now) } }

  // MARK: Time

  var nextDeadline: Instant? { .earliest(machine.nextDeadline, reader.nextDeadline) }

  func advance(to now: Instant) {
    reader.advance(to: now)
    machine.advance(to: now, into: &effects)
    carryOut(at: now)
  }

  // MARK: Effects

  private func carryOut(at now: Instant) {
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .press(let point):
        pressed = point
        move(to: point)
        // The press is slightly beside the finger, where another window may begin.
        if x.pointerIs(in: window) { x.press(true) } else { machine.abandon(into: &effects) }
      case .point(let point): move(to: point)
      case .letGo: releaseOutside()
      case .takeTouch: onTouchTaken?()
      case .open: x.show(dropWindow, around: pointer, side: Self.side)
      case .accept: send(.status(accepts: true, action: x.atom("XdndActionCopy")))
      case .look: machine.seen(capture(), at: x.now, into: &effects)
      // The source's own picture would stay under the finger for a moment. Other windows, such as tooltips, stay
      // unchanged: a toolkit may show them again.
      case .takePicture: if let picture { x.cutAway(picture.window) }
      case .release: x.press(false)
      case .close:
        x.hide(dropWindow)
        putPointerBack()
      case .fetch(let i): fetch(wanted[i], at: now)
      case .finish(let taken):
        if let conversion { reader.cancel(conversion) }
        send(.finished(accepted: taken, action: x.atom("XdndActionCopy")))
      case .end(let lifted): end(lifted)
      }
    }
  }

  private func send(_ message: XdndMessage) {
    guard source != 0 else { return }
    x.send(message, from: dropWindow, to: source, at: source)
  }

  private func end(_ lifted: Bool) {
    let report = onEnd
    (onEnd, onTouchTaken) = (nil, nil)
    let shown = picture.flatMap { $0.sight.isIcon ? nil : $0.picture }
    let icon = picture.flatMap { $0.sight.isSmall ? nil : $0.picture }
    let result = Result(data: data, offers: types.offers, picture: shown, icon: icon, process: process)
    report?(lifted && !data.isEmpty ? result : nil)
  }

  // MARK: The pointer

  private func move(to point: CarryModel.Point) {
    pointer = point
    x.point(to: point)
  }

  /// Releases the button outside the window, where it clicks nothing. If the window itself has moved, its title bar
  /// is being dragged, and the window is put back instead.
  private func releaseOutside() {
    let hasMoved = x.frame(of: window).map { $0 != frame } ?? false
    move(to: hasMoved ? pressed : frame.nearestOutside(to: pressed, within: x.screen) ?? pressed)
    x.press(false)
    putPointerBack()
  }

  /// Restores the pointer unless the user has moved the mouse meanwhile.
  private func putPointerBack() {
    guard let now = x.pointer(), abs(now.x - pointer.x) < 2, abs(now.y - pointer.y) < 2 else { return }
    x.point(to: pointerBefore)
  }

  // MARK: Contents

  /// The first picture that is large enough, or otherwise the first.
  private func capture() -> ForeignLift.Sight? {
    picture = nil
    for window in shown {
      guard let seen = x.picture(of: window, scale: scale) else { continue }
      if picture == nil || !seen.sight.isSmall { picture = seen }
      if !seen.sight.isSmall { break }
    }
    return picture?.sight
  }

  private func fetch(_ offer: ForeignTypes.Offer, at now: Instant) {
    // Another program may be dragging by now, with other data.
    guard isOfProgram(reader.owner) else { return machine.abandon(into: &effects) }
    let bounds = IncomingData.Bounds(bytes: bytesLeft, answer: Self.patience)
    conversion = reader.convert(to: offer.sources, time: time, within: bounds, at: now) { [weak self] result in
      guard let self else { return }
      conversion = nil
      // At most `bytesLeft`, which bounds the data for the lifetime of the items.
      if let bytes = try? result.get().bytes {
        data[offer.sources[0].name] = bytes
        bytesLeft -= bytes.count
      }
      machine.fetched(into: &effects)
      carryOut(at: x.now)
    }
  }
}
