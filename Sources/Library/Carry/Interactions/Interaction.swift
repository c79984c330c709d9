/// A capability of a region: dragging, accepting drops, or spring-loading. Create it, and add it to a region.
///
/// The three interactions of Carry are the only ones; do not adopt this protocol elsewhere.
public protocol Interaction: AnyObject {
  /// The region it was added to.
  var region: Region? { get }
  /// Whether it takes part; disabling it has the same effect as removing it.
  var isEnabled: Bool { get set }
  /// Called by the region when the interaction is added to it (with the region) or removed (with nil).
  func moved(to region: Region?)
}
