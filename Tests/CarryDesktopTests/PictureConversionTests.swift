import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// Pictures of a type that the target of the drop does not know.
  @Suite(.serialized) struct Pictures {
    /// A BMP file of 3 by 2 pixels.
    private static let bmp: [UInt8] = {
      func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
      let rows: [UInt8] = [0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 0, 0, 9, 9, 9, 8, 8, 8, 7, 7, 7, 0, 0, 0]
      var file = Array("BM".utf8) + number(54 + 24) + number(0) + number(54)
      file += number(40) + number(3) + number(2) + [1, 0, 24, 0]
      return file + number(0) + number(24) + number(2835) + number(2835) + number(0) + number(0) + rows
    }()

    private func drop(_ bytes: [UInt8], _ body: (RawXdndTarget) throws -> Void) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let place = try TestFolder("saved")
      try place.write(bytes, to: "data")
      let source = try d.source("--type", "image/bmp", "--data", place.path + "/data")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      // Nothing is made before the drop.
      #expect(target.convert("image/png") == [0x20])
      #expect(target.answer(until: .leave) != nil)
      #expect(target.answer(until: .drop) != nil)
      try body(target)
      target.finish()
      #expect(d.playToTheEnd() == 0)
      withExtendedLifetime((source, place)) {}
    }

    @Test("Z1: a picture of another type is had as a PNG file, by as many requests as come at once") func Z1_png()
      throws
    {
      try drop(Self.bmp) { target in
        let answers = target.convertAtOnce("image/png", times: 100)
        #expect(answers.count == 100 && Set(answers).count == 1, "\(answers.count) answers")
        let png = try #require(answers.first)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        // Width and height.
        #expect(png[16..<24].elementsEqual([0, 0, 0, 3, 0, 0, 0, 2]))
        #expect(target.convert("image/bmp") == Self.bmp)
      }
    }

    @Test(
      "Z1: what is no picture, or one of far too many pixels, gives none, and the drop goes on",
      arguments: ["text", "huge", "half"])
    func Z1_noPicture(how: String) throws {
      var bytes = Self.bmp
      switch how {
      case "text": bytes = Array(repeating: 0x41, count: 10_000)
      case "huge": bytes.replaceSubrange(18..<26, with: [0xFF, 0x7F, 0, 0, 0xFF, 0x7F, 0, 0])
      default: bytes.removeLast(60)
      }
      try drop(bytes) { target in
        #expect(target.convert("image/png") == nil)
        #expect(target.convert("image/bmp") == bytes)
      }
    }
  }
}
