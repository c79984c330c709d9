import CarryModel

/// All regions of all clients, found by point.
///
/// Regions of one window are stacked in the order of their registration, the newest on top, until a region is raised;
/// stand-ins are at the bottom. A window with many regions gets a grid, so that a query looks at only a handful of
/// rectangles. Changing a region has a constant cost, because only the next query rebuilds order and grid.
struct RegionTable {
  /// The regions of one window. Kept in an array whose index is the window's tag in the mirror.
  private struct WindowRegions {
    var window: WindowID
    /// The lowest first while `isInOrder`. When a region is removed, the last entry moves to its place.
    var entries: [Entry] = []
    var isInOrder = true
    var grid: Grid?
    /// Whether `grid` is up to date. A grid that is up to date and nil means that a linear scan is faster.
    var gridIsCurrent = false
  }

  private struct Entry {
    var region: Region
    /// The higher this number, the higher the region.
    var order: UInt64
  }

  /// Where a region is kept.
  private struct Slot {
    var tag: Int32
    var index: Int32
  }

  /// Buckets of indices into `regions`, 64 px a side (the size a fingertip covers), over the regions' bounding box.
  private struct Grid {
    static let cell = 64.0
    static let maxCells = 4096
    /// Maximum number of cells that a region may cover on average. With more, a linear scan is faster.
    static let maxCellsEach = 16

    var origin: Point
    var columns: Int
    var rows: Int
    var cellSize: Double
    var starts: [Int32]
    var members: [Int32]

    init?(_ regions: [Entry]) {
      guard regions.count > 8 else { return nil }
      var box = regions[0].region.rect
      for entry in regions.dropFirst() {
        let rect = entry.region.rect
        let x = min(box.x, rect.x)
        let y = min(box.y, rect.y)
        box = Rect(x: x, y: y, width: max(box.maxX, rect.maxX) - x, height: max(box.maxY, rect.maxY) - y)
      }
      var cellSize = Grid.cell
      while (box.width / cellSize + 1) * (box.height / cellSize + 1) > Double(Grid.maxCells) { cellSize *= 2 }
      self.cellSize = cellSize
      origin = box.origin
      columns = Int(box.width / cellSize) + 1
      rows = Int(box.height / cellSize) + 1
      var counts = [Int32](repeating: 0, count: columns * rows + 1)
      starts = counts
      members = []
      // Two passes: count the members of each cell, then store all members in one array.
      var sum = 0
      for entry in regions {
        sum += cellCount(entry.region.rect)
        // With thousands of large regions a grid would only multiply the entries.
        guard sum <= Grid.maxCellsEach * regions.count else { return nil }
        forEachCell(entry.region.rect) { counts[$0] += 1 }
      }
      var start: Int32 = 0
      for i in counts.indices {
        starts[i] = start
        start += counts[i]
      }
      // A new list instead of the property: changing the property inside the closure would copy it for each region.
      var list = [Int32](repeating: 0, count: sum)
      var next = starts
      for (i, entry) in regions.enumerated() {
        forEachCell(entry.region.rect) {
          list[Int(next[$0])] = Int32(i)
          next[$0] += 1
        }
      }
      members = list
    }

    private func cellCount(_ rect: Rect) -> Int {
      guard !rect.isEmpty else { return 0 }
      return (column(rect.maxX) - column(rect.x) + 1) * (row(rect.maxY) - row(rect.y) + 1)
    }

    private func forEachCell(_ rect: Rect, _ body: (Int) -> Void) {
      guard !rect.isEmpty else { return }
      let left = column(rect.x)
      let right = column(rect.maxX)
      for y in row(rect.y)...row(rect.maxY) {
        for x in left...right { body(y * columns + x) }
      }
    }

    private func column(_ x: Double) -> Int { max(0, min(columns - 1, Int((x - origin.x) / cellSize))) }
    private func row(_ y: Double) -> Int { max(0, min(rows - 1, Int((y - origin.y) / cellSize))) }

    func cell(_ p: Point) -> Int? {
      guard p.x >= origin.x, p.y >= origin.y else { return nil }
      let x = Int((p.x - origin.x) / cellSize)
      let y = Int((p.y - origin.y) / cellSize)
      return x < columns && y < rows ? y * columns + x : nil
    }
  }

  private let tree: WindowTree
  private var windows: [WindowRegions] = []
  private var tags: [WindowID: Int32] = [:]
  private var freeTags: [Int32] = []
  private var slots: [RegionID: Slot] = [:]
  private var lastOrder: UInt64 = 0
  private var countOf: [ClientID: Int] = [:]
  /// The media types that regions usually accept, such as `text/plain` or `image/*`. Kept outside `Region`, because
  /// every motion copies a region, which is cheap only as long as it holds plain numbers.
  private(set) var acceptedTypes: [RegionID: [String]] = [:]
  private(set) var labels: [RegionID: String] = [:]
  private var hits: [WindowTree.TaggedHit] = []

  init(_ tree: WindowTree) { self.tree = tree }

  var count: Int { slots.count }

  func count(of client: ClientID) -> Int { countOf[client] ?? 0 }

  subscript(id: RegionID) -> Region? {
    guard let slot = slots[id] else { return nil }
    return windows[Int(slot.tag)].entries[Int(slot.index)].region
  }

  mutating func insert(_ region: Region) {
    let tag: Int32
    if let known = tags[region.window] {
      tag = known
    } else if let reused = freeTags.popLast() {
      tag = reused
      windows[Int(tag)] = WindowRegions(window: region.window)
    } else {
      tag = Int32(windows.count)
      windows.append(WindowRegions(window: region.window))
    }
    tags[region.window] = tag
    tree.setTag(region.window, tag)
    lastOrder += 1
    // A stand-in lies beneath the application's own regions.
    windows[Int(tag)].entries.append(Entry(region: region, order: region.isStandIn ? 0 : lastOrder))
    if region.isStandIn { windows[Int(tag)].isInOrder = false }
    windows[Int(tag)].gridIsCurrent = false
    slots[region.id] = Slot(tag: tag, index: Int32(windows[Int(tag)].entries.count - 1))
    countOf[region.client, default: 0] += 1
  }

  mutating func update(_ id: RegionID, rect: Rect? = nil, roles: RegionRoles? = nil, edgeZone: Double? = nil) {
    guard let slot = slots[id] else { return }
    let (w, i) = (Int(slot.tag), Int(slot.index))
    if let rect {
      windows[w].entries[i].region.rect = rect
      windows[w].gridIsCurrent = false
    }
    if let roles { windows[w].entries[i].region.roles = roles }
    if let edgeZone { windows[w].entries[i].region.edgeZone = edgeZone }
  }

  mutating func setAcceptedTypes(_ types: [String], of id: RegionID) {
    guard slots[id] != nil else { return }
    acceptedTypes[id] = types.isEmpty ? nil : types
  }

  mutating func setLabel(_ label: String, of id: RegionID) {
    guard slots[id] != nil else { return }
    labels[id] = label.isEmpty ? nil : label
  }

  /// Puts a region above the others of its window.
  mutating func raise(_ id: RegionID) {
    guard let slot = slots[id] else { return }
    let (w, i) = (Int(slot.tag), Int(slot.index))
    guard windows[w].entries[i].order != lastOrder else { return }
    lastOrder += 1
    windows[w].entries[i].order = lastOrder
    windows[w].isInOrder = false
    windows[w].gridIsCurrent = false
  }

  @discardableResult
  mutating func remove(_ id: RegionID) -> Region? {
    guard let slot = slots.removeValue(forKey: id) else { return nil }
    let (w, i) = (Int(slot.tag), Int(slot.index))
    let region = windows[w].entries[i].region
    let last = windows[w].entries.removeLast()
    if last.region.id != id {
      windows[w].entries[i] = last
      slots[last.region.id] = slot
      windows[w].isInOrder = false
    }
    windows[w].gridIsCurrent = false
    acceptedTypes[id] = nil
    labels[id] = nil
    if let n = countOf[region.client] { countOf[region.client] = n > 1 ? n - 1 : nil }
    if windows[w].entries.isEmpty {
      tags[region.window] = nil
      tree.setTag(region.window, -1)
      freeTags.append(slot.tag)
    }
    return region
  }

  func ids(ofClient client: ClientID) -> [RegionID] {
    guard countOf[client] != nil else { return [] }
    return windows.flatMap { w in w.entries.filter { $0.region.client == client }.map(\.region.id) }
  }

  func hasRegion(of client: ClientID, on window: WindowID) -> Bool {
    guard let tag = tags[window] else { return false }
    return windows[Int(tag)].entries.contains { $0.region.client == client }
  }

  /// The windows in which a press may lift something.
  var dragWindows: DragWindows {
    var found = DragWindows()
    for w in windows {
      for entry in w.entries where entry.region.roles.contains(.drag) {
        if entry.region.isStandIn {
          found.trials.insert(tree.toplevel(of: w.window) ?? w.window)
          continue
        }
        let both = [w.window, tree.toplevel(of: w.window) ?? w.window]
        if !entry.region.roles.contains(.cooperative) { found.touches.formUnion(both) }
        if !entry.region.roles.contains(.ownPointer) { found.clicks.formUnion(both) }
      }
    }
    return found
  }

  /// The windows with drop regions that are no stand-ins.
  var dropWindows: Set<WindowID> {
    var list: Set<WindowID> = []
    for w in windows where w.entries.contains(where: { $0.region.roles.contains(.drop) && !$0.region.isStandIn }) {
      list.insert(w.window)
    }
    return list
  }

  /// Every region.
  var all: [Region] { windows.flatMap { $0.entries.map(\.region) } }
  var ids: [RegionID] { windows.flatMap { $0.entries.map(\.region.id) } }

  /// The drop region whose visible window part lies nearest to a point of the screen. Stand-ins do not count.
  func nearestDrop(to point: Point) -> MonitorEvent.Nearest? {
    var found: (distance: Double, nearest: MonitorEvent.Nearest)?
    for w in windows {
      guard let frame = tree.screenFrame(of: w.window) else { continue }
      for region in w.entries.map(\.region) where region.roles.contains(.drop) && !region.isStandIn {
        let rect = region.rect.offset(by: frame.origin)
        let left = max(rect.x, frame.x), right = min(rect.maxX, frame.maxX)
        let top = max(rect.y, frame.y), bottom = min(rect.maxY, frame.maxY)
        guard left < right, top < bottom else { continue }
        let offset = Point(
          x: max(left, min(point.x, right)) - point.x, y: max(top, min(point.y, bottom)) - point.y)
        let distance = offset.x * offset.x + offset.y * offset.y
        if found.map({ distance < $0.distance }) ?? true {
          found = (distance, MonitorEvent.Nearest(region.id, of: region.client, offset: offset))
        }
      }
    }
    return found?.nearest
  }

  /// The regions of a window, the lowest first.
  func ids(ofWindow window: WindowID) -> [RegionID] {
    guard let tag = tags[window] else { return [] }
    return windows[Int(tag)].entries.sorted { $0.order < $1.order }.map(\.region.id)
  }

  /// Rebuilds order and grid of a window after changes.
  private mutating func bringUpToDate(_ w: Int) {
    if !windows[w].isInOrder {
      windows[w].entries.sort { $0.order < $1.order }
      for i in windows[w].entries.indices {
        slots[windows[w].entries[i].region.id] = Slot(tag: Int32(w), index: Int32(i))
      }
      windows[w].isInOrder = true
    }
    windows[w].grid = Grid(windows[w].entries)
    windows[w].gridIsCurrent = true
  }

  /// Calls `body` with each region under a point of the screen that has one of the roles, the topmost first, until
  /// `body` returns true. The point passed to `body` is in the window's coordinates.
  ///
  /// - Parameter only: a window; regions of other toplevel windows are skipped, and so is anything that covers it.
  mutating func search(
    at point: Point, in only: WindowID? = nil, roles: RegionRoles, _ body: (Region, Point) -> Bool
  ) {
    tree.taggedWindows(at: point, in: only, into: &hits)
    for hit in hits {
      let w = Int(hit.tag)
      guard w < windows.count else { continue }
      let local = point - hit.origin
      if !windows[w].gridIsCurrent { bringUpToDate(w) }
      if let grid = windows[w].grid {
        guard let cell = grid.cell(local) else { continue }
        var i = grid.starts[cell + 1]
        while i > grid.starts[cell] {
          i -= 1
          if isHit(w, Int(grid.members[Int(i)]), local, roles),
            body(windows[w].entries[Int(grid.members[Int(i)])].region, local)
          {
            return
          }
        }
      } else {
        var i = windows[w].entries.count
        while i > 0 {
          i -= 1
          if isHit(w, i, local, roles), body(windows[w].entries[i].region, local) { return }
        }
      }
    }
  }

  @inline(__always)
  private func isHit(_ w: Int, _ i: Int, _ local: Point, _ roles: RegionRoles) -> Bool {
    windows[w].entries[i].region.rect.contains(local)
      && !windows[w].entries[i].region.roles.isDisjoint(with: roles)
  }
}
