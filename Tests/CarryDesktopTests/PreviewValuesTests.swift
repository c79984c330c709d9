import Carry
import CarryTesting
import Testing

/// What previews are made of, without an engine.
@Suite struct PreviewValuesTests {
  @Test("P9, P10, P21: a preview is as large as its view, or as the box round its path") func P9_P10_P21_sizes() {
    let image = PreviewImage(
      width: 20, height: 10, premultipliedARGB: Array(repeating: 0, count: 200), density: 2)
    #expect(image != nil)
    guard let image else { return }
    let whole = TargetedDragPreview(window: 1, rect: Rect(x: 5, y: 5, width: 40, height: 30))
    #expect(whole.size?.width == 40 && whole.size?.height == 30 && whole.target == nil)
    var parameters = DragPreviewParameters()
    #expect(parameters.backgroundColor == .white && parameters.visiblePath == nil)
    parameters.visiblePath = Path(ovalIn: Rect(x: -50, y: -50, width: 100, height: 80))
    let cut = TargetedDragPreview(
      window: 1, rect: Rect(x: 0, y: 0, width: 40, height: 30), parameters: parameters)
    #expect(cut.size?.width == 100 && cut.size?.height == 80)
    let drawn = DragPreview(view: .image(image))
    guard case .image(let kept) = drawn.view else { return }
    #expect(Double(kept.width) / kept.density == 10)
  }

  @Test("P21: an item's picture and a picture file are previews, reduced if they are very large")
  func P21_pictures() throws {
    let colors: [UInt32] = [0xFF00_0000, 0xFF20_4060, 0xFF40_80C0, 0x0000_0000]
    // Two by two pixels of four colours, over and over.
    var pixels: [UInt32] = []
    for y in 0..<4 { for x in 0..<2200 { pixels.append(colors[x % 2 + y % 2 * 2]) } }
    let wide = try #require(ItemImage(width: 2200, height: 4, premultipliedARGB: pixels))
    let reduced = try #require(PreviewImage(wide))
    #expect(
      reduced.width == 1100 && reduced.height == 2 && reduced.pixels == Array(repeating: 0xBF18_3048, count: 2200))
    let small = try #require(ItemImage(width: 2, height: 2, premultipliedARGB: colors))
    #expect(PreviewImage(small)?.pixels == colors)
    let folder = try TestFolder("preview")
    let path = try folder.write(try small.loadRepresentation(forType: "image/png"), to: "small.png")
    #expect(try PreviewImage(contentsOf: path).pixels == colors)
    #expect(throws: (any Error).self) { try PreviewImage(contentsOf: folder.path + "/none.png") }
  }

  @Test("P10: a view may have round corners") func P10_roundCorners() {
    let path = DragPreviewParameters(width: 40, height: 30, cornerRadius: 8).visiblePath
    #expect(path == Path(roundedRect: Rect(x: 0, y: 0, width: 40, height: 30), cornerRadius: 8))
  }

  @Test("P13, L19: text lines make one outline") func P13_L19_textLines() {
    let lines = [Rect(x: 30, y: 0, width: 100, height: 16), Rect(x: 0, y: 16, width: 130, height: 16)]
    let box = DragPreviewParameters(textLineRects: lines).visiblePath?.boundingBox
    #expect(box?.x == -6 && box?.y == -4 && box?.width == 142 && box?.height == 40)
    #expect(DragPreviewParameters(textLineRects: []).visiblePath == nil)
  }

  @Test("P10: a path is closed, moved and joined as it is drawn") func P10_paths() {
    var path = Path()
    #expect(path.isEmpty && path.boundingBox == nil)
    path.closeSubpath()
    #expect(path.isEmpty)
    path.addLine(to: Point(x: 10, y: 4))
    #expect(path.boundingBox?.width == 10)
    path.addPath(Path(rect: Rect(x: 20, y: 20, width: 5, height: 5)))
    #expect(path.boundingBox?.width == 25 && path.boundingBox?.height == 25)
    // A radius is at most half of the side, and not a number is none.
    #expect(Path(roundedRect: Rect(x: 0, y: 0, width: 10, height: 6), cornerRadius: 99).boundingBox?.height == 6)
    #expect(
      Path(roundedRect: Rect(x: 0, y: 0, width: 10, height: 6), cornerRadius: .nan)
        == Path(rect: Rect(x: 0, y: 0, width: 10, height: 6)))
  }
}
