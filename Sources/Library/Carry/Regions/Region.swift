import CarryModel
import CarryWireClient

/// A rectangle of one of the application's X windows that takes part in drag and drop; other systems call it a view.
///
/// Regions of one window are stacked in the order in which they got their first interaction, the newest on top, until
/// one is raised. A region is registered while it has an interaction; the client retains it for that time.
public final class Region {
  /// The client that the region belongs to.
  public let client: Client
  /// The X window.
  public let window: UInt32
  private var wire: WireRegion?
  /// Among the regions of a window, the region with the highest number is on top.
  private(set) var order = 0
  private var interactions: [any Interaction] = []
  /// Each drop interaction after the first is a separate region for the engine, at the same place.
  private var others: [(drop: DropInteraction, wire: WireRegion)] = []

  /// Why the engine has refused the region, as a sentence; nil if it has not.
  public private(set) var refusal: String?
  /// Called when the engine refuses the region: the window belongs to another process, has been destroyed, or was not
  /// created in time. The region stays refused. While this is nil, a line is written to stderr.
  public var onRefused: ((String) -> Void)?

  /// Makes the region cooperative: the application continues to receive every touch at once, and this is called when
  /// a lift, or a tap that adds items, claims a touch. Undo what the touch began (a pressed button, a scroll), and
  /// ignore its further events.
  ///
  /// While this is nil, Carry holds back each touch on a draggable region until it knows whether the touch is for the
  /// application. The application need not do anything, but its touches arrive late. All draggable regions of a
  /// window should agree: one region that is not cooperative makes Carry hold the touches of the whole window. Mouse
  /// clicks are held in any case, unless `DragInteraction.dragsByPointerItself` is set.
  ///
  /// The parameter is the touch's number, the `detail` of its XInput 2 events.
  public var onTouchCancelled: ((UInt32) -> Void)? {
    didSet { if (onTouchCancelled == nil) != (oldValue == nil) { sendRoles() } }
  }

  /// The name of the region, in a few words: announced to people who drive drags by keys or do not see the screen.
  public var label = "" {
    didSet { if label != oldValue { sendLabel() } }
  }

  /// Whether presses and drags do not reach the regions beneath, whatever interactions this one has: set it for
  /// something that lies above draggable content, such as a button or an open menu of the same window.
  public var isObstacle = false {
    didSet {
      guard isObstacle != oldValue else { return }
      if isObstacle { addInteraction(obstacle) } else { removeInteraction(obstacle) }
      sendRoles()
    }
  }
  private let obstacle = Obstacle()

  /// Registers the region without any other interaction.
  private final class Obstacle: Interaction {
    weak var region: Region?
    var isEnabled = true
    func moved(to region: Region?) { self.region = region }
  }

  /// The types that the region accepts without a drop interaction of its own: dropping them calls `onPaste`. A drop
  /// interaction added to the region takes precedence.
  public var pasteConfiguration: PasteConfiguration? {
    didSet { if pasteConfiguration != oldValue { updatePasteTarget() } }
  }
  /// Called with the items that match `pasteConfiguration` when they are dropped here, or pasted by `paste`, and with
  /// the session: begin the loads before it returns. On the client's thread.
  public var onPaste: (([ItemProvider], DropSession) -> Void)?
  private var pasteTarget: PasteTarget?
  /// The last paste.
  var lastPaste: DropSession?

  /// The rectangle, in pixels of the window. A change immediately applies to drags over the region.
  public var frame: Rect {
    didSet { if frame != oldValue { sendFrame() } }
  }

  /// Creates a region of a window, without interactions.
  ///
  /// - Parameters:
  ///   - client: the connection; it retains the region while the region has interactions.
  ///   - window: an X window of this process. If the X server does not know the window yet, because the request that
  ///     creates it has not been flushed, the engine waits for it: five seconds, or until `Client.synchronize()`.
  ///   - frame: in pixels of that window.
  public init(client: Client, window: UInt32, frame: Rect) {
    self.client = client
    self.window = window
    self.frame = frame
  }

  /// Adds an interaction, effective at once.
  ///
  /// Of several drag interactions, or several spring-loaded ones, the first is used. If there are several drop
  /// interactions, each receives a session of its own, the newest first.
  public func addInteraction(_ interaction: any Interaction) {
    guard !interactions.contains(where: { $0 === interaction }) else { return }
    interactions.append(interaction)
    updatePasteTarget()
    interaction.moved(to: self)
    if client.regions[ObjectIdentifier(self)] == nil { register() }
    registerOthers()
    sendAll()
  }

  private func sendAll() {
    sendRoles()
    sendEdges()
    if !label.isEmpty { sendLabel() }
    sendAcceptedTypes()
  }

  /// Registers the region with a new engine.
  func connected() {
    registerWithEngine()
    registerOthers()
    sendAll()
  }

  /// Forgets the engine, and every session with it.
  func lost() {
    wire = nil
    others = []
    refusal = nil
    // A hovering drag is not over the region any more.
    if let spring {
      spring.moved(to: nil)
      spring.moved(to: self)
    }
  }

  /// Removes an interaction. A region without interactions is no longer registered.
  ///
  /// Drags over the region end for the removed interaction: a drop interaction receives `sessionDidEnd`, a
  /// spring-loaded one becomes inactive.
  public func removeInteraction(_ interaction: any Interaction) {
    guard let i = interactions.firstIndex(where: { $0 === interaction }) else { return }
    interactions.remove(at: i).moved(to: nil)
    updatePasteTarget()
    registerOthers()
    if interactions.isEmpty {
      wire?.withdraw()
      wire = nil
      client.regions[ObjectIdentifier(self)] = nil
    } else {
      sendRoles()
      sendEdges()
      sendAcceptedTypes()
    }
  }

  /// Raises the region above all others of its window: where it overlaps others, it receives presses and drops. The
  /// change immediately applies to drags over the window; drags that began in a region continue.
  ///
  /// Without an interaction this has no effect: the region is raised with its first interaction.
  public func raise() {
    comeToTheTop()
    wire?.raise()
    // The newest drop interaction has precedence for drops.
    for other in others { other.wire.raise() }
  }

  /// Asks the drop interaction again about the drags that rest over the region: `sessionDidUpdate` is called although
  /// the drag has not moved. Call it when the region's content has changed beneath a drag, such as by scrolling.
  public func askAgain() {
    wire?.askAgain()
    for other in others { other.wire.askAgain() }
  }

  /// Removes all interactions.
  public func invalidate() {
    pasteConfiguration = nil
    isObstacle = false
    endPaste()
    for i in interactions { removeInteraction(i) }
  }

  /// Adds or removes the drop interaction of a paste configuration, which applies unless the region has one of its
  /// own.
  private func updatePasteTarget() {
    let hasOwn = interactions.contains { $0 is DropInteraction && $0 !== pasteTarget?.interaction }
    if let pasteConfiguration, !hasOwn {
      let target = pasteTarget ?? PasteTarget(self)
      target.configure(pasteConfiguration)
      guard pasteTarget == nil else { return }
      pasteTarget = target
      addInteraction(target.interaction)
    } else if let target = pasteTarget {
      pasteTarget = nil
      removeInteraction(target.interaction)
    }
  }

  /// Registers and withdraws the regions of further drop interactions.
  private func registerOthers() {
    let drops = interactions.compactMap { $0 as? DropInteraction }.dropFirst()
    for other in others where !drops.contains(where: { $0 === other.drop }) { other.wire.withdraw() }
    others.removeAll { other in !drops.contains { $0 === other.drop } }
    for drop in drops where !others.contains(where: { $0.drop === drop }) {
      guard let wire = client.makeWireRegion(window: window) else { continue }
      others.append((drop, wire))
      wire.onEvent = { [weak self, weak drop] event in
        guard let self else { return }
        switch event {
        case .refused(let why): self.refused(why)
        case .dropSession(let session, let number): drop?.begin(session, number, in: self)
        case .beginDrag, .chooseSession, .addToDrag, .spring, .touchCancelled, .press, .lost: break
        }
      }
      sendFrame(wire)
    }
  }

  private func comeToTheTop() {
    client.regionsRaised += 1
    order = client.regionsRaised
  }

  private func register() {
    guard client.regions.count < Limits.regionsPerClient else {
      return refused("a client may have \(Limits.regionsPerClient) regions, and has them")
    }
    client.regions[ObjectIdentifier(self)] = self
    comeToTheTop()
    registerWithEngine()
  }

  private func registerWithEngine() {
    guard let wire = client.makeWireRegion(window: window) else { return }
    self.wire = wire
    refusal = nil
    wire.onEvent = { [weak self, unowned wire] event in
      if let self { self.handle(event, from: wire) } else { wire.unhandled(event) }
    }
    sendFrame()
  }

  private func handle(_ event: WireRegionEvent, from wire: WireRegion) {
    switch event {
    case .refused(let why): refused(why)
    case .beginDrag(let session, let number, let serial, let point):
      guard let drag else { return wire.unhandled(event) }
      drag.begin(session, number, serial: serial, at: point, in: self)
    case .chooseSession(let serial, let numbers, let point):
      let sessions = numbers.compactMap { client.dragSessions[$0] }
      let chosen = drag.flatMap { drag in
        drag.delegate?.dragInteraction(drag, sessionForAddingItems: sessions, withTouchAt: local(point))
      }
      wire.choose(serial: serial, chosen?.number)
    case .addToDrag(let number, let serial, let point):
      client.dragSessions[number]?.add(from: drag, serial: serial, at: point, in: self)
    case .dropSession(let session, let number): drop?.begin(session, number, in: self)
    case .spring(let session, let state, let point):
      guard let state = SpringLoadedInteraction.State(rawValue: state), let spring else { return }
      if !spring.changed(to: state, by: session, at: local(point), in: self) { wire.refuseSpring(session) }
    case .touchCancelled(let touch): onTouchCancelled?(touch)
    case .press(let serial, let point):
      wire.answerPress(serial: serial, mayBegin: drag?.mayBegin?(local(point)) ?? true)
    case .lost: break
    }
  }

  private func refused(_ why: String) {
    refusal = why
    if let onRefused { return onRefused(why) }
    Warning.say("a region of the window 0x\(String(window, radix: 16)) is refused: \(why)")
  }

  private var drag: DragInteraction? { interactions.lazy.compactMap { $0 as? DragInteraction }.first }
  private var drop: DropInteraction? { interactions.lazy.compactMap { $0 as? DropInteraction }.first }
  private var spring: SpringLoadedInteraction? {
    interactions.lazy.compactMap { $0 as? SpringLoadedInteraction }.first
  }

  /// Converts window coordinates to coordinates of this region.
  func local(_ p: CarryModel.Point) -> Point { Point(x: p.x - Double(frame.x), y: p.y - Double(frame.y)) }

  private func sendFrame() {
    if let wire { sendFrame(wire) }
    for other in others { sendFrame(other.wire) }
  }

  private func sendFrame(_ wire: WireRegion) {
    func clamped(_ v: Int) -> Int32 { Int32(max(-1_000_000, min(1_000_000, v))) }
    wire.setRectangle(
      x: clamped(frame.x), y: clamped(frame.y), width: max(0, clamped(frame.width)),
      height: max(0, clamped(frame.height)))
  }

  func sendLabel() {
    let text = SafeText.displayable(label, limit: 240)
    wire?.setLabel(text)
    for other in others { other.wire.setLabel(text) }
  }

  func sendAcceptedTypes() {
    func text(_ drop: DropInteraction) -> String {
      var text = ""
      for type in drop.acceptedTypes where text.utf8.count + type.utf8.count < 2000 && !type.contains("\n") {
        text += text.isEmpty ? type : "\n" + type
      }
      return text
    }
    if let drop { wire?.setAcceptedTypes(text(drop)) }
    for other in others { other.wire.setAcceptedTypes(text(other.drop)) }
  }

  func sendEdges() {
    wire?.setEdgeZone(drop?.edgeZone ?? 0)
    for other in others { other.wire.setEdgeZone(other.drop.edgeZone) }
  }

  func sendRoles() {
    var roles: RegionRoles = []
    if drag?.isEnabled == true { roles.insert(.drag) }
    if let drop { roles.formUnion(Self.roles(drop)) }
    if let spring, spring.isEnabled { roles.formUnion(spring.interactionEffect == nil ? [.spring, .framed] : .spring) }
    if drag?.dragsByPointerItself == true { roles.insert(.ownPointer) }
    if onTouchCancelled != nil { roles.insert(.cooperative) }
    if drag?.mayBegin != nil { roles.insert(.asks) }
    if isObstacle { roles.insert(.obstacle) }
    wire?.setRoles(roles)
    for other in others { other.wire.setRoles(Self.roles(other.drop)) }
  }

  private static func roles(_ drop: DropInteraction) -> RegionRoles {
    guard drop.isEnabled else { return [] }
    return drop.allowsSimultaneousDropSessions ? [.drop, .simultaneous] : .drop
  }
}
