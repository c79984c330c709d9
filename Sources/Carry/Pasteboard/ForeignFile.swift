import CLinux
import CarryModel
import CarryXdnd

/// A file or folder that another program drags, or has copied.
package struct ForeignFile: Sendable {
  private let path: String
  private let type: String
  /// The address as received.
  private let address: [UInt8]

  /// The files of a list; none unless every address refers to an existing file or folder. May wait for a disk or a
  /// server.
  package static func all(in list: [UInt8]) -> [ForeignFile] {
    let addresses = XdndData.addresses(list, most: Limits.itemsPerSession + 1)
    guard addresses.count <= Limits.itemsPerSession else { return [] }
    var files: [ForeignFile] = []
    for address in addresses {
      guard let file = ForeignFile(address) else { return [] }
      files.append(file)
    }
    return files
  }

  /// The paths of a list, without accessing the files; none unless every address is that of a file.
  package static func paths(in list: [UInt8]) -> [String] {
    let addresses = XdndData.addresses(list, most: Limits.itemsPerSession + 1)
    let paths = addresses.compactMap { Self.link($0)?.path }
    return paths.count == addresses.count && paths.count <= Limits.itemsPerSession ? paths : []
  }

  private static func link(_ address: [UInt8]) -> FileLink? {
    String(validating: address, as: UTF8.self).flatMap { FileLink(address: $0) }
  }

  private init?(_ address: [UInt8]) {
    guard let link = Self.link(address) else { return nil }
    AsideLook.isAbout(toLookAt: link.path)
    var status = stat()
    guard stat(link.path, &status) == 0 else { return nil }
    let kind = status.st_mode & mode_t(S_IFMT)
    guard kind == mode_t(S_IFREG) || kind == mode_t(S_IFDIR) else { return nil }
    (path, type, self.address) = (link.path, ItemProvider.type(ofFileAt: link.path), address)
  }

  package var item: DragItem {
    let provider = ItemProvider(contentsOf: path, type: type)
    provider.isForeign = true
    let bytes = XdndData.list(address)
    provider.register(bytes, forType: XdndOffer.uriList)
    return DragItem(itemProvider: provider)
  }

  /// The file for programs that could open it by themselves, and its address for all others: the program that has
  /// named the file cannot be identified reliably.
  package var itemOutsideSandboxes: DragItem {
    let item = item
    item.itemProvider.typesOutsideSandboxes = [type]
    return item
  }
}
