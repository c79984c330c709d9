import CarryDisplay
import CarryModel
import CarryStage
import CarryTesting
import Testing

extension DisplayTests {
  @Suite struct Stacking {
    @Test("Z13: a surface that comes later and belongs below is below") func aSurfaceThatComesLater() throws {
      let desk = try Desk()
      func surface(_ id: UInt32, _ width: Int32) -> Surface {
        var surface = Surface(id: SurfaceID(id))
        (surface.width, surface.height, surface.content) = (width, width, 1)
        surface.layers = [
          Layer(
            image: ImageID(0), size: Size(width: 20, height: 20), center: Point(x: 30, y: 30), scale: 1, rotation: 0,
            opacity: 1, cornerRadius: 0, isShaped: false, shadow: Shadow(blur: 0, offsetY: 0, opacity: 0))
        ]
        return surface
      }
      /// Widths of our windows on the screen, from the topmost down.
      func seen() -> [Double] {
        desk.display.flush()
        desk.settle()
        return desk.client.children(of: desk.client.root).compactMap { desk.client.facts($0) }.filter(\.isMapped).map(
          \.frame.width)
      }
      var list = DrawList()
      list.surfaces = [surface(1, 110), surface(2, 120)]
      desk.display.apply(list)
      #expect(seen() == [120, 110])
      list.surfaces = [surface(3, 130), surface(4, 140), surface(1, 110), surface(2, 120)]
      desk.display.apply(list)
      #expect(seen() == [120, 110, 140, 130])
      list.surfaces = [surface(3, 130), surface(1, 110), surface(5, 150), surface(2, 120)]
      desk.display.apply(list)
      #expect(seen() == [120, 150, 110, 130])
    }
  }
}
