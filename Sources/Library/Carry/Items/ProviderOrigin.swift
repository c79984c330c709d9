import CarryModel
import CarryWireClient

/// The origin that a destination's providers load from, such as a drop. Used on the client's thread.
protocol ProviderOrigin: AnyObject {
  var client: Client { get }
  /// Whether loads may begin now.
  var mayLoad: Bool { get }
  /// Whether the source deletes the data that has arrived whole.
  var isMove: Bool { get }
  /// The loads that have begun.
  var progress: SessionProgress { get }
  /// An item as its source described it.
  func description(ofItem index: Int) -> WireDropSession.Item
  /// - Returns: nil if the item cannot be loaded any more.
  func makeLoad(ofItem index: Int, type: String, as form: LoadForm) -> WireLoad?
}

extension DropSession: ProviderOrigin {
  var client: Client { region.client }
  var mayLoad: Bool { isPerforming }
  var isMove: Bool { operation == .move }
  func description(ofItem index: Int) -> WireDropSession.Item { wire.items[index] }
  func makeLoad(ofItem index: Int, type: String, as form: LoadForm) -> WireLoad? {
    wire.load(item: index, type: type, as: form)
  }
}
