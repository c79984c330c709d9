package import CarryModel

/// The layout of the shelf. Constants are for 96 dpi and scale with the desktop; results are in screen pixels, with
/// parts relative to the window's card.
package struct ShelfLayout: Equatable, Sendable {
  static let cell = Size(width: 100, height: 92)
  /// The box for an item's picture in its cell.
  static let picture = Size(width: 84, height: 62)
  private static let margin = 8.0
  private static let remover = 22.0
  /// Between the card and the monitor's edge.
  private static let gap = 6.0
  private static let header = 32.0
  private static let footer = 28.0
  /// Beside the cells, if they are arranged in rows.
  private static let sideHeader = 104.0
  private static let tab = Size(width: 30, height: 72)
  /// The size after all items were removed: a text, and the button that restores them. As large as with one item, so
  /// that the button is where that item was removed.
  private static let cleared = Size(width: 116, height: 168)
  private static let empty = Size(width: 116, height: 148)
  private static let maxLines = 3

  package let frame: Rect
  package let scale: Double
  /// The handle for all items.
  package private(set) var header = Rect.zero
  /// For as many items as there is room for.
  package private(set) var cells: [Rect] = []
  /// The IDs of the cells' items. They may have changed since.
  package private(set) var items: [Int] = []
  /// The strip of the buttons, or the bin.
  package private(set) var footer = Rect.zero
  /// The button that removes all items; empty if there is none. Never in the place that the undo button had a moment
  /// before.
  package private(set) var clear = Rect.zero
  /// The button that restores removed items; empty if there is none.
  package private(set) var undo = Rect.zero

  /// - Returns: Nil if nothing is shown.
  package init?(_ model: ShelfModel) {
    guard let place = model.place else { return nil }
    let scale = max(0.5, min(4, place.scale))
    let isUpright = place.edge == .right || place.edge == .left
    let along = (isUpright ? place.monitor.height : place.monitor.width) / scale
    self.scale = scale
    let hasFooter = !model.entries.isEmpty || !model.removed.isEmpty
    var size: Size
    switch model.look {
    case .hidden: return nil
    case .tab: size = Self.tab
    case .open where !hasFooter: size = Self.empty
    case .open where model.entries.isEmpty:
      size = Self.cleared
      if !isUpright { size.height = 124 }
      footer = Rect(
        x: Self.margin, y: size.height - Self.margin - Self.footer, width: size.width - 2 * Self.margin,
        height: Self.footer)
    case .open:
      let ends = 2 * Self.margin + (isUpright ? Self.header + Self.footer : Self.sideHeader)
      let step = isUpright ? Self.cell.height : Self.cell.width
      let fit = max(1, Int((along - 2 * Self.header - ends) / step))
      let lines = max(1, min(Self.maxLines, (model.entries.count + fit - 1) / fit))
      let shown = min(model.entries.count, fit * lines)
      let line = max(1, (shown + lines - 1) / lines)
      let length = ends + Double(line) * step
      let breadth = 2 * Self.margin + Double(lines) * (isUpright ? Self.cell.width : Self.cell.height)
      size = isUpright ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
      let corner =
        isUpright
        ? Point(x: Self.margin, y: Self.margin + Self.header) : Point(x: Self.margin + Self.sideHeader, y: Self.margin)
      cells = (0..<shown).map { i in
        let (n, m) = (Double(i % line), Double(i / line))
        return Rect(
          x: corner.x + (isUpright ? m : n) * Self.cell.width, y: corner.y + (isUpright ? n : m) * Self.cell.height,
          width: Self.cell.width, height: Self.cell.height)
      }
      let inside = Size(width: size.width - 2 * Self.margin, height: size.height - 2 * Self.margin)
      if isUpright {
        header = Rect(x: Self.margin, y: Self.margin, width: inside.width, height: Self.header)
        footer = Rect(
          x: Self.margin, y: size.height - Self.margin - Self.footer, width: inside.width, height: Self.footer)
      } else {
        header = Rect(
          x: Self.margin, y: Self.margin, width: Self.sideHeader - 4, height: inside.height - Self.footer)
        footer = Rect(
          x: Self.margin, y: size.height - Self.margin - Self.footer, width: Self.sideHeader - 4, height: Self.footer)
      }
    }
    if model.look == .tab, !isUpright { size = Size(width: size.height, height: size.width) }
    let gap = (model.look == .tab ? 0 : Self.gap) * scale
    frame = Self.place(
      Size(width: (size.width * scale).rounded(), height: (size.height * scale).rounded()), place, gap: gap.rounded())
    header = Self.scaled(header, scale)
    footer = Self.scaled(footer, scale)
    cells = cells.map { Self.scaled($0, scale) }
    items = model.shown.prefix(cells.count).map(\.id)
    guard !footer.isEmpty else { return }
    if model.entries.isEmpty {
      undo = model.canUndo ? footer : .zero
    } else if model.canUndo {
      let half = (footer.width / 2).rounded()
      clear = Rect(x: footer.x, y: footer.y, width: half, height: footer.height)
      undo = Rect(x: footer.x + half, y: footer.y, width: footer.width - half, height: footer.height)
    } else {
      clear = footer
    }
    if !model.canClear { clear = .zero }
  }

  /// The remove button in a cell.
  package func remover(in cell: Rect) -> Rect {
    let side = (Self.remover * scale).rounded()
    return Rect(x: cell.maxX - side - (2 * scale).rounded(), y: cell.y, width: side, height: side)
  }

  /// The button or handle under a point of the card; empty for none.
  ///
  /// - Parameter item: The item that shows its remove button.
  package func button(at point: Point, removerOf item: Int?) -> Rect {
    let remover = item.flatMap { cell(ofItem: $0) }.map { self.remover(in: $0) }
    // For the tab, the whole card.
    let tab = footer.isEmpty && cells.isEmpty ? Rect(origin: .zero, size: frame.size) : nil
    return [remover, undo, clear, header, tab].lazy.compactMap { $0 }.first { $0.contains(point) } ?? .zero
  }

  /// The item under a point of the card; nil for none.
  package func item(at point: Point) -> Int? { zip(items, cells).first { $0.1.contains(point) }?.0 }

  /// The cell of an item; nil if not shown.
  package func cell(ofItem id: Int) -> Rect? { items.firstIndex(of: id).map { cells[$0] } }

  private static func scaled(_ r: Rect, _ scale: Double) -> Rect {
    let (x, y) = ((r.x * scale).rounded(), (r.y * scale).rounded())
    return Rect(x: x, y: y, width: (r.maxX * scale).rounded() - x, height: (r.maxY * scale).rounded() - y)
  }

  /// In the middle of the edge.
  private static func place(_ size: Size, _ place: ShelfPlace, gap: Double) -> Rect {
    let m = place.monitor
    let (x, y) = ((m.x + (m.width - size.width) / 2).rounded(), (m.y + (m.height - size.height) / 2).rounded())
    return switch place.edge {
    case .right: Rect(x: m.maxX - size.width - gap, y: y, width: size.width, height: size.height)
    case .left: Rect(x: m.x + gap, y: y, width: size.width, height: size.height)
    case .top: Rect(x: x, y: m.y + gap, width: size.width, height: size.height)
    case .bottom: Rect(x: x, y: m.maxY - size.height - gap, width: size.width, height: size.height)
    }
  }

  /// The frame of an item's picture in its cell: as large as fits, and never enlarged.
  ///
  /// - Parameter picture: In screen pixels.
  package func picture(_ picture: Size, in cell: Rect) -> Rect {
    let box = Size(width: Self.picture.width * scale, height: Self.picture.height * scale)
    let part = min(1, box.width / max(1, picture.width), box.height / max(1, picture.height))
    let size = Size(width: (picture.width * part).rounded(), height: (picture.height * part).rounded())
    return Rect(
      x: (cell.x + (cell.width - size.width) / 2).rounded(),
      y: (cell.y + 4 * scale + (box.height - size.height) / 2).rounded(), width: size.width, height: size.height)
  }
}
