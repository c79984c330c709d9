import CX11
import Carry
import CarryCompanion
import CarryModel
import CarrySelections
import CarrySystem
import CarryX
import CarryXdnd

/// Lifts out of windows of applications unaware of Carry: manages the regions for such windows and the lift under
/// way.
final class Lifts {
  private let engine: BridgeClient
  var client: Client { engine.client }
  private let x: XConnection
  /// In lowercase.
  private var applications: Set<String> = []
  private var places: [UInt32: LiftPlace] = [:]
  /// The windows that may be toplevel windows, whether or not lifts are possible there.
  private var windows: Set<UInt32> = []
  /// Those to be examined, once for all events received: an examination waits for the X server, and a program can
  /// change its class any number of times.
  private var waiting = WaitingWindows()
  private var attempt: LiftAttempt?
  private let tree: AccessibilityTree
  /// Whether the accessibility tree is being asked about a press.
  private var isAsking = false
  private let canLift: Bool
  /// The maximum number of regions for lifts. Together with those for drops they stay below the bridge's limit.
  private static let maxPlaces = Limits.regionsPerClient / 4
  /// The maximum for one program, which leaves room for others.
  private static let maxPlacesOfOne = 64
  /// After this time the remaining windows wait until new events have been handled.
  private static let longestLook = Interval.milliseconds(1)
  /// The maximum height of title bars drawn by programs themselves, in pixels at 96 dots per inch.
  private static let titleBar = 50.0
  /// Called after `isActive` changed: before the button is pressed, and when the lift is over.
  var onChange: (() -> Void)?
  /// Whether a drop is under way that would lose its data if another program dragged.
  var isBusy: () -> Bool = { false }

  init(_ engine: BridgeClient, _ x: XConnection) {
    (self.engine, self.x) = (engine, x)
    tree = AccessibilityTree(engine.client, x)
    canLift = x.ownerEvent != nil && XInput(on: x.display) != nil && cx11_can_press(x.connection) != 0
    if !canLift { Log.notice("no XTEST, XFIXES or XInput 2.2: nothing lifts out of other applications") }
    engine.onLiftApplications = { [unowned self] in setApplications($0) }
  }

  /// Whether a lift is under way, during which another program owns the selection.
  private(set) var isActive = false

  /// Releases the button; the engine is gone.
  func stop() { attempt?.abandon(at: MonotonicClock.now()) }

  // MARK: Windows

  private func setApplications(_ names: [String]) {
    applications = Set(names.map { $0.lowercased() })
    if !canLift { applications = [] }
    for window in windows { waiting.append(window, newIn: nil) }
  }

  /// A window that may be a toplevel window was found or is gone.
  func watched(_ window: UInt32, isThere: Bool) {
    if isThere {
      windows.insert(window)
      if !applications.isEmpty { waiting.append(window, newIn: nil) }
    } else {
      windows.remove(window)
      waiting.remove(window)
      places.removeValue(forKey: window)?.remove()
    }
  }

  /// Examines waiting windows, the oldest first, for a short time but at least one.
  private func examineWindows() {
    let end = MonotonicClock.now() + Self.longestLook
    while let (window, _) = waiting.next() {
      examine(window)
      guard MonotonicClock.now() < end else { break }
    }
  }

  private func examine(_ window: UInt32) {
    let isWanted = !applications.isEmpty && x.programNames(of: window).contains { applications.contains($0) }
    guard isWanted, !x.isOverrideRedirect(window), let frame = x.frame(of: window) else {
      places.removeValue(forKey: window)?.remove()
      return
    }
    guard places[window] == nil, places.count < Self.maxPlaces else { return }
    let owner = x.owner(of: window)
    guard places.values.count(where: { $0.owner == owner }) < Self.maxPlacesOfOne else { return }
    places[window] = LiftPlace(window, frame, of: owner, self)
  }

  // MARK: A lift

  /// Determines what a press lifts.
  ///
  /// - Parameters:
  ///   - point: In pixels of the window.
  ///   - answer: Called once, now or later; with no items if nothing can be lifted.
  func lift(
    at point: CarryModel.Point, in window: UInt32, serial: UInt32,
    isWanted: @escaping () -> Bool, answer: @escaping ([DragItem]) -> Void
  ) {
    guard attempt == nil, !isAsking, !isBusy(), let frame = x.frame(of: window) else {
      return refuse("busy", serial, answer)
    }
    let place = CarryModel.Point(x: (frame.x + point.x).rounded(), y: (frame.y + point.y).rounded())
    isAsking = true
    tree.judge(ForeignLift.place(under: place, towards: frame.center), in: window, frame) { [unowned self] judgement in
      isAsking = false
      if case .leave(let why) = judgement { return refuse(why, serial, answer) }
      // The finger, the window or anything else may have changed meanwhile.
      guard isWanted(), !isBusy(), x.frame(of: window) == frame else { return refuse("it is too late", serial, answer) }
      if let obstacle = obstacle(at: point, in: window) { return refuse(obstacle, serial, answer) }
      press(at: place, point, in: window, serial, isWanted, answer)
    }
  }

  /// Why nothing may be pressed now; nil if there is no obstacle.
  private func obstacle(at point: CarryModel.Point, in window: UInt32) -> String? {
    if let obstacle = x.obstacleToPress() { return obstacle }
    // A window that draws its own title bar would move with it.
    if let edge = x.ownFrameTop(of: window), point.y < edge + Self.titleBar * max(1, DesktopScale.read(x.display)) {
      return "that is a title bar"
    }
    return nil
  }

  /// - Parameters:
  ///   - place: In pixels of the screen.
  ///   - point: The same point in pixels of the window.
  private func press(
    at place: CarryModel.Point, _ point: CarryModel.Point, in window: UInt32, _ serial: UInt32,
    _ isWanted: @escaping () -> Bool, _ answer: @escaping ([DragItem]) -> Void
  ) {
    let now = MonotonicClock.now()
    setActive(true)
    let reader = SelectionReader(x.selections, of: "XdndSelection")
    guard let attempt = LiftAttempt(window, at: place, x, reader, at: now) else {
      setActive(false)
      return refuse("something lies above the window", serial, answer)
    }
    self.attempt = attempt
    self.isWanted = isWanted
    attempt.onTouchTaken = { [engine] in engine.claimTouch(serial: serial) }
    attempt.onEnd = { [unowned self] result in
      self.attempt = nil
      engine.trialIsOver(serial: serial)
      makeItems(result) { items in
        Log.debug("a lift out of window \(window): \(items.count) items")
        for item in items { item.localObject = LiftedLook(picture: result?.picture, icon: result?.icon, point: point) }
        answer(items)
      }
      setActive(false)
    }
    attempt.begin(at: now)
  }

  /// Opens the context menu of an item that was lifted and put down unmoved. The application, whose long press opens it,
  /// has not got the touch.
  ///
  /// - Parameter point: In pixels of the window.
  func openMenu(at point: CarryModel.Point, in window: UInt32) {
    guard attempt == nil, let frame = x.frame(of: window), obstacle(at: point, in: window) == nil else { return }
    x.point(to: CarryModel.Point(x: (frame.x + point.x).rounded(), y: (frame.y + point.y).rounded()))
    if x.pointerIs(in: window) { x.click(button: 3) }
  }

  private var isWanted: () -> Bool = { true }

  private func setActive(_ active: Bool) {
    isActive = active
    onChange?()
  }

  private func refuse(_ why: String, _ serial: UInt32, _ answer: ([DragItem]) -> Void) {
    Log.debug("no lift is tried: \(why)")
    answer([])
    engine.trialIsOver(serial: serial)
  }

  /// - Parameter completion: Called once, now or later. Files are examined on another thread, since a folder on an
  ///   unresponsive server must not block the bridge.
  private func makeItems(_ result: LiftAttempt.Result?, _ completion: @escaping ([DragItem]) -> Void) {
    guard let result else { return completion([]) }
    let list = result.offers.first { $0.type == XdndOffer.uriList }.flatMap { result.data[$0.sources[0].name] }
    guard let list, ForeignItems.areOfOurFiles(result.process) else { return completion([wholeItem(result)]) }
    let paths = ForeignFile.paths(in: list)
    let isLooking =
      !paths.isEmpty
      && client.runBlocking(lookingAt: paths) {
        ForeignFile.all(in: list)
      } then: { [self] files in
        // Any program can make the application's window the selection owner, and then receives the requests itself.
        guard let files, !files.isEmpty else { return completion([wholeItem(result)]) }
        completion(files.map(\.itemOutsideSandboxes))
      }
    if !isLooking { completion([wholeItem(result)]) }
  }

  /// One item with all types.
  private func wholeItem(_ result: LiftAttempt.Result) -> DragItem {
    let provider = ItemProvider()
    for offer in result.offers {
      guard let bytes = result.data[offer.sources[0].name] else { continue }
      provider.register(bytes, forType: offer.type)
    }
    return DragItem(itemProvider: provider)
  }

  // MARK: Events

  /// Handles an XDND message.
  ///
  /// - Returns: Whether it was for a lift.
  func handle(_ kind: XdndMessage.Kind, _ words: XdndMessage.Words, about window: UInt32, at now: Instant) -> Bool {
    attempt?.handle(kind, words, about: window, at: now) == true
  }

  /// Handles a program's reply to a request for data.
  func handle(_ event: XSelectionEvent, at now: Instant) { attempt?.reader.handle(event, at: now) }

  /// Handles an event sent by the X server itself.
  func handle(_ event: XEvent, at now: Instant) {
    if let attempt, let owner = x.newOwner(in: event, for: attempt.dropWindow) {
      return attempt.owned(by: owner, at: now)
    }
    switch event.type {
    case PropertyNotify:
      let window = UInt32(truncatingIfNeeded: event.xproperty.window)
      if event.xproperty.atom == Atom(XA_WM_CLASS), windows.contains(window) { waiting.append(window, newIn: nil) }
      attempt?.reader.handle(event.xproperty, at: now)
    case ConfigureNotify:
      let e = event.xconfigure
      places[UInt32(truncatingIfNeeded: e.window)]?.resize(Int(e.width), Int(e.height))
    case MapNotify:
      attempt?.windowShown(
        UInt32(truncatingIfNeeded: event.xmap.window), isUnmanaged: event.xmap.override_redirect != 0)
    case DestroyNotify:
      attempt?.windowDestroyed(UInt32(truncatingIfNeeded: event.xdestroywindow.window), at: now)
    default: break
    }
  }

  // MARK: Time

  var nextDeadline: Instant? { waiting.isEmpty ? attempt?.nextDeadline : .zero }

  func advance(to now: Instant) {
    if let attempt {
      if isWanted() { attempt.advance(to: now) } else { attempt.abandon(at: now) }
    }
    examineWindows()
  }
}

/// The appearance of a lifted item.
private struct LiftedLook {
  var picture: PreviewImage?
  /// For a card, if there is no picture.
  var icon: PreviewImage?
  /// The location of the touch, in pixels of the window.
  var point: CarryModel.Point
}

/// A window of another program as a region from which items can be lifted.
private final class LiftPlace: DeferringDragDelegate {
  private let window: UInt32
  let owner: WindowOwner
  private unowned let lifts: Lifts
  private let region: Carry.Region
  private var interaction: DragInteraction?

  init(_ window: UInt32, _ frame: CarryModel.Rect, of owner: WindowOwner, _ lifts: Lifts) {
    (self.window, self.owner, self.lifts) = (window, owner, lifts)
    region = Carry.Region(
      client: lifts.client, window: window, frame: Rect(x: 0, y: 0, width: Int(frame.width), height: Int(frame.height)))
    region.onRefused = { (why: String) in Log.debug("window \(window): \(why)") }
    let interaction = DragInteraction(delegate: self)
    interaction.isEnabled = true
    region.addInteraction(interaction)
    self.interaction = interaction
  }

  func resize(_ width: Int, _ height: Int) { region.frame = Rect(x: 0, y: 0, width: width, height: height) }

  func remove() { region.invalidate() }

  // MARK: Calls from the engine

  func dragInteraction(
    _ interaction: DragInteraction, itemsForBeginning session: DragSession, serial: UInt32,
    answer: @escaping ([DragItem]) -> Void
  ) {
    let place = session.location(in: region)
    lifts.lift(
      at: CarryModel.Point(x: place.x, y: place.y), in: window, serial: serial,
      isWanted: { [weak session] in session?.isUnderWay == true }, answer: answer)
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Carry.Point,
    serial: UInt32, answer: @escaping ([DragItem]) -> Void
  ) {
    lifts.lift(
      at: CarryModel.Point(x: point.x, y: point.y), in: window, serial: serial,
      isWanted: { [weak session] in session?.isUnderWay == true }, answer: answer)
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] { [] }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    let look = item.localObject as? LiftedLook
    let place = look?.point ?? .zero
    let target = DragPreviewTarget(container: region, center: Carry.Point(x: place.x, y: place.y))
    var parameters = DragPreviewParameters()
    parameters.backgroundColor = .clear
    let provider = item.itemProvider
    let picture = look?.picture ?? Self.card(of: provider, look?.icon)
    return picture.map { TargetedDragPreview(view: .image($0), parameters: parameters, target: target) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {
    let place = session.location(in: region)
    animator.addCompletion { [weak self] position in
      guard let self, position == .start else { return }
      lifts.openMenu(at: CarryModel.Point(x: place.x, y: place.y), in: window)
    }
  }

  private static func card(of provider: ItemProvider, _ picture: PreviewImage?) -> PreviewImage? {
    let icon = picture.flatMap { ItemCard.Icon(width: $0.width, height: $0.height, pixels: $0.pixels) }
    guard let card = ItemCard(of: provider.suggestedName, types: provider.registeredTypes, icon: icon) else {
      return nil
    }
    return PreviewImage(width: card.width, height: card.height, premultipliedARGB: card.pixels)
  }
}
