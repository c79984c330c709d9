import CarryModel

/// Makes a region spring-loaded: hovering over it with a drag has the effect of a tap, and the drag continues.
///
///     inactive ── a drag enters, shouldAllow ─▶ possible ── still for a while ──▶ activating ── flashed ──▶ activated
///        ▲                                         │                                 │                        │
///        └── interactionDidFinish ◀── it leaves, or shouldAllow returns false ───────┘    activationHandler ──┘
///
/// One drag at a time: other drags that hover meanwhile are rejected.
public final class SpringLoadedInteraction: Interaction {
  /// The progress of the interaction.
  public enum State: UInt32, Sendable {
    /// No drag hovers: the normal look.
    case inactive = 0
    /// A drag hovers: highlight.
    case possible = 1
    /// About to activate: flash.
    case activating = 2
    /// The handler runs; back to the normal look.
    case activated = 3
  }

  /// The region it was added to.
  public private(set) weak var region: Region?
  /// Whether hovering has an effect. Initially true.
  public var isEnabled = true {
    didSet { region?.sendRoles() }
  }
  /// The current state.
  public private(set) var state = State.inactive
  /// Decides which drags may activate the region; nil allows all. Retained by the interaction.
  public let interactionBehavior: (any SpringLoadedInteractionBehavior)?
  /// Draws the state; with nil, the engine frames the region while a drag hovers. Retained by the interaction.
  public let interactionEffect: (any SpringLoadedInteractionEffect)?
  private let activationHandler: (SpringLoadedInteraction, SpringLoadedContext) -> Void
  /// The hovering drag; `targetItem` is kept in its context.
  private var session: SessionID?
  /// The last location of that drag.
  private var location = Point(x: 0, y: 0)
  private var targetItem: Any?
  private var isFinished = true

  /// Creates an interaction with its own behaviour and effect.
  ///
  /// - Parameters:
  ///   - interactionBehavior: decides which drags may activate the region; nil allows all.
  ///   - interactionEffect: draws the state; with nil, the engine frames the region.
  ///   - activationHandler: called on the client's thread once a drag has hovered long enough. It may open something
  ///     under the finger; the drag continues.
  public init(
    interactionBehavior: (any SpringLoadedInteractionBehavior)?,
    interactionEffect: (any SpringLoadedInteractionEffect)?,
    activationHandler: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void
  ) {
    self.interactionBehavior = interactionBehavior
    self.interactionEffect = interactionEffect
    self.activationHandler = activationHandler
  }

  /// Creates an interaction that every drag may activate, with the engine's usual look: a frame that flashes before
  /// the activation.
  public convenience init(activationHandler: @escaping (SpringLoadedInteraction, SpringLoadedContext) -> Void) {
    self.init(interactionBehavior: nil, interactionEffect: nil, activationHandler: activationHandler)
  }

  /// Creates an interaction that every drag may activate, drawn by a closure.
  ///
  /// - Parameters:
  ///   - effect: draws the state: the normal look, a highlight, a flash. Called on the client's thread.
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

  /// Called by the region. Ends the hovering of a drag over the former region: nothing else reports it.
  public func moved(to region: Region?) {
    if session != nil, let old = self.region, old !== region {
      leave(SpringLoadedContext(state: .inactive, region: old, location: location, targetItem: targetItem))
    }
    self.region = region
  }

  /// Returns false if that drag must not activate the region.
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

  /// Ends the hovering: the drag has left the region, or was rejected.
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

/// The location of a drag over a spring-loaded region, and the state of the region.
public final class SpringLoadedContext {
  /// The new state.
  public internal(set) var state: SpringLoadedInteraction.State
  /// The spring-loaded region.
  public let region: Region
  /// The location of the drag, in pixels of the region.
  public let location: Point
  /// The part of the region that is meant, if the region has several; kept while the drag hovers.
  public var targetItem: Any?

  init(state: SpringLoadedInteraction.State, region: Region, location: Point, targetItem: Any?) {
    self.state = state
    self.region = region
    self.location = location
    self.targetItem = targetItem
  }

  /// The location of the drag, in pixels of another region of the same window.
  public func location(in other: Region) -> Point {
    Point(
      x: location.x + Double(region.frame.x - other.frame.x), y: location.y + Double(region.frame.y - other.frame.y))
  }
}

/// Decides which drags may activate a spring-loaded region. Called on the client's thread.
public protocol SpringLoadedInteractionBehavior: AnyObject {
  /// Returns whether hovering may begin, or continue: called before each change of state.
  func shouldAllow(_ interaction: SpringLoadedInteraction, with context: SpringLoadedContext) -> Bool
  /// Notifies that the hovering has ended, with or without activation.
  func interactionDidFinish(_ interaction: SpringLoadedInteraction)
}

extension SpringLoadedInteractionBehavior {
  /// Does nothing.
  public func interactionDidFinish(_ interaction: SpringLoadedInteraction) {}
}

/// Draws the state of a spring-loaded region. Called on the client's thread.
public protocol SpringLoadedInteractionEffect: AnyObject {
  /// Notifies that the state has changed: draw the normal look, a highlight or a flash.
  func interaction(_ interaction: SpringLoadedInteraction, didChangeWith context: SpringLoadedContext)
}
