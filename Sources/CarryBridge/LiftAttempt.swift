import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryX
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

  private let x: XConnection
  private let reader: SelectionReader
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
  private let taker: UInt32
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
  private lazy var scale = DesktopScale.read(x.display)
  /// Called when the lift takes over the touch.
  var onTouchTaken: (() -> Void)?
  /// Called last; with nil if nothing was lifted.
  var onEnd: ((Result?) -> Void)?

  /// The timeout for one type. Chromium never answers requests for large data.
  private static let patience = Interval.milliseconds(400)
  private static let side = 64
  private static let maxShown = 8

  /// Presses at a point of the screen; nil if the pointer does not get into the window.
  init?(_ window: UInt32, at point: CarryModel.Point, _ x: XConnection, at now: Instant) {
    guard let frame = x.frame(of: window), let before = x.pointer() else { return nil }
    (self.x, self.window, self.frame) = (x, window, frame)
    reader = SelectionReader(x.selections, of: "XdndSelection")
    (pointerBefore, pointer) = (before, point)
    process = x.process(of: window)
    x.point(to: point)
    // Press only on a listed window, whatever the engine saw there.
    guard x.pointerIs(in: window) else {
      x.point(to: before)
      return nil
    }
    taker = x.makeTaker(side: Self.side)
    x.watchOwners(true, for: x.root)
    machine = ForeignLift(
      at: point, towards: CarryModel.Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2), at: now,
      into: &effects)
  }

  deinit {
    x.watchOwners(false, for: x.root)
    x.forget(taker)
    XDestroyWindow(x.display, Window(taker))
  }

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
    if other & ~x.idMask == window & ~x.idMask { return true }
    guard let process else { return false }
    return x.process(of: other) == process
  }

  /// Handles an XDND message.
  ///
  /// - Returns: Whether it was for this lift.
  func take(_ kind: XdndMessage.Kind, _ words: XdndMessage.Words, about window: UInt32, at now: Instant) -> Bool {
    guard window == taker else { return false }
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
    types = ForeignTypes(x.typeNumbers(of: words).filter { $0 != 0 }.compactMap { x.name(of: $0) })
    wanted = types.forLift
  }

  /// Handles an event sent by the X server itself.
  func take(_ event: XEvent, at now: Instant) {
    switch event.type {
    case PropertyNotify: reader.take(event.xproperty, at: now)
    case MapNotify:
      let shown = UInt32(truncatingIfNeeded: event.xmap.window)
      if event.xmap.override_redirect != 0, shown != taker, self.shown.count < Self.maxShown, isOfProgram(shown) {
        self.shown.append(shown)
      }
    case DestroyNotify:
      if UInt32(truncatingIfNeeded: event.xdestroywindow.window) == window { abandon(at: now) }
    default: break
    }
  }

  /// Handles a program's reply to a request for data.
  func take(_ event: XSelectionEvent, at now: Instant) { reader.take(event, at: now) }

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
      case .letGo: letGo()
      case .takeTouch: onTouchTaken?()
      case .open: x.show(taker, around: pointer, side: Self.side)
      case .accept: send(.status(accepts: true, action: x.atom("XdndActionCopy")))
      case .look: machine.seen(look(), at: MonotonicClock.now(), into: &effects)
      case .takePicture: takePicture()
      case .release: x.press(false)
      case .close:
        XUnmapWindow(x.display, Window(taker))
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
    x.send(message, from: taker, to: source, at: source)
  }

  private func end(_ lifted: Bool) {
    let told = onEnd
    (onEnd, onTouchTaken) = (nil, nil)
    let shown = picture.flatMap { $0.sight.isIcon ? nil : $0.picture }
    let icon = picture.flatMap { $0.sight.isSmall ? nil : $0.picture }
    let result = Result(data: data, offers: types.offers, picture: shown, icon: icon, process: process)
    told?(lifted && !data.isEmpty ? result : nil)
  }

  // MARK: The pointer

  private func move(to point: CarryModel.Point) {
    pointer = point
    x.point(to: point)
  }

  /// Releases the button outside the window, where it clicks nothing. If the window itself has moved, its title bar
  /// is being dragged, and the window is put back instead.
  private func letGo() {
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
  private func look() -> ForeignLift.Sight? {
    picture = nil
    for window in shown {
      guard let seen = x.picture(of: window, scale: scale) else { continue }
      if picture == nil || !seen.sight.isSmall { picture = seen }
      if !seen.sight.isSmall { break }
    }
    return picture?.sight
  }

  private func takePicture() {
    guard let picture else { return }
    // The source's own picture would stay under the finger for a moment. Other windows, such as tooltips, stay
    // unchanged: a toolkit may show them again.
    XShapeCombineRectangles(x.display, Window(picture.window), ShapeBounding, 0, 0, nil, 0, ShapeSet, Unsorted)
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
      carryOut(at: MonotonicClock.now())
    }
  }
}
