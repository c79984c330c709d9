import CLinux
import CarryModel
import CarryXdnd

/// A file or folder that another program drags, or has copied.
package struct ForeignFile: Sendable {
  /// Nil for an address that is not that of a file of this machine.
  private let path: String?
  /// The best first.
  private let types: [String]
  /// The address as received.
  private let address: [UInt8]
  /// Why it cannot be loaded, if that is known already.
  private let problem: String?

  /// The files of a list, one for each address. A file that is missing, or an address of something else among the files, is
  /// one whose loads fail and say why. May wait for a disk or a server.
  ///
  /// - Returns: none unless at least one address is that of a file.
  package static func all(in list: [UInt8]) -> [ForeignFile] {
    let addresses = XdndData.addresses(list, most: URIList.most)
    guard addresses.contains(where: { link($0) != nil }) else { return [] }
    guard addresses.count > Limits.itemsPerSession else { return addresses.map { ForeignFile($0) } }
    let dragged = Limits.itemsPerSession - 1
    let rest = addresses.count - dragged
    let files = addresses.prefix(dragged).map { ForeignFile($0) }
    return files
      + [
        ForeignFile(
          leftOut: "\(rest) more files: at most \(Limits.itemsPerSession) are dragged at a time",
          besides: files.map(\.types[0]))
      ]
  }

  /// The paths of the files of a list, without accessing the files.
  package static func paths(in list: [UInt8]) -> [String] {
    XdndData.addresses(list, most: Limits.itemsPerSession).compactMap { Self.link($0)?.path }
  }

  private static func link(_ address: [UInt8]) -> FileLink? {
    String(validating: address, as: UTF8.self).flatMap { FileLink(address: $0) }
  }

  /// Stands for files beyond the limit.
  ///
  /// - Parameter types: those of the others: a destination that accepts one of them is to hear of these.
  private init(leftOut problem: String, besides types: [String]) {
    let known = types.reduce(into: [String]()) { if !$0.contains($1), $0.count < 31 { $0.append($1) } }
    (path, self.types, address, self.problem) = (nil, known + [XdndOffer.uriList], [], problem)
  }

  private init(_ address: [UInt8]) {
    self.address = address
    guard let link = Self.link(address) else {
      let shown = SafeText.displayable(String(decoding: address, as: UTF8.self), limit: 200)
      (path, types, problem) = (nil, [FileType.guess(shown)], "\(shown) is not a file of this machine")
      return
    }
    var path = link.path
    FileAccess.willAccess(path)
    var status = stat()
    if stat(path, &status) != 0, clinux_errno() == ENOENT, let shorter = Self.withoutFragment(address) {
      FileAccess.willAccess(shorter)
      if stat(shorter, &status) == 0 { path = shorter }
    }
    (self.path, types, problem) = (path, [FileType.guess(path)], nil)
  }

  /// The path in front of a raw `#` or `?`, for addresses that have been written as those of pages.
  private static func withoutFragment(_ address: [UInt8]) -> String? {
    guard let end = address.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }) else {
      return nil
    }
    return link(Array(address[..<end]))?.path
  }

  package var item: DragItem {
    guard let path else {
      let provider = ItemProvider()
      let problem = problem ?? ""
      for type in types {
        provider.registerFileRepresentation(forType: type) { $0(.failure(LoadError(.sourceFailed, problem))) }
      }
      if !address.isEmpty { provider.register(XdndData.list(address), forType: XdndOffer.uriList) }
      return DragItem(itemProvider: provider)
    }
    let provider = ItemProvider(contentsOf: path, type: types[0])
    provider.isForeign = true
    provider.register(XdndData.list(address), forType: XdndOffer.uriList)
    return DragItem(itemProvider: provider)
  }

  /// The file for programs that could open it by themselves, and its address for all others: the program that has
  /// named the file cannot be identified reliably.
  package var itemOutsideSandboxes: DragItem {
    let item = item
    item.itemProvider.typesOutsideSandboxes = Set(types)
    return item
  }
}
