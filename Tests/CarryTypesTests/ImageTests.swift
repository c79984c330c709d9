import CarryModel
import Testing

@testable import CarryTypes

/// Pictures in files, through gdk-pixbuf.
@Suite struct ImageTests {
  private static let picture = ItemImage(
    width: 3, height: 2,
    premultipliedARGB: [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0x8080_0000, 0x0000_0000, 0xFF12_3456])

  private func read(_ bytes: [UInt8], _ type: String) throws -> ItemImage {
    try ItemImage(itemProviderData: bytes, type: type)
  }

  @Test("I2, I9, I10: a PNG file keeps every pixel") func I2_png() throws {
    let picture = try #require(Self.picture)
    let bytes = try picture.loadRepresentation(forType: "image/png")
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try read(bytes, "image/png") == picture)
  }

  @Test("I2, I9, I10: a JPEG file has the size, the colours as they are about, and white where nothing is")
  func I2_jpeg() throws {
    let pixels = [UInt32](repeating: 0xFFC8_2814, count: 512) + [UInt32](repeating: 0, count: 512)
    let picture = try #require(ItemImage(width: 32, height: 32, premultipliedARGB: pixels))
    let bytes = try picture.loadRepresentation(forType: "image/jpeg")
    #expect(bytes.starts(with: [0xFF, 0xD8]))
    let again = try read(bytes, "image/jpeg")
    #expect(again.width == 32 && again.height == 32)
    func part(_ pixel: UInt32, _ shift: UInt32) -> Int { Int(pixel >> shift & 255) }
    for shift in [UInt32(0), 8, 16, 24] {
      #expect(abs(part(again.pixels[100], shift) - part(0xFFC8_2814, shift)) < 12)
      #expect(part(again.pixels[1000], shift) > 243)
    }
  }

  @Test("I10: bytes that are no picture, of another type, or too large are an error, and never a trap")
  func I10_hostilePictures() throws {
    let picture = try #require(Self.picture)
    let png = try picture.loadRepresentation(forType: "image/png")
    let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)
    for (bytes, type) in [
      ([], "image/png"), ([1, 2, 3], "image/png"), (png, "image/jpeg"), (svg, "image/png"), (svg, "image/svg+xml"),
      (Array(png.prefix(40)), "image/png"), (Array("GIF89a".utf8), "image/png"),
    ] { #expect(throws: ItemDataError.self, "\(type)") { try read(bytes, type) } }
    // A head that says 32,768 × 1, and 32,767 × 32,767, with the checksums that belong to it.
    for (width, height) in [(UInt32(32_768), UInt32(1)), (32_767, 32_767), (0, 1), (0x7FFF_FFFF, 0x7FFF_FFFF)] {
      var bytes = png
      for i in 0..<4 {
        bytes[16 + i] = UInt8(truncatingIfNeeded: width >> (24 - 8 * UInt32(i)))
        bytes[20 + i] = UInt8(truncatingIfNeeded: height >> (24 - 8 * UInt32(i)))
      }
      let sum = Self.checksum(bytes[12..<29])
      for i in 0..<4 { bytes[29 + i] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32(i))) }
      do {
        _ = try read(bytes, "image/png")
        Issue.record("\(width) × \(height) was read")
      } catch let error as ItemDataError {
        if width >= 32_767, height < 40_000 {
          #expect(error.description.hasSuffix("the picture is too large"), "\(error)")
        }
      }
    }
    // Faults anywhere.
    var state: UInt32 = 7
    for _ in 0..<2000 {
      var bytes = png
      for _ in 0..<3 {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[Int(state >> 8) % bytes.count] = UInt8(truncatingIfNeeded: state)
      }
      _ = try? read(bytes, "image/png")
    }
  }

  @Test("I2: without gdk-pixbuf there is an error that says what to install") func I2_withoutGdkPixbuf() throws {
    let picture = try #require(Self.picture)
    let png = try picture.loadRepresentation(forType: "image/png")
    ItemImage.$isWithoutCodec.withValue(true) {
      for attempt in [
        { _ = try picture.loadRepresentation(forType: "image/jpeg") }, { _ = try read(png, "image/png") },
      ] {
        do {
          try attempt()
          Issue.record("it was done all the same")
        } catch { #expect("\(error)".contains("install libgdk-pixbuf-2.0-0"), "\(error)") }
      }
    }
  }

  @Test("I2: a picture has as many pixels as it says") func I2_asManyPixels() {
    #expect(ItemImage(width: 2, height: 2, premultipliedARGB: [0, 0, 0]) == nil)
    #expect(ItemImage(width: 0, height: 0, premultipliedARGB: []) == nil)
    #expect(ItemImage(width: .max, height: .max, premultipliedARGB: []) == nil)
  }

  /// The checksum of PNG's chunks.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for b in bytes {
      sum ^= UInt32(b)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
