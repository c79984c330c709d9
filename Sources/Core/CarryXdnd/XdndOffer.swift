import CarryModel

/// What a drag of Carry's offers to programs that speak XDND: X types and how to produce the data of each.
///
/// Media types keep their names as X types. Text also gets the names that toolkits know. Files, and items that can
/// become files, are also offered as `text/uri-list`, which file managers and browsers accept.
package struct XdndOffer: Equatable, Sendable {
  /// An item as its source describes it.
  package struct Item: Equatable, Sendable {
    package var name: String
    /// The best first.
    package var types: [String]
    /// Whether the item is an existing file or folder and nothing else, or has to be transferred as one.
    package var isFile: Bool

    package init(name: String, types: [String], isFile: Bool = false) {
      (self.name, self.types, self.isFile) = (name, types, isFile)
    }

    /// Decodes the data of `carryItem`: the name and the types, a line each. The data is untrusted.
    package init(_ description: [UInt8]) {
      let most = Limits.typesPerItem + 1
      let lines = description.split(separator: 0x0A, maxSplits: most, omittingEmptySubsequences: false).prefix(most)
        .map { String(decoding: $0, as: UTF8.self) }
      (name, types, isFile) = (lines.first ?? "", Array(lines.dropFirst()), false)
    }

    fileprivate var description: [UInt8] {
      // Text gets a well-known name, whatever its own is.
      let known = types.map { type in
        XdndOffer.isPlainText(type) && !XdndOffer.textNames.contains { $0.name == type }
          ? XdndOffer.textNames[0].name : type
      }
      return Array(([name.contains("\n") ? "" : name] + known).joined(separator: "\n").utf8)
    }

    /// The type of a picture without a PNG representation; nil if there is none.
    package var picture: String? {
      guard !types.contains(where: { MediaType.isJust($0, png) }) else { return nil }
      return types.first { $0.hasPrefix("image/") }
    }
  }

  /// One representation of one item.
  package struct Part: Hashable, Sendable {
    package var item: Int
    package var type: String

    package init(_ item: Int, _ type: String) { (self.item, self.type) = (item, type) }
  }

  /// An entry of a URI list.
  package enum Address: Hashable, Sendable {
    /// The representation itself is a URI list.
    case list(Part)
    /// The representation becomes a file.
    case file(Part)

    package var part: Part {
      switch self {
      case .list(let part), .file(let part): part
      }
    }
  }

  /// How to produce the data of an X type.
  package enum Recipe: Equatable, Sendable {
    /// The bytes unchanged.
    case bytes(Part)
    /// The texts of all items, a line each.
    case text([Part], Encoding)
    case addresses([Address])
    /// The key of a FileTransfer portal transfer.
    case transfer([Address])
    /// The first address and a title, for browsers.
    case link(Part, Encoding, title: String)
    /// A PNG converted from a picture of another type.
    case png(Part)
    /// Addresses in the clipboard format of file managers.
    case copiedFiles([Address])
    /// The name and types of the item, for a program that pastes with Carry.
    case description([UInt8])
    /// The file is saved at the target's location (XDS), and the data is a letter that reports the result.
    case directSave(Part)
  }

  package enum Encoding: Equatable, Sendable { case utf8, latin1, utf16 }

  /// The X types, the best first.
  package private(set) var types: [String] = []
  private var recipes: [String: Recipe] = [:]
  /// What an item's file is called, and its type.
  package struct NamedFile: Equatable, Sendable {
    package let name: String
    package let type: String
  }

  /// The items with a name that are files or become files, by their index.
  package private(set) var files: [Int: NamedFile] = [:]

  package static let uriList = "text/uri-list"
  /// With this type a target has a file saved at a location it chooses. Also the name of the property with that
  /// location. https://www.freedesktop.org/wiki/Specifications/XDS/
  package static let directSave = "XdndDirectSave0"
  /// Requested by a target for which the file could not be saved.
  package static let anyBytes = "application/octet-stream"
  /// The name of the FileTransfer portal's type, and the one that GTK also knows. The data is a key.
  package static let portalTypes = ["application/vnd.portal.filetransfer", "application/vnd.portal.files"]
  /// The type that file managers paste in addition to `text/uri-list`: Nautilus, Thunar, PCManFM.
  package static let copiedFiles = "x-special/gnome-copied-files"
  /// Describes the single item to a program that pastes with Carry. That program would otherwise treat an item that
  /// can become a file as that file, and would have the file created only to examine it.
  package static let carryItem = "CARRY_ITEM"
  /// X types that are not media types but mean text.
  static let textNames: [(name: String, encoding: Encoding)] = [
    ("text/plain;charset=utf-8", .utf8), ("UTF8_STRING", .utf8), ("text/plain", .utf8), ("STRING", .latin1),
  ]
  /// Types answered by the selection owner itself, which items cannot have.
  private static let reserved = Set(
    portalTypes + [
      "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INCR", "ATOM", directSave,
    ])

  /// - Parameters:
  ///   - usesPortal: Whether files are also offered through the FileTransfer portal, for sandboxed programs.
  ///   - savesDirectly: Whether the target may choose where a file is saved.
  ///   - makesPNG: Whether pictures of other types can be converted to PNG.
  ///   - isCopied: Whether the items are on the clipboard.
  package init(
    _ items: [Item], usesPortal: Bool = false, savesDirectly: Bool = false, makesPNG: Bool = false,
    isCopied: Bool = false
  ) {
    guard !items.isEmpty else { return }
    for (i, item) in items.enumerated() where !item.name.isEmpty && !Self.isLink(item) {
      files[i] = NamedFile(name: item.name, type: item.types.first { $0 != Self.uriList } ?? Self.anyBytes)
    }
    if items.count == 1 { offer(items[0], makesPNG: makesPNG) } else { offer(all: items) }
    if usesPortal { offerToSandbox() }
    if savesDirectly { offerDirectSave(of: items) }
    if isCopied { offerToPaste(items) }
  }

  private mutating func offerToPaste(_ items: [Item]) {
    guard case .addresses(let addresses) = recipes[Self.uriList] else { return }
    add(Self.copiedFiles, .copiedFiles(addresses))
    let isFolder = items[0].types.contains("inode/directory")
    if case .file = addresses.first, items.count == 1, !items[0].isFile, !isFolder {
      add(Self.carryItem, .description(items[0].description))
    }
  }

  /// Listed last: an address is less work for the target, and programs that pick the first type they know are not
  /// affected. Offered for one item only, since the target can rewrite only one name.
  private mutating func offerDirectSave(of items: [Item]) {
    guard items.count == 1, case .file(let part) = Self.address(of: 0, items[0]), part.type != "inode/directory"
    else { return }
    types.append(Self.directSave)
    recipes[Self.directSave] = .directSave(part)
    // Not listed, but answered: a target that receives `F` requests it.
    if recipes[Self.anyBytes] == nil { recipes[Self.anyBytes] = .bytes(part) }
  }

  /// The representation that a target can have saved; nil if it cannot.
  package var savedPart: Part? { if case .directSave(let part) = recipes[Self.directSave] { part } else { nil } }

  /// Only for representations that become files: addresses from the source may refer to anything, and the portal
  /// accepts no folders.
  private mutating func offerToSandbox() {
    guard case .addresses(let addresses) = recipes[Self.uriList],
      addresses.allSatisfy({ if case .file(let part) = $0 { part.type != "inode/directory" } else { false } })
    else { return }
    for type in Self.portalTypes {
      types.append(type)
      recipes[type] = .transfer(addresses)
    }
  }

  package func recipe(for type: String) -> Recipe? { recipes[type] }

  /// The data served while the drag hovers, which reveals no data and no place. Some programs request data then to decide
  /// whether they accept it, and do not regard an empty reply as an answer; some look at the endings of files' names.
  ///
  /// - Parameter address: Returns the address of an empty file with the name of an item of `files`; nil for none.
  /// - Returns: Nil if there is no such type.
  package func placeholder(for type: String, address: (Int) -> String? = { _ in nil }) -> [UInt8]? {
    switch recipes[type] {
    // A key or a saved file would hand over files before the drop.
    case nil, .transfer, .directSave: nil
    // There is no hovering before a paste.
    case .copiedFiles, .description: nil
    case .bytes, .png, .text(_, .utf8), .text(_, .latin1): [0x20]
    case .text(_, .utf16): XdndData.encoded([0x20], .utf16)
    case .addresses(let addresses):
      if let named = Self.all(addresses.map { address($0.part.item) }) {
        XdndData.list(named)
      } else if case .file = addresses.first {
        Array("file:///dev/null\r\n".utf8)
      } else {
        Array("about:blank\r\n".utf8)
      }
    case .link(_, let encoding, _): XdndData.encoded(Array("about:blank\n ".utf8), encoding)
    }
  }

  private static func all(_ list: [String?]) -> [String]? {
    list.contains(nil) || list.isEmpty ? nil : list.compactMap { $0 }
  }

  /// The types in the source's order, except for file addresses: an item with a name is primarily a file.
  private mutating func offer(_ item: Item, makesPNG: Bool) {
    let list = item.types.contains(Self.uriList) ? Address.list(Part(0, Self.uriList)) : nil
    let file = list ?? Self.address(of: 0, item)
    let isLink = Self.isLink(item)
    if let file, !item.name.isEmpty, !isLink { add(Self.uriList, .addresses([file])) }
    for type in item.types {
      if type == Self.uriList {
        if isLink { offerLink(Part(0, type), title: item.name) } else { add(type, .addresses([.list(Part(0, type))])) }
      } else if Self.isPlainText(type) {
        offerText([Part(0, type)])
      } else {
        add(type, .bytes(Part(0, type)))
      }
    }
    if makesPNG, let type = item.picture { add(Self.png, .png(Part(0, type))) }
    if let file { add(Self.uriList, .addresses([file])) }
  }

  /// Whether an address is that of a page: the same link follows as text. Lists of files have no text, or have the text
  /// of the file first. The link types have room for one address, and some file managers prefer them to the list.
  private static func isLink(_ item: Item) -> Bool {
    guard let list = item.types.firstIndex(of: uriList) else { return false }
    return item.types.firstIndex(where: isPlainText).map { list < $0 } ?? false
  }

  /// The picture type that every program supports.
  private static let png = "image/png"

  /// For several items, only types that fit all of them: addresses if any is a file or link, and text if all have
  /// text.
  private mutating func offer(all items: [Item]) {
    let addresses = items.enumerated().map { i, item in
      item.types.contains(Self.uriList) ? .list(Part(i, Self.uriList)) : Self.address(of: i, item, isAnything: true)
    }
    let hasFiles = items.enumerated().contains { i, item in
      item.types.contains(Self.uriList) || Self.address(of: i, item) != nil
    }
    if hasFiles, !addresses.contains(nil) { add(Self.uriList, .addresses(addresses.compactMap { $0 })) }
    let texts = items.enumerated().map { i, item in item.types.first(where: Self.isPlainText).map { Part(i, $0) } }
    if !texts.contains(nil) { offerText(texts.compactMap { $0 }) }
  }

  private mutating func offerLink(_ part: Part, title: String) {
    add(Self.uriList, .addresses([.list(part)]))
    add("text/x-moz-url", .link(part, .utf16, title: title))
    add("_NETSCAPE_URL", .link(part, .utf8, title: title))
  }

  private mutating func offerText(_ parts: [Part]) {
    for (name, encoding) in Self.textNames { add(name, .text(parts, encoding)) }
  }

  private mutating func add(_ type: String, _ recipe: Recipe) {
    guard recipes[type] == nil, !Self.reserved.contains(type) else { return }
    types.append(type)
    recipes[type] = recipe
  }

  /// The file that an item can become; nil for items not regarded as files: a text without a name, a link, a colour.
  ///
  /// - Parameter isAnything: Whether such items count as files nevertheless.
  private static func address(of index: Int, _ item: Item, isAnything: Bool = false) -> Address? {
    guard let best = item.types.first(where: { $0 != uriList }) else { return nil }
    let isFile = !item.name.isEmpty || (!isPlainText(best) && best != "application/x-color" && best != "text/html")
    guard isAnything || (isFile && !item.types.contains(uriList)) else { return nil }
    return .file(Part(index, best))
  }

  static func isPlainText(_ type: String) -> Bool { MediaType.isJust(type, "text/plain") }
}
