import CarryModel
import CarrySystem
import CarryTransfers
import CarryTypes

/// A colour in sRGB. Each component is from 0 to 1; the colours are not premultiplied by alpha.
public struct PreviewColor: Equatable, Sendable {
  /// From 0 to 1.
  public var red, green, blue, alpha: Double

  /// Opaque white.
  public static let white = PreviewColor(red: 1, green: 1, blue: 1)
  /// Fully transparent.
  public static let clear = PreviewColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// Creates a colour from its components.
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
  /// The maximum width and height of a picture in pixels. Draw larger things smaller, and reduce the density
  /// accordingly.
  public static let longestSide = Limits.previewSide
  /// Pixels.
  public let width, height: Int
  /// The number of picture pixels for each screen pixel: 2 for a picture drawn at twice the size.
  public let density: Double
  package let pixels: [UInt32]

  /// Creates a picture from its pixels: alpha, red, green, blue starting at the highest byte, premultiplied, row by
  /// row without gaps, as in cairo's `ARGB32`.
  ///
  /// - Returns: nil if the number of pixels is not `width * height`, a side is not from 1 to `longestSide`, or the
  ///   density is not from 0.25 to 8.
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

extension PreviewImage {
  /// Creates a picture from an item's picture. If a side has more than `longestSide` pixels, it is reduced to a whole
  /// fraction of its size.
  public init?(_ image: ItemImage) {
    let part = (max(image.width, image.height) + Self.longestSide - 1) / Self.longestSide
    guard part > 1 else {
      self.init(width: image.width, height: image.height, premultipliedARGB: image.pixels)
      return
    }
    let (width, height) = (max(1, image.width / part), max(1, image.height / part))
    var pixels = [UInt32](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        // The sums of alpha and green, and of red and blue, side by side.
        var (ag, rb): (UInt64, UInt64) = (0, 0)
        var count: UInt64 = 0
        for row in (y * part)..<min(image.height, (y + 1) * part) {
          for column in (x * part)..<min(image.width, (x + 1) * part) {
            let pixel = UInt64(image.pixels[row * image.width + column])
            ag += (pixel >> 24) << 32 | (pixel >> 8 & 0xFF)
            rb += (pixel >> 16 & 0xFF) << 32 | (pixel & 0xFF)
            count += 1
          }
        }
        func mean(_ sums: UInt64) -> (UInt32, UInt32) {
          (UInt32((sums >> 32) / count), UInt32((sums & 0xFFFF_FFFF) / count))
        }
        let ((alpha, green), (red, blue)) = (mean(ag), mean(rb))
        pixels[y * width + x] = alpha << 24 | red << 16 | green << 8 | blue
      }
    }
    self.init(width: width, height: height, premultipliedARGB: pixels)
  }

  /// Creates a picture from a PNG or JPEG file, reduced if it has more than `longestSide` pixels in one direction.
  ///
  /// - Throws: `ItemDataError` if it cannot be read as such a picture.
  public init(contentsOf path: String) throws {
    let image = try ItemImage(itemProviderData: Files.read(path, limit: 1 << 28), type: FileType.guess(path))
    guard let picture = PreviewImage(image) else { throw ItemDataError("\(path) has no pixels") }
    self = picture
  }
}

/// The content of a preview.
public enum PreviewView: Sendable {
  /// A part of one of the application's windows, with its content: in pixels of the window, at most 2048 each way. It
  /// is live while items rise and land, and a snapshot while they are carried.
  case window(UInt32, Rect)
  /// A picture.
  case image(PreviewImage)
  /// An X pixmap, copied when the preview is used; at most `PreviewImage.longestSide` pixels each way.
  case pixmap(UInt32, width: Int, height: Int)
  /// A card with a link's title, if it has one, and its address, drawn by the engine.
  case link(url: String, title: String = "")
  /// The picture that is already being carried, to land it at another place.
  case carried
}

/// How the view of a preview is shown.
public struct DragPreviewParameters: Sendable {
  /// The colour behind the view, which may have holes. Initially white.
  public var backgroundColor = PreviewColor.white
  /// The visible part of the view, in the view's own pixels; nil for the whole view. The path may extend beyond the
  /// view: the background is visible there.
  public var visiblePath: Path?
  /// The shape that casts the shadow; nil for the shape of the visible part.
  public var shadowPath: Path?

  /// Creates parameters for the whole view on white.
  public init() {}

  /// Creates parameters for the whole view with round corners.
  ///
  /// - Parameters:
  ///   - width: in the view's own pixels.
  ///   - height: in the view's own pixels.
  ///   - cornerRadius: in the view's own pixels; limited to half of the shorter side.
  public init(width: Int, height: Int, cornerRadius: Double) {
    visiblePath = Path(
      roundedRect: Rect(x: 0, y: 0, width: width, height: height), cornerRadius: cornerRadius)
  }

  /// Creates parameters for text: a soft shape around its lines, each given as a rectangle in the view's own pixels.
  ///
  /// Without lines the whole view is shown. If there are more than twenty lines, neighbours share a rectangle, except
  /// the first and the last line.
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

  /// Merges the lines to as many rectangles as a path has room for.
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

/// Scaling and rotation about the middle, for an item that lands.
public struct PreviewTransform: Equatable, Sendable {
  /// 1 is the preview's own size; 0.02 to 20.
  public var scale: Double
  /// Degrees, clockwise; -3600 to 3600.
  public var rotation: Double

  /// Neither scaled nor rotated.
  public static let identity = PreviewTransform()

  /// Creates a transform from its parts.
  public init(scale: Double = 1, rotation: Double = 0) {
    self.scale = scale
    self.rotation = rotation
  }
}

/// A place for a preview.
public struct DragPreviewTarget {
  /// The region whose pixels the centre is in.
  public let container: Region
  /// The middle of the visible part, in pixels of the container.
  public let center: Point
  /// Applies when an item lands, not when it rises.
  public let transform: PreviewTransform

  /// Creates a place in a region.
  public init(container: Region, center: Point, transform: PreviewTransform = .identity) {
    self.container = container
    self.center = center
    self.transform = transform
  }

  /// Creates the place in the middle of a rectangle, which is in pixels of the region's window.
  public init(container: Region, middleOf rect: Rect) {
    self.init(
      container: container,
      center: Point(
        x: Double(rect.x - container.frame.x) + Double(rect.width) / 2,
        y: Double(rect.y - container.frame.y) + Double(rect.height) / 2))
  }
}

/// The look of an item while it is carried.
public struct DragPreview: Sendable {
  /// The content.
  public let view: PreviewView
  /// How it is shown.
  public let parameters: DragPreviewParameters

  /// Creates a preview of a view.
  public init(view: PreviewView, parameters: DragPreviewParameters = DragPreviewParameters()) {
    self.view = view
    self.parameters = parameters
  }

  /// Creates a card for a link, with its title in the first line and its address in the second. Not for files.
  public init(url: String, title: String = "") { self.init(view: .link(url: url, title: title)) }
}

/// The look of an item and its place: for rising, landing, and flying back.
///
/// The middle of the visible path's bounding box is at the target's centre; without a path it is the view's middle.
public struct TargetedDragPreview {
  /// The content.
  public let view: PreviewView
  /// How it is shown.
  public let parameters: DragPreviewParameters
  /// The place of the preview; nil for a part of a window, which is at its own place.
  public let target: DragPreviewTarget?
  /// Whether this is the default preview of the engine.
  let isUsual: Bool
  /// The size of the carried picture, if the preview shows that: in pixels, unscaled.
  private var carriedSize: CarryModel.Size?

  /// Creates a preview of a part of a window, at its own place: in pixels of the window.
  public init(window: UInt32, rect: Rect, parameters: DragPreviewParameters = DragPreviewParameters()) {
    self.init(view: .window(window, rect), parameters: parameters, target: nil, isUsual: false)
  }

  /// Creates a preview of a region's current look, at its own place.
  public init(region: Region, parameters: DragPreviewParameters = DragPreviewParameters()) {
    self.init(window: region.window, rect: region.frame, parameters: parameters)
  }

  /// Creates a preview of a view at a place.
  public init(
    view: PreviewView, parameters: DragPreviewParameters = DragPreviewParameters(), target: DragPreviewTarget
  ) { self.init(view: view, parameters: parameters, target: target, isUsual: false) }

  private init(view: PreviewView, parameters: DragPreviewParameters, target: DragPreviewTarget?, isUsual: Bool) {
    self.view = view
    self.parameters = parameters
    self.target = target
    self.isUsual = isUsual
  }

  /// Creates a card for a link at a place, with its title in the first line and its address in the second. Not for
  /// files.
  public init(url: String, title: String = "", target: DragPreviewTarget) {
    self.init(view: .link(url: url, title: title), target: target)
  }

  /// Returns the same preview at another place.
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

  /// The size of the visible part, in pixels, as it lands with a transform of scale 1.
  ///
  /// For a link's card this is the size at 96 dpi; the card grows with the desktop's scale. Nil for the carried
  /// picture, except in the default preview of an item that lands or flies back, so that it can be scaled to its new
  /// place.
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
