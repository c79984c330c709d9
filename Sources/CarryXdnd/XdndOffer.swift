import CarryModel

/// What a drag of Carry's offers to programs that speak XDND: X types with, for each, how to make its data.
///
/// Media types are X types by their names. Text has the names that toolkits know besides. Files, and whatever can become
/// one, are addresses in `text/uri-list` too, since that is what file managers and browsers take.
package struct XdndOffer: Equatable, Sendable {
  /// An item as its source describes it.
  package struct Item: Equatable, Sendable {
    package var name: String
    /// The best first.
    package var types: [String]
    /// Whether it is a file or folder that is there and nothing else, or has to go as one.
    package var isFile: Bool

    package init(name: String, types: [String], isFile: Bool = false) {
      (self.name, self.types, self.isFile) = (name, types, isFile)
    }

    /// What `carryItem` says: the name and the types, a line each. Any program may say anything.
    package init(_ description: [UInt8]) {
      let most = Limits.typesPerItem + 1
      let lines = description.split(separator: 0x0A, maxSplits: most, omittingEmptySubsequences: false).prefix(most)
        .map { String(decoding: $0, as: UTF8.self) }
      (name, types, isFile) = (lines.first ?? "", Array(lines.dropFirst()), false)
    }

    fileprivate var description: [UInt8] {
      // Text goes by these names, whichever its own is.
      let known = types.map { type in
        XdndOffer.isPlainText(type) && !XdndOffer.textNames.contains { $0.name == type }
          ? XdndOffer.textNames[0].name : type
      }
      return Array(([name.contains("\n") ? "" : name] + known).joined(separator: "\n").utf8)
    }

    /// The type of a picture of which there is no PNG file; nil where it is none, or there is one.
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

  /// An entry of a list of addresses.
  package enum Address: Hashable, Sendable {
    /// The representation is a list of addresses itself.
    case list(Part)
    /// The representation becomes a file.
    case file(Part)

    package var part: Part {
      switch self {
      case .list(let part), .file(let part): part
      }
    }
  }

  /// How to make the data of an X type.
  package enum Recipe: Equatable, Sendable {
    /// The bytes as they are.
    case bytes(Part)
    /// Text: the texts of all items, a line each.
    case text([Part], Encoding)
    case addresses([Address])
    /// The key of a transfer of files by the FileTransfer portal.
    case transfer([Address])
    /// The first address and a title, for browsers.
    case link(Part, Encoding, title: String)
    /// A PNG file is made of a picture of another type.
    case png(Part)
    /// Addresses for file managers that paste.
    case copiedFiles([Address])
    /// The name and the types of the item, for a program that pastes by Carry.
    case description([UInt8])
    /// The file is saved where the target says (XDS), and the data is a letter that says whether it was.
    case directSave(Part)
  }

  package enum Encoding: Equatable, Sendable { case utf8, latin1, utf16 }

  /// The X types, the best first.
  package private(set) var types: [String] = []
  private var recipes: [String: Recipe] = [:]

  package static let uriList = "text/uri-list"
  /// By this type a target has a file saved in a place that it names. It is the name of a property, too.
  /// https://www.freedesktop.org/wiki/Specifications/XDS/
  package static let directSave = "XdndDirectSave0"
  /// What a target asks for that could not have the file saved.
  package static let anyBytes = "application/octet-stream"
  /// The name of the FileTransfer portal's type, and the one that GTK knows besides. The data is a key.
  package static let portalTypes = ["application/vnd.portal.filetransfer", "application/vnd.portal.files"]
  /// What file managers paste by, beside `text/uri-list`: Nautilus, Thunar, PCManFM.
  package static let copiedFiles = "x-special/gnome-copied-files"
  /// By this a program that pastes by Carry learns what the one item is. It would take an item that can become a file for that
  /// file otherwise, and have it made to see what it is.
  package static let carryItem = "CARRY_ITEM"
  /// X types that are no media types but mean text.
  static let textNames: [(name: String, encoding: Encoding)] = [
    ("text/plain;charset=utf-8", .utf8), ("UTF8_STRING", .utf8), ("text/plain", .utf8), ("STRING", .latin1),
  ]
  /// Types that only the selection's owner answers, and that no item can stand for.
  private static let reserved = Set(
    portalTypes + [
      "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INCR", "ATOM", directSave,
    ])

  /// - Parameters:
  ///   - usesPortal: whether files are offered by the FileTransfer portal, too: to a program in a sandbox.
  ///   - savesDirectly: whether the target may name the place where a file is saved.
  ///   - makesPNG: whether a PNG file can be made of a picture of another type.
  ///   - isCopied: whether they are on the clipboard.
  package init(
    _ items: [Item], usesPortal: Bool = false, savesDirectly: Bool = false, makesPNG: Bool = false,
    isCopied: Bool = false
  ) {
    guard !items.isEmpty else { return }
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

  /// Last in the list: an address is less work for the target, and for a program that takes the first type that it knows
  /// nothing changes. A target has one name to rewrite, and so this is for one item.
  private mutating func offerDirectSave(of items: [Item]) {
    guard items.count == 1, case .file(let part) = Self.address(of: 0, items[0]), part.type != "inode/directory"
    else { return }
    types.append(Self.directSave)
    recipes[Self.directSave] = .directSave(part)
    // Not in the list, but answered: a target that is told `F` asks for it.
    if recipes[Self.anyBytes] == nil { recipes[Self.anyBytes] = .bytes(part) }
  }

  /// The representation that a target can have saved; nil where it cannot.
  package var savedPart: Part? { if case .directSave(let part) = recipes[Self.directSave] { part } else { nil } }

  /// Addresses that the source gives may be those of anything, and the portal takes no folders.
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

  /// What stands for the data while the drag hovers. Some programs fetch it then, to find out whether they could take it;
  /// it says nothing of what is dragged. An empty answer would be no answer to them.
  ///
  /// - Returns: nil where there is no such type.
  package func placeholder(for type: String) -> [UInt8]? {
    switch recipes[type] {
    // A key stands for files, and those are not given before the drop; and neither is one saved.
    case nil, .transfer, .directSave: nil
    // Nothing hovers before a paste.
    case .copiedFiles, .description: nil
    case .bytes, .png, .text(_, .utf8), .text(_, .latin1): [0x20]
    case .text(_, .utf16): XdndData.encoded([0x20], .utf16)
    case .addresses(let addresses):
      if case .file = addresses.first { Array("file:///dev/null\r\n".utf8) } else { Array("about:blank\r\n".utf8) }
    case .link(_, let encoding, _): XdndData.encoded(Array("about:blank\n ".utf8), encoding)
    }
  }

  /// The types in the order of the source, but for addresses of files: whoever drags a file that has a name means the file.
  private mutating func offer(_ item: Item, makesPNG: Bool) {
    let file = Self.address(of: 0, item)
    if let file, !item.name.isEmpty { add(Self.uriList, .addresses([file])) }
    for type in item.types {
      if type == Self.uriList {
        offerLink(Part(0, type), title: item.name)
      } else if Self.isPlainText(type) {
        offerText([Part(0, type)])
      } else {
        add(type, .bytes(Part(0, type)))
      }
    }
    if makesPNG, let type = item.picture { add(Self.png, .png(Part(0, type))) }
    if let file { add(Self.uriList, .addresses([file])) }
  }

  /// The type of pictures that every program knows.
  private static let png = "image/png"

  /// Of several items, what can be said of all of them: addresses where any is a file or a link, and text where all have
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

  /// The file that an item can become; nil for what nobody takes for a file: a text without a name, a link, a colour.
  ///
  /// - Parameter isAnything: whether such things count all the same.
  private static func address(of index: Int, _ item: Item, isAnything: Bool = false) -> Address? {
    guard let best = item.types.first(where: { $0 != uriList }) else { return nil }
    let isFile = !item.name.isEmpty || (!isPlainText(best) && best != "application/x-color" && best != "text/html")
    guard isAnything || (isFile && !item.types.contains(uriList)) else { return nil }
    return .file(Part(index, best))
  }

  static func isPlainText(_ type: String) -> Bool { MediaType.isJust(type, "text/plain") }
}
