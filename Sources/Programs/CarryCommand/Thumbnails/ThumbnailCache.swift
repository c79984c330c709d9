import CLinux
import CarrySystem

/// The desktop's thumbnail cache, which file managers fill. Read only.
/// https://specifications.freedesktop.org/thumbnail-spec
package enum ThumbnailCache {
  /// The maximum size of a thumbnail file, in bytes.
  static let longest = 4 << 20

  /// The existing thumbnails of a file, the best size first. Whether they are current has not been checked.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - cache: The directory of all caches, for example `directory`; nil if there is none.
  package static func candidates(for path: String, in cache: String?) -> [String] {
    guard let cache else { return [] }
    let names = addresses(of: path).map { MD5.text($0) + ".png" }
    return ["large", "x-large", "normal", "xx-large"].flatMap { size in
      names.map { "\(cache)/thumbnails/\(size)/\($0)" }
    }.filter { Files.exists($0) }
  }

  /// Whether a thumbnail matches the current file.
  ///
  /// - Parameters:
  ///   - png: The thumbnail file's bytes.
  ///   - modified: The file's modification time, in seconds.
  package static func isCurrent(_ png: [UInt8], for path: String, modified: Int) -> Bool {
    let texts = PNGTexts.read(png)
    guard texts["Thumb::MTime"] == "\(modified)", let address = texts["Thumb::URI"] else { return false }
    return addresses(of: path).contains(address)
  }

  /// `$XDG_CACHE_HOME`, or `~/.cache`.
  package static var directory: String? {
    if let given = environment("XDG_CACHE_HOME"), given.hasPrefix("/") { return given }
    return environment("HOME").map { $0 + "/.cache" }
  }

  /// The URIs that a file may have in the cache: escaped as GLib does, and with every permitted character escaped.
  package static func addresses(of path: String) -> [String] {
    let mild = address(path, keeping: "!$&'()*+,-./:=@_~")
    let strict = address(path, keeping: "-./_~")
    return mild == strict ? [mild] : [mild, strict]
  }

  private static func address(_ path: String, keeping kept: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes = Array("file://".utf8)
    for b in path.utf8 {
      switch b {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        bytes.append(b)
      case _ where kept.utf8.contains(b): bytes.append(b)
      default: bytes += [UInt8(ascii: "%"), digits[Int(b >> 4)], digits[Int(b & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The texts that precede the pixels in a PNG file. https://www.w3.org/TR/png/#11tEXt
enum PNGTexts {
  /// By keyword; empty if the bytes are not a PNG file.
  static func read(_ bytes: [UInt8]) -> [String: String] {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return [:] }
    var found: [String: String] = [:]
    var at = 8
    // Length, type, data and checksum.
    while at + 12 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = bytes[at + 4..<at + 8]
      guard length <= bytes.count - at - 12, !type.elementsEqual("IDAT".utf8) else { break }
      let data = bytes[at + 8..<at + 8 + length]
      if type.elementsEqual("tEXt".utf8), let zero = data.firstIndex(of: 0) {
        found[String(decoding: data[..<zero], as: UTF8.self)] = String(decoding: data[(zero + 1)...], as: UTF8.self)
      }
      at += 12 + length
    }
    return found
  }
}
