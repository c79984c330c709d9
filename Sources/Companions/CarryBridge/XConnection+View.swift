import CX11
import CarryModel

/// The visible part of a window.
struct WindowView {
  /// The child of the root that is or contains the window.
  let outermost: UInt32
  /// In pixels of the screen; uncovered and disjoint.
  let parts: [Rect]
  /// The windows above the outermost one.
  private let above: ArraySlice<UInt32>

  fileprivate init(outermost: UInt32, parts: [Rect], above: ArraySlice<UInt32>) {
    (self.outermost, self.parts, self.above) = (outermost, parts, above)
  }

  func isBelow(_ window: UInt32) -> Bool { above.contains(window) }
}

extension XConnection {
  private static let deepest = 16
  /// A program may have any number of windows above another. Beyond this a window counts as covered.
  private static let maxAbove = 1024
  private static let maxShapes = 64
  private static let maxCovers = 512
  private static let maxRectangles = 64
  private static let maxParts = 256

  /// Determines the visible part of a window.
  ///
  /// - Parameter source: A window of a dragging program, whose drag picture moves with the pointer and hides nothing.
  /// - Returns: Nil if the window is not shown or too much lies above it.
  func view(of window: UInt32, withoutPicturesOf source: UInt32) -> WindowView? {
    guard var visible = frame(of: window), let outermost = outermost(of: window, cutting: &visible), !visible.isEmpty,
      let corner = frame(of: outermost)?.origin, isShown(window)
    else { return nil }
    let all = children(of: root)
    guard let i = all.firstIndex(of: outermost) else { return nil }
    let above = all[(i + 1)...]
    guard above.count <= Self.maxAbove else { return nil }
    // Its own shape also cuts it.
    var parts = (pointed(outermost, at: corner) ?? [visible]).map { $0.intersection(visible) }.filter { !$0.isEmpty }
    let others = above.filter { !isOwn($0) }
    for cover in covers(others, over: visible, withoutPicturesOf: connection(of: source)) {
      parts = parts.flatMap { $0.subtracting(cover) }
      guard parts.count <= Self.maxParts else { return nil }
    }
    return WindowView(outermost: outermost, parts: parts, above: above)
  }

  /// Whether an event may change the visible part of other windows. A drag picture moves with each motion of the
  /// mouse and hides nothing.
  ///
  /// - Parameter source: A window of the dragging program.
  func mayUncover(_ event: XEvent, draggedBy source: UInt32) -> Bool {
    let (window, isPicture): (Window, Bool) =
      switch event.type {
      case ConfigureNotify: (event.xconfigure.window, event.xconfigure.override_redirect != 0)
      case MapNotify: (event.xmap.window, event.xmap.override_redirect != 0)
      case UnmapNotify: (event.xunmap.window, false)
      case ReparentNotify: (event.xreparent.window, false)
      case CirculateNotify: (event.xcirculate.window, false)
      case DestroyNotify: (event.xdestroywindow.window, false)
      default: (0, true)
      }
    let changed = UInt32(truncatingIfNeeded: window)
    return changed != 0 && !isOwn(changed) && !(isPicture && connection(of: changed) == connection(of: source))
  }

  /// The child of the root that contains a window. Intersects the rectangle with the windows in between.
  private func outermost(of window: UInt32, cutting visible: inout Rect) -> UInt32? {
    var outer = window
    for _ in 0..<Self.deepest {
      guard let parent = parent(of: outer), let frame = frame(of: parent) else { return nil }
      visible = visible.intersection(frame)
      if parent == root { return outer }
      outer = parent
    }
    return nil
  }

  private func isShown(_ window: UInt32) -> Bool {
    guard let reply = xcb_get_window_attributes_reply(connection, xcb_get_window_attributes(connection, window), nil)
    else { return false }
    defer { cx11_free(reply) }
    return UInt32(reply.pointee.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue
  }

  /// The areas of windows that overlap a rectangle and accept the pointer. Sends all requests before reading the
  /// first reply.
  private func covers(_ windows: [UInt32], over place: Rect, withoutPicturesOf program: UInt32) -> [Rect] {
    let asked = windows.map { ($0, xcb_get_window_attributes(connection, $0), xcb_get_geometry(connection, $0)) }
    var covering: [(window: UInt32, corner: CarryModel.Point, frame: Rect)] = []
    for (window, attributes, geometry) in asked {
      let attributes = xcb_get_window_attributes_reply(connection, attributes, nil)
      let geometry = xcb_get_geometry_reply(connection, geometry, nil)
      defer {
        cx11_free(attributes)
        cx11_free(geometry)
      }
      guard let a = attributes?.pointee, let g = geometry?.pointee,
        UInt32(a.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue, CInt(a._class) == InputOutput,
        a.override_redirect == 0 || connection(of: window) != program
      else { continue }
      let border = Double(g.border_width)
      let frame = Rect(
        x: Double(g.x), y: Double(g.y), width: Double(g.width) + 2 * border, height: Double(g.height) + 2 * border)
      guard !frame.intersection(place).isEmpty else { continue }
      covering.append((window, CarryModel.Point(x: frame.x + border, y: frame.y + border), frame))
    }
    var covers: [Rect] = []
    for (i, cover) in covering.enumerated() {
      // Beyond these limits a window counts as a rectangle.
      let isAsked = i < Self.maxShapes && covers.count < Self.maxCovers
      covers += (isAsked ? pointed(cover.window, at: cover.corner) : nil) ?? [cover.frame]
    }
    return covers
  }

  /// Where a child of the root accepts the pointer: drag pictures and tooltips let it through.
  ///
  /// - Parameter corner: The inner corner of the window, on the screen.
  /// - Returns: Nil for a shape with more rectangles than desktops use.
  private func pointed(_ window: UInt32, at corner: CarryModel.Point) -> [Rect]? {
    let questions = [ShapeBounding, ShapeInput].map { xcb_shape_get_rectangles(connection, window, UInt8($0)) }
    let shapes = questions.map { question -> [Rect]? in
      guard let reply = xcb_shape_get_rectangles_reply(connection, question, nil) else { return [] }
      defer { cx11_free(reply) }
      guard xcb_shape_get_rectangles_rectangles_length(reply) <= Self.maxRectangles else { return nil }
      return UnsafeBufferPointer(
        start: xcb_shape_get_rectangles_rectangles(reply),
        count: Int(xcb_shape_get_rectangles_rectangles_length(reply))
      ).map { Rect(x: Double($0.x), y: Double($0.y), width: Double($0.width), height: Double($0.height)) }
    }
    guard let bounding = shapes[0], let input = shapes[1] else { return nil }
    let parts = bounding.flatMap { a in
      input.map { $0.intersection(a).offset(by: corner) }.filter { !$0.isEmpty }
    }
    return parts.count <= Self.maxRectangles ? parts : nil
  }
}
