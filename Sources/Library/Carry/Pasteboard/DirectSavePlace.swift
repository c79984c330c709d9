import CLinux
import CarryModel

/// The place where the target of a drop wants a file to be saved (XDS), in the form that it sends:
/// `file://host/folder/name`.
package struct DirectSavePlace: Equatable, Sendable {
  package let folder: String
  package let name: String

  /// The maximum length of an address in bytes: the longest path with every byte escaped, and a host.
  package static let longest = 16_384

  /// - Parameters:
  ///   - address: the value of the property, which any program can write.
  ///   - host: the name of this machine.
  ///   - offered: the offered file name. A target may choose another with the same extension: a dropped file must not
  ///     become hidden, and a picture must not become a program.
  /// - Returns: nil if it is not such a place on this machine, or is in a hidden folder.
  package init?(_ address: [UInt8], on host: String = FileLink.ownHost, offeredAs offered: String) {
    guard let text = String(validating: address, as: UTF8.self), text.prefix(7).lowercased() == "file://",
      let path = FileLink(address: text, host: host)?.path
    else { return nil }
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let name = String(path[path.index(after: slash)...])
    guard (try? SafeText.fileName(name)) == name, Self.ending(name) == Self.ending(offered) else { return nil }
    guard !SaveFolder.isHidden(path[..<slash]) else { return nil }
    self.name = name
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The address of a file that another program is to save, with the name of this machine.
  package static func address(ofPath path: String, on host: String = FileLink.ownHost) -> String {
    let address = SafeText.fileAddress(ofPath: path)
    return "file://" + host + address.dropFirst("file://".count)
  }

  private static func ending(_ name: String) -> Substring {
    name.lastIndex(of: ".").map { name[$0...] } ?? ""
  }
}
