public import CCarry
import Carry
import enum CarryModel.Limits

/// A preview that a C program creates.
final class PreviewHandle: Handle {
  let view: PreviewView
  /// The background and outlines set by the program.
  var parameters = DragPreviewParameters()
  var target: DragPreviewTarget?

  init(_ view: PreviewView) { self.view = view }

  /// The preview with its location: the target that was set, or a region's own. Throws if there is neither.
  func targeted() throws(Failure) -> TargetedDragPreview {
    if let target { return TargetedDragPreview(view: view, parameters: parameters, target: target) }
    guard case .window(let window, let rect) = view else {
      throw Failure(CARRY_ERROR_STATE, "the preview needs a target: only a part of a region is where it is")
    }
    return TargetedDragPreview(window: window, rect: rect, parameters: parameters)
  }

  /// Accepts a preview that a callback has returned; the library now owns it.
  static func take(_ pointer: OpaquePointer?) throws(Failure) -> PreviewHandle {
    let handle = try object(pointer, PreviewHandle.self)
    handle.invalidate()
    return handle
  }

  /// The preview that a callback chose; nil for none.
  static func chosen(
    by choice: Int32, _ pointer: OpaquePointer?, usual: TargetedDragPreview
  ) -> TargetedDragPreview? {
    switch carry_preview_choice(rawValue: UInt32(bitPattern: choice)) {
    case CARRY_PREVIEW_NONE: return nil
    case CARRY_PREVIEW_OWN:
      do throws(Failure) { return try take(pointer).targeted() } catch {
        LastError.set(error.message)
        Warning.say("a preview that a callback returned cannot be used: \(error.message)")
        return usual
      }
    default: return usual
    }
  }
}

/// An animator's handle, valid within the callback that receives it.
final class AnimatorHandle: Handle {
  let animator: any DragAnimating
  init(_ animator: any DragAnimating) { self.animator = animator }
}

private func make(_ view: @autoclosure () throws(Failure) -> PreviewView) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let handle = PreviewHandle(try view())
    handle.keep()
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_create_region(
  _ region: OpaquePointer?, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let region = try object(region, RegionHandle.self).region
    guard width > 0, height > 0 else { throw .argument("a preview has at least one pixel: \(width)x\(height)") }
    let rect = Rect(
      x: region.frame.x + Int(x), y: region.frame.y + Int(y), width: Int(width), height: Int(height))
    return make(.window(region.window, rect))
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_create_image(
  _ pixels: UnsafePointer<UInt32>?, _ width: Int32, _ height: Int32, _ density: Double
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let side = 1...Int32(Limits.previewSide)
    guard side.contains(width), side.contains(height), (0.25...8).contains(density), let pixels else {
      throw .argument(
        "a picture has 1 to \(Limits.previewSide) pixels each way and a density of 0.25 to 8, not \(width)x\(height) "
          + "at \(density)")
    }
    let copy = Array(UnsafeBufferPointer(start: pixels, count: Int(width) * Int(height)))
    guard
      let image = PreviewImage(width: Int(width), height: Int(height), premultipliedARGB: copy, density: density)
    else { throw .argument("the picture cannot be used") }
    return make(.image(image))
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_create_pixmap(_ pixmap: UInt32, _ width: Int32, _ height: Int32) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let side = 1...Int32(Limits.previewSide)
    guard side.contains(width), side.contains(height), pixmap != 0 else {
      throw .argument("a pixmap for a preview has 1 to \(Limits.previewSide) pixels each way")
    }
    return make(.pixmap(pixmap, width: Int(width), height: Int(height)))
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_create_link(
  _ url: UnsafePointer<CChar>?, _ title: UnsafePointer<CChar>?
) -> OpaquePointer? {
  pointer { () throws(Failure) in make(.link(url: try text(url, "the url"), title: try text(title, "the title"))) }
}

/// See carry.h.
@c @implementation
public func carry_preview_create_carried() -> OpaquePointer? { make(.carried) }

/// See carry.h.
@c @implementation
public func carry_preview_destroy(_ preview: OpaquePointer?) { Handles.find(preview, PreviewHandle.self)?.invalidate() }

/// See carry.h.
@c @implementation
public func carry_preview_set_background(_ preview: OpaquePointer?, _ argb: UInt32) -> Int32 {
  status { () throws(Failure) in
    func part(_ shift: UInt32) -> Double { Double((argb >> shift) & 0xFF) / 255 }
    try object(preview, PreviewHandle.self).parameters.backgroundColor = PreviewColor(
      red: part(16), green: part(8), blue: part(0), alpha: part(24))
  }
}

/// A caller's path; nil for none.
private func path(_ steps: UnsafePointer<Double>?, _ count: Int) throws(Failure) -> Path? {
  guard count >= 0, count <= 960, steps != nil || count == 0 else {
    throw .argument("a path has at most 960 numbers, not \(UInt(bitPattern: count))")
  }
  guard count > 0, let steps else { return nil }
  let n = Array(UnsafeBufferPointer(start: steps, count: count))
  guard n.allSatisfy({ abs($0) <= 32_000 }) else { throw .argument("a path's numbers are within 32000") }
  var path = Path()
  var i = 0
  func point(_ at: Int) -> Point { Point(x: n[at], y: n[at + 1]) }
  while i < n.count {
    let sizes = [3, 3, 7, 1]
    guard let kind = Int(exactly: n[i]), sizes.indices.contains(kind), i + sizes[kind] <= n.count,
      kind == 0 || !path.isEmpty
    else { throw .argument("number \(i) of the path begins no step, or the step is cut short") }
    switch kind {
    case 0: path.move(to: point(i + 1))
    case 1: path.addLine(to: point(i + 1))
    case 2: path.addCurve(to: point(i + 5), control1: point(i + 1), control2: point(i + 3))
    default: path.closeSubpath()
    }
    i += sizes[kind]
  }
  return path
}

/// See carry.h.
@c @implementation
public func carry_preview_set_path(
  _ preview: OpaquePointer?, _ steps: UnsafePointer<Double>?, _ count: Int
) -> Int32 {
  status { () throws(Failure) in
    try object(preview, PreviewHandle.self).parameters.visiblePath = try path(steps, count)
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_set_shadow_path(
  _ preview: OpaquePointer?, _ steps: UnsafePointer<Double>?, _ count: Int
) -> Int32 {
  status { () throws(Failure) in
    try object(preview, PreviewHandle.self).parameters.shadowPath = try path(steps, count)
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_set_text_lines(
  _ preview: OpaquePointer?, _ rectangles: UnsafePointer<Int32>?, _ lines: Int
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(preview, PreviewHandle.self)
    guard (0...4096).contains(lines), let rectangles = lines == 0 ? nil : rectangles else {
      guard lines == 0 else { throw .argument("there are no \(UInt(bitPattern: lines)) lines") }
      return handle.parameters.visiblePath = nil
    }
    let rects = (0..<lines).map { i in
      Rect(
        x: Int(rectangles[i * 4]), y: Int(rectangles[i * 4 + 1]), width: Int(rectangles[i * 4 + 2]),
        height: Int(rectangles[i * 4 + 3]))
    }
    handle.parameters.visiblePath = DragPreviewParameters(textLineRects: rects).visiblePath
  }
}

/// See carry.h.
@c @implementation
public func carry_preview_set_target(
  _ preview: OpaquePointer?, _ container: OpaquePointer?, _ x: Double, _ y: Double, _ scale: Double, _ degrees: Double
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(preview, PreviewHandle.self)
    let region = try object(container, RegionHandle.self).region
    guard x.isFinite, y.isFinite, (0.02...20).contains(scale), (-3600...3600).contains(degrees) else {
      throw .argument("a target has a point, a scale of 0.02 to 20 and a turn of -3600 to 3600 degrees")
    }
    handle.target = DragPreviewTarget(
      container: region, center: Point(x: x, y: y), transform: PreviewTransform(scale: scale, rotation: degrees))
  }
}

/// See carry.h.
@c @implementation
public func carry_item_set_preview_provider(
  _ item: OpaquePointer?, _ make: carry_preview_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let item = try object(item, ItemHandle.self).item
    guard let make else { return item.previewProvider = nil }
    item.previewProvider = {
      guard let made = make(user_data) else { return nil }
      do throws(Failure) {
        let handle = try PreviewHandle.take(made)
        return DragPreview(view: handle.view, parameters: handle.parameters)
      } catch {
        LastError.set(error.message)
        Warning.say("a preview that a callback returned cannot be used: \(error.message)")
        return nil
      }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_client_set_preview_refused(
  _ client: OpaquePointer?,
  _ refused: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(client, ClientHandle.self)
    guard let refused else { return handle.client.onPreviewRefused = nil }
    handle.client.onPreviewRefused = { [unowned handle] why in
      if !handle.isDoomed { why.withCString { refused(user_data, $0) } }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_animator_add_animation(
  _ animator: OpaquePointer?, _ step: (@convention(c) (UnsafeMutableRawPointer?, Double) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(animator, AnimatorHandle.self)
    guard let step else { throw .argument("the function is NULL") }
    handle.animator.addAnimations { step(user_data, $0) }
  }
}

/// See carry.h.
@c @implementation
public func carry_animator_add_completion(
  _ animator: OpaquePointer?, _ done: (@convention(c) (UnsafeMutableRawPointer?, Int32) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(animator, AnimatorHandle.self)
    guard let done else { throw .argument("the function is NULL") }
    handle.animator.addCompletion { done(user_data, $0 == .end ? 1 : 0) }
  }
}
