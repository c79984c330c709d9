import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryXdnd

/// Empty files with the names of dragged items, for targets that look at a file's ending while the drag hovers. They lie
/// in the runtime directory, which is in memory: the bridge must not wait for a disk here.
final class HoverNames {
  private let files: [Int: XdndOffer.NamedFile]
  /// Nil until it is needed, and if it cannot be made.
  private lazy var folder = Self.makeFolder()
  private var addresses: [Int: String] = [:]
  private var paths: [String] = []

  init(_ files: [Int: XdndOffer.NamedFile]) { self.files = files }

  deinit {
    for path in paths where unlink(path) != 0 { rmdir(path) }
    if !paths.isEmpty, let folder { rmdir(folder) }
  }

  private static func makeFolder() -> String? {
    guard let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return nil }
    var template = Array("\(runtime)/carry-names-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The address of an item's empty file; nil if there is none.
  func address(of item: Int) -> String? {
    if let known = addresses[item] { return known }
    guard let file = files[item], let name = try? SafeText.fileName(file.name), let folder else { return nil }
    let path = "\(folder)/\(name)"
    if !paths.contains(path) {
      if file.type == "inode/directory" {
        guard mkdir(path, 0o500) == 0 else { return nil }
      } else {
        guard (try? Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o400)) != nil else { return nil }
      }
      paths.append(path)
    }
    addresses[item] = FileLink(path: path)?.address
    return addresses[item]
  }
}
