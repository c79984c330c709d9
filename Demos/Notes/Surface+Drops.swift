import Carry
import DemoKit

/// What is dropped on the "+": a tab for each item.
extension Surface: DropInteractionDelegate {
  private static let links = ["text/x-moz-url", "text/uri-list", "text/plain"]

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItemsConforming(toTypes: Self.links)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { sprung = nil }

  /// What is an address becomes a link, all else is text.
  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    var empty = sprung
    sprung = nil
    session.loadObjects(of: TabContent.self, limit: Note.longest) { [weak notes] pieces in
      for content in pieces.compactMap(\.object) {
        if let id = empty, notes?.fill(id, text: content.text, link: content.link) == true {
          empty = nil
        } else {
          notes?.open(content.link == nil ? "opened" : "link-opened", text: content.text, link: content.link)
        }
      }
    }
  }
}

/// A link, or a text that is none.
private struct TabContent: ItemProviderReading {
  static let readableTypesForItemProvider = ["text/x-moz-url", "text/uri-list", "text/plain"]

  let link: Link?
  let text: String

  init(itemProviderData data: [UInt8], type: String) {
    link = Link(data, type: type)
    text = link == nil ? String(decoding: data, as: UTF8.self) : ""
  }
}
