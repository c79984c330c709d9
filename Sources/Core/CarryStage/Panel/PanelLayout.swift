package import CarryModel

/// The layout of the window for slow transfers. Everything is in whole screen pixels, so that edges are crisp.
package struct PanelLayout: Equatable, Sendable {
  /// On the screen, without the shadow.
  package let frame: Rect
  /// Screen pixels per pixel at 96 dots per inch.
  package let scale: Double
  /// From here on relative to the frame's corner.
  package let rows: [Rect]
  /// Each row's button; nil for a row without one.
  package let buttons: [Rect?]
  /// The line that states the number of further rows.
  package let footer: Rect?

  static let width = 360.0
  static let rowHeight = 66.0
  static let footerHeight = 26.0
  static let buttonSize = Size(width: 68, height: 30)
  package static let margin = 14.0
  /// The distance of the window from the place of the drop, and from the edge of its monitor.
  static let gap = 28.0
  static let edge = 10.0
  /// Enlarges the area in which a press hits a button, because fingers are inexact.
  static let fingerSlack = 8.0

  /// - Parameter monitor: the usable part of the screen, in screen pixels.
  package init(_ content: PanelContent, scale wished: Double, monitor: Rect) {
    let scale = wished.isFinite && wished > 0.25 && wished < 16 ? wished : 1
    func pixels(_ length: Double) -> Double { (length * scale).rounded() }
    let width = pixels(Self.width)
    rows = content.rows.indices.map {
      Rect(x: 0, y: Double($0) * pixels(Self.rowHeight), width: width, height: pixels(Self.rowHeight))
    }
    let (buttonWidth, buttonHeight) = (pixels(Self.buttonSize.width), pixels(Self.buttonSize.height))
    buttons = zip(content.rows, rows).map { row, place in
      guard row.button != nil else { return nil }
      return Rect(
        x: width - pixels(Self.margin) - buttonWidth,
        y: place.y + ((place.height - buttonHeight) / 2).rounded(), width: buttonWidth, height: buttonHeight)
    }
    let rowsEnd = rows.last?.maxY ?? 0
    footer =
      content.hidden > 0 ? Rect(x: 0, y: rowsEnd, width: width, height: pixels(Self.footerHeight)) : nil
    let size = Size(width: width, height: footer?.maxY ?? rowsEnd)
    frame = Self.place(size, near: content.anchor, gap: pixels(Self.gap), edge: pixels(Self.edge), in: monitor)
    self.scale = scale
  }

  /// Below the point, or above it if there is no room below; always within the monitor.
  private static func place(_ size: Size, near point: Point, gap: Double, edge: Double, in monitor: Rect) -> Rect {
    func within(_ wish: Double, _ from: Double, _ to: Double) -> Double {
      max(from + edge, min(wish, to - edge)).rounded()
    }
    let x = within(point.x - size.width / 2, monitor.x, monitor.maxX - size.width)
    let fitsBelow = point.y + gap + size.height <= monitor.maxY - edge
    let fitsAbove = point.y - gap - size.height >= monitor.y + edge
    let wish = fitsBelow || !fitsAbove ? point.y + gap : point.y - gap - size.height
    let y = within(wish, monitor.y, monitor.maxY - size.height)
    return Rect(x: x, y: y, width: size.width, height: size.height)
  }

  /// The row whose button is at a point of the screen; nil for none.
  package func row(ofButtonAt point: Point) -> Int? {
    let slack = Self.fingerSlack * scale
    return buttons.firstIndex { button in
      guard let button else { return false }
      let place = button.offset(by: frame.origin)
      return Rect(
        x: place.x - slack, y: place.y - slack, width: place.width + 2 * slack, height: place.height + 2 * slack
      ).contains(point)
    }
  }
}

/// The window for slow transfers, ready to be shown.
package struct PanelPicture: Equatable, Sendable {
  package let content: PanelContent
  package let layout: PanelLayout

  package init(_ content: PanelContent, scale: Double, monitor: Rect) {
    self.content = content
    layout = PanelLayout(content, scale: scale, monitor: monitor)
  }
}
