import CarryModel

/// All regions of all clients, found by point.
///
/// Regions of one window are stacked in the order of their registration, the newest on top, until one is raised. A window with many of them
/// gets a grid, so that a query looks at a handful of rectangles however many there are.
struct RegionTable {
  /// The regions of one window. Kept in an array whose index is the window's tag in the mirror.
  private struct WindowRegions {
    var window: WindowID
    var regions: [Region] = []
    var grid: Grid?
    /// Whether `grid` says all there is to say: nil then means that a plain scan is the better way.
    var gridIsCurrent = false
  }

  /// Buckets of indices into `regions`, 64 px a side (the size a fingertip covers), over the regions' bounding box.
  private struct Grid {
    static let cell = 64.0
    static let mostCells = 4096

    var origin: Point
    var columns: Int
    var rows: Int
    var cellSize: Double
    var starts: [Int32]
    var members: [Int32]

    init?(_ regions: [Region]) {
      guard regions.count > 8 else { return nil }
      var box = regions[0].rect
      for r in regions.dropFirst() {
        let x = min(box.x, r.rect.x)
        let y = min(box.y, r.rect.y)
        box = Rect(x: x, y: y, width: max(box.maxX, r.rect.maxX) - x, height: max(box.maxY, r.rect.maxY) - y)
      }
      var cellSize = Grid.cell
      while (box.width / cellSize + 1) * (box.height / cellSize + 1) > Double(Grid.mostCells) { cellSize *= 2 }
      self.cellSize = cellSize
      origin = box.origin
      columns = Int(box.width / cellSize) + 1
      rows = Int(box.height / cellSize) + 1
      var counts = [Int32](repeating: 0, count: columns * rows + 1)
      starts = counts
      members = []
      // Two passes: count what falls into each cell, then lay the members out behind one another.
      for r in regions { forEachCell(r.rect) { counts[$0] += 1 } }
      var sum: Int32 = 0
      for i in counts.indices {
        starts[i] = sum
        sum += counts[i]
      }
      // Thousands of regions that each cover everything: a grid would only multiply them.
      guard Int(sum) <= 64 * regions.count else { return nil }
      members = [Int32](repeating: 0, count: Int(sum))
      var next = starts
      for (i, r) in regions.enumerated() {
        forEachCell(r.rect) {
          members[Int(next[$0])] = Int32(i)
          next[$0] += 1
        }
      }
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
  private var windowOf: [RegionID: WindowID] = [:]
  private var countOf: [ClientID: Int] = [:]
  /// Z13: what regions take as a rule: media types, such as `text/plain` or `image/*`. Not in `Region`, which is copied
  /// for every motion and costs nothing as long as it holds numbers only.
  private(set) var acceptedTypes: [RegionID: [String]] = [:]
  private var hits: [WindowTree.TaggedHit] = []

  init(_ tree: WindowTree) { self.tree = tree }

  var count: Int { windowOf.count }

  func count(of client: ClientID) -> Int { countOf[client] ?? 0 }

  subscript(id: RegionID) -> Region? {
    guard let window = windowOf[id], let tag = tags[window] else { return nil }
    return windows[Int(tag)].regions.first { $0.id == id }
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
    windows[Int(tag)].regions.append(region)
    windows[Int(tag)].gridIsCurrent = false
    windowOf[region.id] = region.window
    countOf[region.client, default: 0] += 1
  }

  mutating func update(_ id: RegionID, rect: Rect? = nil, roles: RegionRoles? = nil, edgeZone: Double? = nil) {
    guard let window = windowOf[id], let tag = tags[window],
      let i = windows[Int(tag)].regions.firstIndex(where: { $0.id == id })
    else { return }
    if let rect {
      windows[Int(tag)].regions[i].rect = rect
      windows[Int(tag)].gridIsCurrent = false
    }
    if let roles { windows[Int(tag)].regions[i].roles = roles }
    if let edgeZone { windows[Int(tag)].regions[i].edgeZone = edgeZone }
  }

  mutating func setAcceptedTypes(_ types: [String], of id: RegionID) {
    guard windowOf[id] != nil else { return }
    acceptedTypes[id] = types.isEmpty ? nil : types
  }

  /// Puts a region above the others of its window.
  mutating func raise(_ id: RegionID) {
    guard let window = windowOf[id], let tag = tags[window],
      let i = windows[Int(tag)].regions.firstIndex(where: { $0.id == id }), i < windows[Int(tag)].regions.count - 1
    else { return }
    windows[Int(tag)].regions.append(windows[Int(tag)].regions.remove(at: i))
    windows[Int(tag)].gridIsCurrent = false
  }

  @discardableResult
  mutating func remove(_ id: RegionID) -> Region? {
    guard let window = windowOf.removeValue(forKey: id), let tag = tags[window],
      let i = windows[Int(tag)].regions.firstIndex(where: { $0.id == id })
    else { return nil }
    let region = windows[Int(tag)].regions.remove(at: i)
    windows[Int(tag)].gridIsCurrent = false
    acceptedTypes[id] = nil
    countOf[region.client, default: 1] -= 1
    if windows[Int(tag)].regions.isEmpty {
      tags[window] = nil
      tree.setTag(window, -1)
      freeTags.append(tag)
    }
    return region
  }

  func ids(ofClient client: ClientID) -> [RegionID] {
    windows.flatMap { w in w.regions.filter { $0.client == client }.map(\.id) }
  }

  func hasRegion(of client: ClientID, on window: WindowID) -> Bool {
    guard let tag = tags[window] else { return false }
    return windows[Int(tag)].regions.contains { $0.client == client }
  }

  /// The windows in which a press may lift something and whose touches are to be held for it.
  var dragWindows: Set<WindowID> {
    var list: Set<WindowID> = []
    for w in windows
    where w.regions.contains(where: { $0.roles.contains(.drag) && !$0.roles.contains(.cooperative) }) {
      list.insert(w.window)
    }
    return list
  }

  /// Every region.
  var all: [Region] { windows.flatMap(\.regions) }
  var ids: [RegionID] { all.map(\.id) }

  func ids(ofWindow window: WindowID) -> [RegionID] {
    guard let tag = tags[window] else { return [] }
    return windows[Int(tag)].regions.map(\.id)
  }

  /// Calls `body` with each region under a point of the screen that has one of the roles, the topmost first, until it
  /// answers true. The point it is given is in the window's coordinates.
  mutating func search(at point: Point, roles: RegionRoles, _ body: (Region, Point) -> Bool) {
    tree.taggedWindows(at: point, into: &hits)
    for hit in hits {
      let w = Int(hit.tag)
      guard w < windows.count else { continue }
      let local = point - hit.origin
      if !windows[w].gridIsCurrent {
        windows[w].grid = Grid(windows[w].regions)
        windows[w].gridIsCurrent = true
      }
      if let grid = windows[w].grid {
        guard let cell = grid.cell(local) else { continue }
        var i = grid.starts[cell + 1]
        while i > grid.starts[cell] {
          i -= 1
          let m = Int(grid.members[Int(i)])
          if windows[w].regions[m].rect.contains(local), !windows[w].regions[m].roles.isDisjoint(with: roles),
            body(windows[w].regions[m], local)
          {
            return
          }
        }
      } else {
        var i = windows[w].regions.count
        while i > 0 {
          i -= 1
          if windows[w].regions[i].rect.contains(local), !windows[w].regions[i].roles.isDisjoint(with: roles),
            body(windows[w].regions[i], local)
          {
            return
          }
        }
      }
    }
  }
}
