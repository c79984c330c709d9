import Carry

extension Canvas {
  /// A discreet line at the bottom right that says that there is no drag and drop.
  package func drawAbsence(in box: Box) {
    let text = TextLayout(Engine.absence, TextStyle(11.5, color: Color(0x3A3733, 0.75)))
    let size = text.size
    let pill = Box(box.maxX - size.width - 32, box.maxY - size.height - 20, size.width + 20, size.height + 8)
    fill(pill, radius: pill.height / 2, Color.white.faded(0.65))
    draw(text, at: Point(x: pill.x + 10, y: pill.y + 4))
  }
}
