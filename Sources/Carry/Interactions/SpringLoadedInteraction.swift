import CarryModel

/// Lets a region spring open: hovering over it with a drag does what a tap would do, and the drag goes on.
///
///     inactive ── a drag comes and shouldAllow ──▶ possible ── still for a while ──▶ activating ── flashed ──▶ activated
///        ▲                                            │                                 │                        │
///        └── interactionDidFinish ◀── it leaves, or shouldAllow says no ────────────────┘    activationHandler ──┘
///
/// One drag at a time: other drags that hover meanwhile are turned away.
public final class SpringLoadedInteraction: Interaction {
  /// How far the interaction is.
  public enum State: UInt32, Sendable {
    /// No drag hovers: the usual look.
    case inactive = 0
    /// A drag hovers: highlight.
    case possible = 1
    /// About to activate: flash.
    case activating = 2
    /// The handler runs; back to the usual look.
    case activated = 3
  }

  /// The region it was added to.
  public private(set) weak var region: Region?
  /// Whether hovering has an effect. True from the start.
  public var isEnabled = true {
    didSet { region?.sendRoles() }
  }
  /// The state now.
  public private(set) var state = State.inactive
  /// Decides which drags may spring the region open; with nil all may. Kept alive by the interaction.
  public let interactionBehavior: (any SpringLoadedInteractionBehavior)?
  /// Draws the state; with nil nothing is drawn. Kept alive by the interaction.
  public let interactionEffect: (any SpringLoadedInteractionEffect)?
  private let activationHandler: (SpringLoadedInteraction, SpringLoadedContext) -> Void
  /// The drag that hovers; `targetItem` is what its context keeps.
  private var session: SessionID?
  /// Where that drag was last.
  private var location = Point(x: 0, y: 0)
  private var targetItem: Any?
  private var isFinished = true

  /// An interaction with a behaviour and a look of its own.
  ///
  /// - Parameters:
  ///   - interactionBehavior: decides which drags may spring the region open; with nil all may.
  ///   - interactionEffect: draws the state; with nil nothing is drawn.
  ///   - activationHandler: called on the client's thread once a drag has hovered long enough. Something that it opens
  ///     may come under the finger; the drag goes on.
  public init(
    interactionBehavior: (any SpringLoadedInteractionBehavior)?,
    interactionEffect: (any SpringLoadedInteractionEffect)?,
    activationHandler: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void
  ) {
    self.interactionBehavior = interactionBehavior
    self.interactionEffect = interactionEffect
    self.activationHandler = activationHandler
  }

  /// An interaction that every drag may spring open, and that draws nothing.
  public convenience init(activationHandler: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void) {
    self.init(interactionBehavior: nil, interactionEffect: nil, activationHandler: activationHandler)
  }

  /// An interaction that every drag may spring open, drawn by a closure.
  ///
  /// - Parameters:
  ///   - effect: draws the state: the usual look, a highlight, a flash. Called on the client's thread.
  ///   - activationHandler: as in the other initialisers.
  public convenience init(
    effect: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void,
    activationHandler: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void
  ) {
    self.init(interactionBehavior: nil, interactionEffect: Effect(effect), activationHandler: activationHandler)
  }

  private final class Effect: SpringLoadedInteractionEffect {
    private let draw: (SpringLoadedInteraction, SpringLoadedContext) -> Void

    init(_ draw: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void) { self.draw = draw }

    func interaction(_ interaction: SpringLoadedInteraction, didChangeWith context: SpringLoadedContext) {
      draw(interaction, context)
    }
  }

  /// Called by the region. A drag that hovered does so no more: nobody will report its end.
  public func moved(to region: Region?) {
    if session != nil, let old = self.region, old !== region {
      leave(SpringLoadedContext(state: .inactive, region: old, location: location, targetItem: targetItem))
    }
    self.region = region
  }

  /// Returns false when that drag must not spring the region open.
  func changed(to new: State, by session: SessionID, at point: Point, in region: Region) -> Bool {
    guard self.session == nil || self.session == session else { return new == .inactive }
    let context = SpringLoadedContext(state: new, region: region, location: point, targetItem: targetItem)
    switch new {
    case .inactive:
      guard self.session == session else { return true }
      leave(context)
      return true
    case .possible, .activating, .activated:
      if let behavior = interactionBehavior, !behavior.shouldAllow(self, with: context) {
        context.state = .inactive
        leave(context)
        return false
      }
    }
    // Each callback, here and below, may remove the interaction from its region.
    guard self.region === region else { return true }
    self.session = session
    location = point
    if new == .possible { isFinished = false }
    show(context)
    if new == .activated, self.session == session {
      activationHandler(self, context)
      finish()
    }
    return true
  }

  private func show(_ context: SpringLoadedContext) {
    state = context.state
    interactionEffect?.interaction(self, didChangeWith: context)
    targetItem = context.targetItem
  }

  /// The drag is not over the region any more, or is not wanted.
  private func leave(_ context: SpringLoadedContext) {
    session = nil
    if state != .inactive { show(context) }
    targetItem = nil
    finish()
  }

  private func finish() {
    guard !isFinished else { return }
    isFinished = true
    interactionBehavior?.interactionDidFinish(self)
  }
}

/// Where a drag hovers over a spring-loaded region, and in which state the region is.
public final class SpringLoadedContext {
  /// The state that is being entered.
  public internal(set) var state: SpringLoadedInteraction.State
  /// The spring-loaded region.
  public let region: Region
  /// Where the drag is, in pixels of the region.
  public let location: Point
  /// Which part of the region is meant, if the region has several; kept while the drag hovers.
  public var targetItem: Any?

  init(state: SpringLoadedInteraction.State, region: Region, location: Point, targetItem: Any?) {
    self.state = state
    self.region = region
    self.location = location
    self.targetItem = targetItem
  }

  /// Where the drag is, in pixels of another region of the same window.
  public func location(in other: Region) -> Point {
    Point(
      x: location.x + Double(region.frame.x - other.frame.x), y: location.y + Double(region.frame.y - other.frame.y))
  }
}

/// Decides which drags may spring a region open. Called on the client's thread.
public protocol SpringLoadedInteractionBehavior: AnyObject {
  /// Whether hovering may begin, or go on: asked before each change of state.
  func shouldAllow(_ interaction: SpringLoadedInteraction, with context: SpringLoadedContext) -> Bool
  /// The hovering is over: it activated, or was given up.
  func interactionDidFinish(_ interaction: SpringLoadedInteraction)
}

extension SpringLoadedInteractionBehavior {
  /// Does nothing.
  public func interactionDidFinish(_ interaction: SpringLoadedInteraction) {}
}

/// Draws how far a spring-loaded region is. Called on the client's thread.
public protocol SpringLoadedInteractionEffect: AnyObject {
  /// The state has changed: draw the usual look, a highlight or a flash.
  func interaction(_ interaction: SpringLoadedInteraction, didChangeWith context: SpringLoadedContext)
}
