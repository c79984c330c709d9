import CLinux
import CPixbuf

/// A picture as an item: PNG, which is lossless, and JPEG.
///
/// gdk-pixbuf reads and writes the files; it is loaded when the first picture is read or written.
public struct ItemImage: Equatable, Sendable {
  /// The maximum width and height, in pixels.
  public static let longestSide = 32_767
  /// The maximum number of pixels: 64 Mi, which are 256 MiB.
  public static let maxPixels = 1 << 26

  /// For tests: simulates a system without gdk-pixbuf.
  @TaskLocal package static var isWithoutCodec = false

  private static var hasCodec: Bool { !isWithoutCodec && cpixbuf_is_there() }

  /// In pixels, at least 1.
  public let width, height: Int
  /// Rows from the top, `width` pixels each: 0xAARRGGBB, premultiplied by alpha.
  public let pixels: [UInt32]

  /// Creates a picture from its pixels.
  ///
  /// - Parameters:
  ///   - width: in pixels, at most `longestSide`.
  ///   - height: in pixels, at most `longestSide`.
  ///   - pixels: 0xAARRGGBB, premultiplied; rows from the top, without gaps.
  /// - Returns: nil if a side is not positive or too long, there are more than `maxPixels`, or their number is not
  ///   `width` times `height`.
  public init?(width: Int, height: Int, premultipliedARGB pixels: [UInt32]) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height),
      width * height <= Self.maxPixels, pixels.count == width * height
    else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// PNG, then JPEG, which is smaller and not transparent: transparent parts are on white there.
  public static let writableTypesForItemProvider = ["image/png", "image/jpeg"]
  /// PNG, then JPEG.
  public static let readableTypesForItemProvider = ["image/png", "image/jpeg"]

  /// Returns the picture as a file.
  ///
  /// - Throws: `ItemDataError` if gdk-pixbuf is missing, or there is no memory.
  public func loadRepresentation(forType type: String) throws -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    var problem = cpixbuf_problem()
    let format = type == "image/jpeg" ? "jpeg" : "png"
    guard Self.hasCodec, cpixbuf_encode(pixels, CInt(width), CInt(height), format, &bytes, &count, &problem), let bytes
    else {
      throw Self.error("written", type, problem)
    }
    defer { free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Decodes a picture, rotated by its EXIF orientation.
  ///
  /// - Parameters:
  ///   - data: the file.
  ///   - type: `image/png` or `image/jpeg`: the bytes must be of exactly this type.
  /// - Throws: `ItemDataError` if they are not, if the picture has more than `maxPixels` or a side longer than
  ///   `longestSide`, or if gdk-pixbuf is missing.
  public init(itemProviderData data: [UInt8], type: String) throws {
    var picture = cpixbuf_picture()
    var problem = cpixbuf_problem()
    guard Self.readableTypesForItemProvider.contains(type) else { throw ItemDataError("\(type) is not read here") }
    guard Self.hasCodec,
      data.withUnsafeBytes({ bytes in
        cpixbuf_decode(
          bytes.baseAddress, bytes.count, type, CInt(Self.longestSide), Int64(Self.maxPixels), &picture, &problem)
      }), let pixels = picture.pixels
    else { throw Self.error("read", type, problem) }
    defer { free(pixels) }
    width = Int(picture.width)
    height = Int(picture.height)
    self.pixels = Array(UnsafeBufferPointer(start: pixels, count: width * height))
  }

  private static func error(_ done: String, _ type: String, _ problem: cpixbuf_problem) -> ItemDataError {
    guard hasCodec else {
      return ItemDataError(
        "pictures are read and written with gdk-pixbuf, which is missing: install libgdk-pixbuf-2.0-0")
    }
    let clause = withUnsafeBytes(of: problem) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return ItemDataError("the picture cannot be \(done) as \(type): \(clause)")
  }
}
