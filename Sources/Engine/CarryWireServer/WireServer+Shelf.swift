package import CarryModel
import CWayland
import CWaylandServer

/// The server's state of the shelf, the engine's process that keeps dropped items.
package final class ShelfLink {
  /// The object with the shelf's rights; nil while no shelf is connected.
  weak var object: ShelfObject?
  var items: [KeptItemID: KeptItemObject] = [:]
  /// Where the shelf appears; nil while nothing is dragged.
  package internal(set) var place: ShelfPlace?
  /// Called when a drag begins and a shelf may have to be started.
  package var onWanted: (() -> Void)?
  /// Called when the shelf is sent a message that it answers.
  package var onAsked: (() -> Void)?
  /// Called when the shelf has shown that it is alive.
  package var onSign: (() -> Void)?
  /// Called when the shelf's connection has ended.
  package var onEnded: (() -> Void)?
}

extension WireServer {
  /// The shelf has created its object.
  func begin(_ shelf: ShelfObject?) {
    self.shelf.object = shelf
    self.shelf.onSign?()
    tellShelf()
  }

  /// Makes the shelf appear; nil when nothing is dragged any more.
  package func showShelf(_ place: ShelfPlace?) {
    shelf.place = place
    if place != nil { shelf.onWanted?() }
    tellShelf()
  }

  /// Repeats the last message to the shelf, whose answer shows that it is alive.
  package func askShelf() { tellShelf() }

  private func tellShelf() {
    guard let resource = shelf.object?.resource else { return }
    shelf.onAsked?()
    guard let place = shelf.place else { return carry_shelf_send_disappear(resource) }
    func pixels(_ v: Double) -> Int32 { Int32(max(-1_000_000, min(1_000_000, v.rounded()))) }
    carry_shelf_send_appear(
      resource, pixels(place.monitor.x), pixels(place.monitor.y), pixels(place.monitor.width),
      pixels(place.monitor.height), fixed(place.scale), place.edge.rawValue)
  }

  /// Notifies the shelf that an item can no longer be loaded.
  package func keptItemGone(_ item: KeptItemID) {
    if let resource = shelf.items[item]?.resource { carry_kept_item_send_gone(resource) }
  }
}

/// The protocol object with which the shelf keeps items.
final class ShelfObject: WireObject {
  static let requests = RequestTable(
    carry_shelf_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      keep: { _, resource, id, session, item in
        guard let o = WireObject.of(resource, as: ShelfObject.self),
          let drop = WireObject.of(session, as: DropSessionObject.self),
          let kept = WireObject.attach(
            KeptItemObject(o.client), id: id, interface: cwayland_kept_item(), requests: KeptItemObject.requests.raw)
        else { return }
        kept.begin(o.client.server.delegate?.keep(o.client.id, drop.session, drop.region, item: Int(item)))
      },
      shown: { _, resource in
        guard let o = WireObject.of(resource, as: ShelfObject.self) else { return }
        o.client.server.shelf.onSign?()
      }))
}

/// An item that the shelf keeps.
final class KeptItemObject: WireObject {
  private(set) var id: KeptItemID?

  /// - Parameter picture: Nil if the item cannot be kept.
  func begin(_ picture: KeptPicture?) {
    guard let resource else { return }
    guard let picture else { return carry_kept_item_send_gone(resource) }
    id = picture.item
    client.server.shelf.items[picture.item] = self
    carry_kept_item_send_kept(
      resource, picture.pixmap ?? 0, UInt32(max(0, picture.size.width)), UInt32(max(0, picture.size.height)))
  }

  override func destroyed() {
    guard let id else { return }
    client.server.shelf.items[id] = nil
    if !client.isGone { client.server.delegate?.releasedKept(client.id, id) }
  }

  static let requests = RequestTable(
    carry_kept_item_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      lend: { _, resource, item in
        guard let o = WireObject.of(resource, as: KeptItemObject.self),
          let item = WireObject.of(item, as: ItemObject.self)
        else { return }
        item.lent = o.id
      }))
}
