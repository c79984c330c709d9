/// A colour as an item: `application/x-color`, in the format of GTK and Qt.
public struct ItemColor: Equatable, Sendable {
  /// From 0 to 65535; not premultiplied by alpha.
  public var red, green, blue: UInt16
  /// From 0, transparent, to 65535, opaque.
  public var alpha: UInt16

  /// Creates a colour from its components, 0 to 65535 each.
  public init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = .max) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `application/x-color`.
  public static let writableTypesForItemProvider = ["application/x-color"]
  /// `application/x-color`.
  public static let readableTypesForItemProvider = ["application/x-color"]

  /// Returns four 16-bit numbers in the machine's byte order: red, green, blue and alpha.
  public func loadRepresentation(forType type: String) -> [UInt8] {
    [red, green, blue, alpha].flatMap { part in withUnsafeBytes(of: part) { Array($0) } }
  }

  /// Reads four 16-bit numbers.
  ///
  /// - Throws: `ItemDataError` if there are not eight bytes.
  public init(itemProviderData data: [UInt8], type: String) throws {
    guard data.count == 8 else { throw ItemDataError("a colour has 8 bytes, not \(data.count)") }
    let parts = data.withUnsafeBytes { bytes in
      (0..<4).map { bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) }
    }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}
