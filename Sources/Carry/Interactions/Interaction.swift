/// Something that a region can do: drag, take drops, or spring open. Create it, and add it to a region.
///
/// Carry's three interactions are all there are; the protocol is not meant to be adopted elsewhere.
public protocol Interaction: AnyObject {
  /// The region it was added to.
  var region: Region? { get }
  /// Whether it takes part; a disabled one is as good as absent.
  var isEnabled: Bool { get set }
  /// Called by the region when the interaction is added to it (with the region) or removed (with nil).
  func moved(to region: Region?)
}
