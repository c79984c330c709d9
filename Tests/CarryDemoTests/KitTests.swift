import Carry
import DemoKit
import Testing

/// The parts of the kit that need no X server.
@Suite struct KitTests {
  @Test("An animation follows the clock that it is given, and turns round where it is")
  func anAnimationFollowsItsClock() {
    var a = Animation(0)
    #expect(a.value(at: 5) == 0 && a.isOver(at: 5))
    a.go(to: 1, at: 10, over: 2)
    #expect(a.value(at: 10) == 0 && !a.isOver(at: 11))
    let middle = a.value(at: 11)
    #expect(middle > 0.5 && middle < 1)
    a.go(to: 0, at: 11, over: 1)
    #expect(a.value(at: 11) == middle)
    #expect(a.value(at: 12) == 0 && a.isOver(at: 12))
  }

  @Test("A geometry is a size, or a size and a place", arguments: ["", "3", "axb", "10x10+1", "20x20+-1+1", "0x50"])
  func geometries(bad: String) {
    #expect(WindowGeometry(bad) == nil)
    #expect(WindowGeometry("300x200+5+6")?.y == 6)
    #expect(WindowGeometry("300x200")?.x == nil)
  }

  @Test("What is no picture is none, whatever its size") func whatIsNoPictureIsNone() {
    #expect(Picture.decode([]) == nil)
    #expect(Picture.decode([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) == nil)
    #expect(Picture.decode(Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)) == nil)
    let square = Picture(width: 8, height: 8) { $0.clear(.accent) }
    let again = square.flatMap { Picture.decode($0.png()) }
    #expect(again?.type == "image/png" && again?.picture.width == 8)
  }

  @Test(
    "P11: a picture that is larger than previews may be is drawn smaller, for the same place",
    arguments: [8, 512, 520, 1100])
  func largePicturesFit(width: Int) throws {
    let image = try #require(Picture(width: width, height: 300, { $0.clear(.accent) })?.preview())
    #expect(image.width <= PreviewImage.longestSide && image.height <= 300)
    #expect(abs(Double(image.width) / image.density - Double(width)) < 0.01)
    #expect(abs(Double(image.height) / image.density - 300) < 2)
  }
}
