/// Lets a region spring open: hovering over it with a drag does what a tap would do, and the drag goes on.
public final class SpringLoadedInteraction: Interaction {
  /// How far it is.
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
  /// Called at each change of state with the drag's position in pixels of the region; draw the state here.
  public var effect: ((SpringLoadedInteraction, State, Point) -> Void)?
  private let activationHandler: (SpringLoadedInteraction, Point) -> Void

  /// An interaction that calls `activationHandler` on the client's thread, with the drag's position in pixels of the
  /// region, once a drag has hovered long enough.
  public init(activationHandler: @escaping (SpringLoadedInteraction, Point) -> Void) {
    self.activationHandler = activationHandler
  }

  /// Called by the region.
  public func moved(to region: Region?) { self.region = region }

  func changed(to state: State, at point: Point) {
    self.state = state
    effect?(self, state, point)
    if state == .activated { activationHandler(self, point) }
  }
}
