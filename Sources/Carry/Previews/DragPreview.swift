import CarryModel

/// A colour in sRGB; each part from 0 to 1, the colours not multiplied with alpha.
public struct PreviewColor: Equatable, Sendable {
  /// From 0 to 1.
  public var red, green, blue, alpha: Double

  /// Opaque white.
  public static let white = PreviewColor(red: 1, green: 1, blue: 1)
  /// Nothing at all.
  public static let clear = PreviewColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// A colour from its parts.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  var argb: UInt32 {
    func byte(_ v: Double) -> UInt32 { v.isNaN ? 0 : UInt32(max(0, min(1, v)) * 255 + 0.5) }
    return byte(alpha) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}

/// Pixels that the application has drawn.
public struct PreviewImage: Sendable {
  /// How many pixels a picture may have each way. Draw larger things smaller, with a density to match.
  public static let longestSide = Limits.previewSide
  /// Pixels.
  public let width, height: Int
  /// Picture pixels for one of the screen: 2 for a picture that was drawn twice as large.
  public let density: Double
  package let pixels: [UInt32]

  /// A picture from its pixels: alpha, red, green, blue from the highest byte on, premultiplied, row by row without
  /// gaps, as cairo's `ARGB32` has them.
  ///
  /// - Returns: nil when the number of pixels is not `width * height`, or a side is not within 1 and
  ///   `longestSide`.
  public init?(width: Int, height: Int, premultipliedARGB pixels: [UInt32], density: Double = 1) {
    let side = 1...Limits.previewSide
    guard side.contains(width), side.contains(height), pixels.count == width * height, (0.25...8).contains(density)
    else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
    self.density = density
  }
}

/// What a preview shows.
public enum PreviewView: Sendable {
  /// A part of one of the application's windows, with what is in it: pixels of the window, at most 2048 each way. It is
  /// live while items rise and land, and a snapshot while they are carried.
  case window(UInt32, Rect)
  /// A picture.
  case image(PreviewImage)
  /// An X pixmap, which is copied when the preview is used; at most 512 pixels each way.
  case pixmap(UInt32, width: Int, height: Int)
  /// A card with a link's title, if it has one, and its address, which the engine draws.
  case link(url: String, title: String = "")
  /// The picture that is carried already: for landing it elsewhere.
  case carried
}

/// How the view of a preview is shown.
public struct DragPreviewParameters: Sendable {
  /// The colour behind the view, which may have holes. White from the start.
  public var backgroundColor = PreviewColor.white
  /// Which part of the view is seen, in the view's own pixels; nil for all of it. The path may be larger than the view:
  /// the background is seen there.
  public var visiblePath: Path?
  /// The shape that throws the shadow; nil for the shape of what is seen.
  public var shadowPath: Path?

  /// The whole view on white.
  public init() {}

  /// The whole view with round corners.
  ///
  /// - Parameters:
  ///   - width: the view's own pixels.
  ///   - height: the view's own pixels.
  ///   - cornerRadius: the same; at most half of the shorter side counts.
  public init(width: Int, height: Int, cornerRadius: Double) {
    visiblePath = Path(
      roundedRect: Rect(x: 0, y: 0, width: width, height: height), cornerRadius: cornerRadius)
  }

  /// Text, as text lifts: a soft shape round its lines, each given as a rectangle in the view's own pixels. Without
  /// lines it is the whole view. If there are more than twenty lines, neighbours share a rectangle, except the first
  /// and the last line.
  public init(textLineRects lines: [Rect]) {
    let lines = Self.merged(lines.filter { $0.width > 0 && $0.height > 0 })
    guard !lines.isEmpty else { return }
    var path = Path()
    for line in lines {
      path.addRoundedRect(
        Rect(x: line.x - 6, y: line.y - 4, width: line.width + 12, height: line.height + 8), cornerRadius: 7)
    }
    visiblePath = path
  }

  /// As many rectangles as a path has room for.
  private static func merged(_ lines: [Rect]) -> [Rect] {
    let most = 20
    guard lines.count > most, let first = lines.first, let last = lines.last else { return lines }
    let middle = Array(lines.dropFirst().dropLast())
    let groups = most - 2
    return [first]
      + (0..<groups).map { i in
        let run = middle[(i * middle.count / groups)..<((i + 1) * middle.count / groups)]
        return run.dropFirst().reduce(run[run.startIndex]) { a, b in
          let (x, y) = (min(a.x, b.x), min(a.y, b.y))
          return Rect(
            x: x, y: y, width: max(a.x + a.width, b.x + b.width) - x, height: max(a.y + a.height, b.y + b.height) - y)
        }
      } + [last]
  }
}

/// Scaling and turning about the middle, for an item that lands.
public struct PreviewTransform: Equatable, Sendable {
  /// 1 is the preview's own size; 0.02 to 20.
  public var scale: Double
  /// Degrees, clockwise; -3600 to 3600.
  public var rotation: Double

  /// Neither scaled nor turned.
  public static let identity = PreviewTransform()

  /// A transform from its parts.
  public init(scale: Double = 1, rotation: Double = 0) {
    self.scale = scale
    self.rotation = rotation
  }
}

/// A place for a preview.
public struct DragPreviewTarget {
  /// The region in whose pixels the centre is.
  public let container: Region
  /// Where the middle of what is seen lies, in pixels of the container.
  public let center: Point
  /// Applies when an item lands, and not when it rises.
  public let transform: PreviewTransform

  /// A place in a region.
  public init(container: Region, center: Point, transform: PreviewTransform = .identity) {
    self.container = container
    self.center = center
    self.transform = transform
  }
}

/// What an item looks like while it is carried.
public struct DragPreview: Sendable {
  /// What is shown.
  public let view: PreviewView
  /// How it is shown.
  public let parameters: DragPreviewParameters

  /// A preview of a view.
  public init(view: PreviewView, parameters: DragPreviewParameters = DragPreviewParameters()) {
    self.view = view
    self.parameters = parameters
  }

  /// A card for a link, with its title in the first line and its address in the second. Not for files.
  public init(url: String, title: String = "") { self.init(view: .link(url: url, title: title)) }
}

/// What an item looks like, and where: for rising, landing, and flying home.
///
/// The middle of the box round the visible path lies on the target's centre; without a path it is the view's middle.
public struct TargetedDragPreview {
  /// What is shown.
  public let view: PreviewView
  /// How it is shown.
  public let parameters: DragPreviewParameters
  /// Where the preview is; nil for a part of a window, which is in its own place.
  public let target: DragPreviewTarget?
  /// Whether this is the preview that the engine would show by itself.
  let isUsual: Bool
  /// The size of the carried picture, if the preview shows that: pixels, unscaled.
  private var carriedSize: CarryModel.Size?

  /// A part of a window, in its own place: pixels of the window.
  public init(window: UInt32, rect: Rect, parameters: DragPreviewParameters = DragPreviewParameters()) {
    self.init(view: .window(window, rect), parameters: parameters, target: nil, isUsual: false)
  }

  /// A region as it looks, in its own place.
  public init(region: Region, parameters: DragPreviewParameters = DragPreviewParameters()) {
    self.init(window: region.window, rect: region.frame, parameters: parameters)
  }

  /// A view in a place.
  public init(
    view: PreviewView, parameters: DragPreviewParameters = DragPreviewParameters(), target: DragPreviewTarget
  ) { self.init(view: view, parameters: parameters, target: target, isUsual: false) }

  private init(view: PreviewView, parameters: DragPreviewParameters, target: DragPreviewTarget?, isUsual: Bool) {
    self.view = view
    self.parameters = parameters
    self.target = target
    self.isUsual = isUsual
  }

  /// A card for a link in a place, with its title in the first line and its address in the second. Not for files.
  public init(url: String, title: String = "", target: DragPreviewTarget) {
    self.init(view: .link(url: url, title: title), target: target)
  }

  /// The same preview in another place.
  public func retargetedPreview(with target: DragPreviewTarget) -> TargetedDragPreview {
    var preview = TargetedDragPreview(view: view, parameters: parameters, target: target, isUsual: false)
    preview.carriedSize = carriedSize
    return preview
  }

  /// What the engine does by itself with the picture that is carried.
  static func carried(_ size: CarryModel.Size?) -> TargetedDragPreview {
    var preview = usual(.carried)
    preview.carriedSize = size
    return preview
  }

  /// What the engine does by itself.
  package static func usual(of region: Region) -> TargetedDragPreview { .usual(.window(region.window, region.frame)) }
  /// What an item looks like as it rises, unless its source says otherwise: its own region, or the one that was pressed.
  package static func lifting(_ item: DragItem, from pressed: Region?) -> TargetedDragPreview {
    if let region = item.region, region !== pressed { return TargetedDragPreview(region: region) }
    return pressed.map { .usual(of: $0) } ?? .usual(.carried)
  }
  static func usual(_ view: PreviewView) -> TargetedDragPreview {
    TargetedDragPreview(view: view, parameters: DragPreviewParameters(), target: nil, isUsual: true)
  }

  /// The size of what is seen, in pixels, as a transform of scale 1 sets it down. For a link's card this is
  /// the size at 96 dpi; the card grows with the desktop's scale. Nil for the carried picture. Only the default preview
  /// of an item that lands or goes home knows that picture's size, so that it can be scaled to the place where it goes.
  public var size: (width: Double, height: Double)? {
    if let box = parameters.visiblePath?.boundingBox { return (box.width, box.height) }
    switch view {
    case .window(_, let rect): return (Double(rect.width), Double(rect.height))
    case .image(let image): return (Double(image.width) / image.density, Double(image.height) / image.density)
    case .pixmap(_, let width, let height): return (Double(width), Double(height))
    case .link(_, let title): return Limits.linkCard(hasTitle: !title.isEmpty)
    case .carried: return carriedSize.map { ($0.width, $0.height) }
    }
  }
}
