import CLinux
import Carry
import CarryModel
import CarryXdnd

/// Items of what programs of another protocol drag.
enum ForeignItems {
  /// Whether a program sees the same files as the bridge, and may therefore have them opened by their names. A program in a
  /// sandbox could name a file that it cannot read, and drop it on itself.
  static func areOfOurFiles(_ process: Int32?) -> Bool {
    guard let process else { return false }
    var ours = stat()
    var theirs = stat()
    var folder = stat()
    return stat("/proc/self/ns/mnt", &ours) == 0 && stat("/proc/\(process)/ns/mnt", &theirs) == 0
      && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
      && stat("/proc/\(process)", &folder) == 0 && folder.st_uid == getuid()
  }

  /// An item for each file of a list of addresses; none unless every address is that of a file or folder that is there.
  static func files(of list: [UInt8]) -> [DragItem] {
    let addresses = XdndData.addresses(list).prefix(Limits.itemsPerSession + 1)
    guard !addresses.isEmpty, addresses.count <= Limits.itemsPerSession else { return [] }
    var items: [DragItem] = []
    for address in addresses {
      guard let text = String(validating: address, as: UTF8.self), let link = FileLink(address: text) else { return [] }
      var status = stat()
      guard stat(link.path, &status) == 0 else { return [] }
      let kind = status.st_mode & mode_t(S_IFMT)
      guard kind == mode_t(S_IFREG) || kind == mode_t(S_IFDIR) else { return [] }
      let provider = ItemProvider(contentsOf: link.path)
      let bytes = XdndData.list([address])
      provider.registerDataRepresentation(forType: XdndOffer.uriList) { $0(.success(bytes)) }
      items.append(DragItem(itemProvider: provider))
    }
    return items
  }
}
