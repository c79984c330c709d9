import CarryModel
import CarryX
import Testing

@testable import CarryShelf

/// Z15: what the shelf shows when, and where its parts are.
@Suite struct ShelfModelTests {
  private static let screen = Rect(x: 0, y: 0, width: 1280, height: 800)

  private func place(_ edge: ShelfPlace.Edge = .right, scale: Double = 1) -> ShelfPlace {
    ShelfPlace(monitor: Self.screen, scale: scale, edge: edge)
  }

  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  /// An open shelf with so many items.
  private func model(_ count: Int, _ edge: ShelfPlace.Edge = .right, scale: Double = 1) -> ShelfModel {
    var model = ShelfModel()
    model.dragChanged(place(edge, scale: scale), at: at(0))
    for i in 0..<count { _ = model.add("item \(i)", at: at(0)) }
    return model
  }

  /// Nothing is dragged any more, and that is seen.
  private func end(_ model: inout ShelfModel, at ms: Int) {
    model.dragChanged(nil, at: at(ms))
    _ = model.advance(to: at(ms) + ShelfModel.endWaits)
  }

  @Test("Z15: the end of a drag is seen a tenth of a second later, when its drop has had the X server to itself")
  func Z15_endWaits() {
    var model = ShelfModel()
    model.dragChanged(place(), at: at(0))
    model.dragChanged(nil, at: at(10))
    model.dragChanged(nil, at: at(20))
    #expect(model.advance(to: at(109)) == [] && model.look == .open && model.isDragging && model.deadline == at(110))
    // Another one begins.
    model.dragChanged(place(), at: at(109))
    #expect(model.deadline == nil)
    model.dragChanged(nil, at: at(200))
    _ = model.advance(to: at(300))
    #expect(model.look == .hidden && model.isIdle && !model.isDragging && model.deadline == nil)
  }

  @Test("Z15: the shelf is there during drags, and afterwards only with something on it, as a tab")
  func Z15_looks() {
    var empty = ShelfModel()
    #expect(empty.look == .hidden && empty.isIdle)
    empty.dragChanged(place(), at: at(0))
    #expect(empty.look == .open && !empty.isIdle)
    end(&empty, at: 10)
    #expect(empty.look == .hidden && empty.isIdle && empty.deadline == nil)

    var full = model(2)
    end(&full, at: 1000)
    #expect(full.look == .open && full.deadline == at(2500))
    _ = full.advance(to: at(2500))
    #expect(full.look == .tab && full.deadline == nil && !full.isIdle)
    full.toggle(at: at(3000))
    #expect(full.look == .open)
    full.toggle(at: at(3100))
    #expect(full.look == .tab)
    full.dragChanged(place(), at: at(4000))
    #expect(full.look == .open && full.deadline == nil)
  }

  @Test("Z15: what is dropped as the drag ends is seen for a moment") func Z15_lingers() {
    var model = ShelfModel()
    model.dragChanged(place(), at: at(0))
    end(&model, at: 1000)
    _ = model.add("late", at: at(1020))
    #expect(model.look == .open && model.deadline == at(2520))
  }

  @Test("Z15: the open shelf does not close under a hand, and has room for 64 items") func Z15_handsAndRoom() {
    var model = model(1)
    end(&model, at: 0)
    _ = model.advance(to: at(1500))
    model.touched(at: at(1600))
    #expect(model.look == .tab)
    model.toggle(at: at(2000))
    model.touched(at: at(21_900))
    _ = model.advance(to: at(22_000))
    #expect(model.look == .open && model.deadline == at(41_900))
    #expect(model.hasRoom(for: 63) && !model.hasRoom(for: 64))
    model.remove([1], at: at(22_000))
    #expect(!model.hasRoom(for: 64))
  }

  @Test("Z15: under the mouse's pointer the open shelf stays, and closes a moment after it has left")
  func Z15_underThePointer() {
    var model = model(1)
    model.pointerChanged(isOver: true, at: at(0))
    end(&model, at: 1000)
    #expect(model.deadline == nil)
    _ = model.advance(to: at(60_000))
    #expect(model.look == .open)
    model.pointerChanged(isOver: false, at: at(60_000))
    #expect(model.deadline == at(61_500))
    _ = model.advance(to: at(61_500))
    #expect(model.look == .tab)
    // What a click has opened stays for its time.
    model.toggle(at: at(70_000))
    model.pointerChanged(isOver: true, at: at(71_000))
    model.pointerChanged(isOver: false, at: at(72_000))
    #expect(model.deadline == at(90_000))
    // The button that puts back what was removed stays, too.
    model.pointerChanged(isOver: true, at: at(73_000))
    model.remove([1], at: at(73_000))
    #expect(model.look == .open && model.deadline == nil)
    #expect(model.advance(to: at(99_000)).isEmpty && model.look == .open && model.canUndo)
    model.pointerChanged(isOver: false, at: at(100_000))
    #expect(model.advance(to: at(101_500)).isEmpty && model.look == .hidden && !model.isIdle)
    #expect(model.advance(to: at(107_500)) == [1] && model.isIdle)
  }

  @Test(
    "Z15: a click that comes late or twice does not clear: nothing clears where something was put back a moment before")
  func Z15_lateClick() throws {
    var model = model(3)
    end(&model, at: 0)
    model.toggle(at: at(1500))
    model.remove([3], at: at(2000))
    // Both buttons are there, beside one another.
    let both = try #require(ShelfLayout(model))
    #expect(both.clear.intersection(both.undo).isEmpty && !both.clear.isEmpty && !both.undo.isEmpty)
    #expect(both.footer.intersection(both.undo) == both.undo && both.footer.intersection(both.clear) == both.clear)
    // They stay as they are until the shelf is closed, and for a while more.
    #expect(model.advance(to: at(7_999)).isEmpty && ShelfLayout(model) == both)
    #expect(model.advance(to: at(8_000)).isEmpty && model.look == .tab && model.deadline == at(14_000))
    model.toggle(at: at(13_000))
    #expect(ShelfLayout(model) == both)
    model.undo(at: at(20_000))
    #expect(try #require(ShelfLayout(model)).clear.isEmpty && !model.canClear && model.deadline == at(21_000))
    _ = model.advance(to: at(21_000))
    let after = try #require(ShelfLayout(model))
    #expect(after.clear == after.footer && after.undo.isEmpty && model.canClear)
    // During a drag the room may be needed. It is the time, not a click, that changes the buttons then.
    model.remove([3], at: at(22_000))
    model.dragChanged(place(), at: at(23_000))
    #expect(model.advance(to: at(28_999)).isEmpty && model.advance(to: at(29_000)) == [3])
    #expect(!model.canClear && model.deadline == at(30_000))
    _ = model.advance(to: at(30_000))
    #expect(model.canClear)
  }

  @Test(
    "Z15: one item is removed and put back; in a drag of the shelf's own there is a bin, and then time to put it back")
  func Z15_removesOne() throws {
    var model = model(3)
    #expect(!model.canRemoveOne && !model.isLending)
    model.setAway(2, true)
    #expect(model.isLending)
    // Dropped on the bin.
    model.setAway(2, false)
    model.remove([2], at: at(1000))
    #expect(model.entries.map(\.id) == [1, 3])
    end(&model, at: 1010)
    #expect(model.deadline == at(7000) && model.canRemoveOne && !model.isLending)
    let layout = try #require(ShelfLayout(model))
    let cell = layout.cells[0]
    #expect(cell.intersection(layout.remover(in: cell)) == layout.remover(in: cell))
    #expect(layout.item(at: cell.center) == 3 && layout.item(at: layout.footer.center) == nil)
    model.undo(at: at(2000))
    #expect(model.entries.map(\.id) == [1, 2, 3])
  }

  @Test("Z15: from a shelf that was cleared all can be put back", arguments: ShelfPlace.Edge.allCases)
  func Z15_cleared(edge: ShelfPlace.Edge) throws {
    var model = model(2, edge)
    model.remove([1, 2], at: at(0))
    let layout = try #require(ShelfLayout(model))
    let card = Rect(origin: .zero, size: layout.frame.size)
    #expect(card.intersection(layout.undo) == layout.undo && !layout.undo.isEmpty && layout.clear.isEmpty)
    #expect(layout.cells.isEmpty)
    #expect(Self.screen.intersection(layout.frame) == layout.frame)
  }

  @Test("Z15: the newest item is seen first, what is gone comes last, is not counted, and there is not much of it")
  func Z15_order() throws {
    var model = model(4)
    #expect(model.gone(3) == nil)
    #expect(model.shown.map(\.id) == [4, 2, 1, 3] && model.count == 3 && model.hasRoom(for: 61))
    var many = self.model(80)
    // Whoever keeps something of those that are shown no longer hears of each.
    let dropped = (1...70).compactMap { many.gone($0) }
    #expect(dropped == Array(1...(70 - ShelfModel.maxGone)))
    #expect(many.count == 10 && many.entries.count == 10 + ShelfModel.maxGone && many.hasRoom(for: 54))
    #expect(many.shown.last?.id == 55 && many.shown.first?.id == 80)
    let layout = try #require(ShelfLayout(many))
    #expect(many.present.allSatisfy { layout.cell(ofItem: $0.id) != nil })
  }

  @Test("Z15: what was dropped and could not be kept shows as gone, and takes nobody's room")
  func Z15_notKept() {
    var model = model(2)
    let missing = model.addMissing("late.txt", at: .zero)
    #expect(missing.forgotten == nil && model.shown.map(\.id) == [2, 1, missing.id])
    #expect(model[missing.id]?.whyGone == "not kept" && model[missing.id]?.isThere == false)
    #expect(model.count == 2 && model.present.map(\.id) == [1, 2] && model.hasRoom(for: 62))
    let many = (0..<ShelfModel.maxGone).map { _ in model.addMissing("later.txt", at: .zero) }
    #expect(many.last?.forgotten == missing.id && model.goneCount == ShelfModel.maxGone)
    // What people have lost stays longer.
    let forgotten = model.gone(1)
    #expect(forgotten == many.first?.id && model[1]?.isGone == true)
    for _ in 0..<ShelfModel.maxGone { _ = model.addMissing("flood.txt", at: .zero) }
    #expect(model[1]?.isGone == true && model.goneCount == ShelfModel.maxGone)
  }

  @Test("Z15: items that are away or gone are not lifted, and those that arrived elsewhere are off the shelf")
  func Z15_entries() {
    var model = model(3)
    model.setAway(1, true)
    #expect(model.gone(2) == nil)
    #expect(model.present.map(\.id) == [3] && model[2]?.isGone == true)
    model.setAway(1, false)
    model.arrived(3)
    #expect(model.entries.map(\.id) == [1, 2] && model.present.map(\.id) == [1])
    end(&model, at: 0)
    model.arrived(1)
    #expect(model.look == .open)
    model.arrived(2)
    #expect(model.look == .hidden)
  }

  @Test("Z15: what was removed can be put back for some seconds, but not what a drag has") func Z15_undo() {
    var model = model(3)
    model.setAway(2, true)
    model.remove([1, 2, 3], at: at(0))
    #expect(model.entries.map(\.id) == [2] && !model.canUndo)
    model.undo(at: at(100))
    #expect(model.entries.map(\.id) == [1, 2, 3] && model.removed.isEmpty)
    // All that was removed since the shelf was at rest.
    model.remove([1], at: at(200))
    model.remove([3], at: at(300))
    model.setAway(2, false)
    #expect(model.canUndo)
    model.remove([2], at: at(400))
    model.undo(at: at(450))
    #expect(model.entries.map(\.id) == [1, 2, 3])
    model.remove([1, 2, 3], at: at(480))
    end(&model, at: 500)
    #expect(model.advance(to: at(6480)).isEmpty && model.look == .hidden && !model.isIdle)
    #expect(model.advance(to: at(12_480)) == [1, 2, 3] && model.isIdle)
  }

  @Test(
    "Z15: all parts are inside of the card, beside one another, and the card is on the monitor", arguments: [1, 1.5, 2])
  func Z15_layout(scale: Double) throws {
    for edge in ShelfPlace.Edge.allCases {
      for count in [0, 1, 2, 7, 20, 64] {
        let layout = try #require(ShelfLayout(model(count, edge, scale: scale)))
        let card = Rect(origin: .zero, size: layout.frame.size)
        #expect(Self.screen.intersection(layout.frame) == layout.frame, "\(edge) \(count)")
        #expect(!layout.cells.isEmpty == (count > 0))
        let parts = layout.cells + (count > 0 ? [layout.header, layout.footer] : [])
        for (i, part) in parts.enumerated() {
          #expect(card.intersection(part) == part, "\(edge) \(count) \(i)")
          for other in parts[..<i] { #expect(part.intersection(other).isEmpty, "\(edge) \(count) \(i)") }
        }
        for cell in layout.cells {
          let picture = layout.picture(Size(width: 3000, height: 100), in: cell)
          #expect(cell.intersection(picture) == picture)
        }
      }
    }
  }

  @Test("Z15: the tab is at the edge itself, and a small picture keeps its size") func Z15_tab() throws {
    var model = model(1)
    end(&model, at: 0)
    _ = model.advance(to: at(5000))
    let tab = try #require(ShelfLayout(model))
    #expect(tab.frame == Rect(x: 1250, y: 364, width: 30, height: 72) && tab.cells.isEmpty)
    let open = try #require(ShelfLayout(self.model(1)))
    #expect(open.picture(Size(width: 20, height: 10), in: open.cells[0]).size == Size(width: 20, height: 10))
  }

  @Test("Z15: a layout that is older than what lies on the shelf finds each item, or none")
  func Z15_oldLayout()
    throws
  {
    var model = model(3)
    let layout = try #require(ShelfLayout(model))
    model.remove([1, 3], at: at(0))
    #expect(layout.items == [3, 2, 1] && layout.cell(ofItem: 2) == layout.cells[1] && layout.cell(ofItem: 4) == nil)
  }

  @Test("Z15: an item without a name is called by what it is") func Z15_kinds() {
    #expect(ItemKind.name(of: ["application/x-note", "image/png"]) == "Picture")
    #expect(ItemKind.name(of: ["text/plain;charset=utf-8"]) == "Text")
    #expect(ItemKind.name(of: ["inode/directory"]) == "Folder" && ItemKind.name(of: ["text/uri-list"]) == "Link")
    #expect(ItemKind.name(of: ["application/x-note"]) == "Item" && ItemKind.name(of: []) == "Item")
  }
}
