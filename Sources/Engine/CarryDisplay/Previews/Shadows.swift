import CX11
import CarryModel
import Glibc

/// Blurred shadows as black pictures, made once for each size of card.
///
/// A Gaussian blur of a rectangle is the product of two error functions, one along each axis, so rectangles need no
/// blur pass. The masks have a quarter of the size: a blur has no detail that bilinear filtering would lose.
struct Shadows {
  struct Mask {
    var canvas: Canvas
    /// The card's centre in the mask's pixels.
    var middle: Point
    /// Card pixels per mask pixel.
    var scale: Double
  }

  private struct Key: Hashable {
    var width, height, blur: Int
    /// The picture, if it has an outline of its own.
    var image = ImageID(0)
  }

  private static let most = 64
  private let server: XServer
  private var masks: [Key: Mask] = [:]

  init(_ server: XServer) { self.server = server }

  mutating func mask(for size: Size, blur: Double) -> Mask {
    let key = Key(width: Int(size.width.rounded()), height: Int(size.height.rounded()), blur: Int((blur * 4).rounded()))
    if let mask = masks[key] { return mask }
    if masks.count >= Self.most { removeAll() }
    let step = max(1, blur / 3.2)
    let reach = (2.7 * blur / step).rounded(.up) + 1
    // Rounded corners let a little light through, so the shadow's rectangle is slightly smaller.
    let x = Self.profile(length: size.width - 2, blur: blur, step: step, reach: reach)
    let y = Self.profile(length: size.height - 2, blur: blur, step: step, reach: reach)
    var bytes = [UInt8](repeating: 0, count: x.count * y.count)
    for j in y.indices {
      for i in x.indices { bytes[j * x.count + i] = UInt8(max(0, min(255, (x[i] * y[j] * 255).rounded()))) }
    }
    let canvas = Canvas(server, blackCoverage: bytes, width: x.count, height: y.count)
    XRenderSetPictureFilter(server.display, canvas.picture, FilterBilinear, nil, 0)
    let mask = Mask(
      canvas: canvas, middle: Point(x: Double(x.count) / 2, y: Double(y.count) / 2), scale: step)
    masks[key] = mask
    return mask
  }

  /// The shadow of a picture that has an outline of its own: its silhouette, blurred along both axes.
  mutating func mask(for image: ImageID, _ silhouette: Silhouette, size: Size, blur: Double) -> Mask {
    let key = Key(
      width: Int(size.width.rounded()), height: Int(size.height.rounded()), blur: Int((blur * 4).rounded()),
      image: image)
    if let mask = masks[key] { return mask }
    if masks.count >= Self.most { removeAll() }
    let step = max(0.25, size.width / Double(silhouette.width))
    let kernel = Self.kernel(sigma: max(0.5, blur / step))
    let reach = kernel.count / 2
    let (width, height) = (silhouette.width + 2 * reach, silhouette.height + 2 * reach)
    var rows = [Float](repeating: 0, count: width * silhouette.height)
    for y in 0..<silhouette.height {
      for x in 0..<silhouette.width {
        let c = Float(silhouette.coverage[y * silhouette.width + x])
        guard c > 0 else { continue }
        for k in kernel.indices { rows[y * width + x + k] += c * kernel[k] }
      }
    }
    var sums = [Float](repeating: 0, count: width * height)
    for y in 0..<silhouette.height {
      for k in kernel.indices {
        let weight = kernel[k]
        for x in 0..<width { sums[(y + k) * width + x] += rows[y * width + x] * weight }
      }
    }
    let bytes = sums.map { UInt8(max(0, min(255, (($0 / 255 - 0.004) / 0.996 * 255).rounded()))) }
    let canvas = Canvas(server, blackCoverage: bytes, width: width, height: height)
    XRenderSetPictureFilter(server.display, canvas.picture, FilterBilinear, nil, 0)
    let mask = Mask(canvas: canvas, middle: Point(x: Double(width) / 2, y: Double(height) / 2), scale: step)
    masks[key] = mask
    return mask
  }

  /// A Gaussian's weights, which add up to 1.
  private static func kernel(sigma: Double) -> [Float] {
    let reach = min(40, Int((2.7 * sigma).rounded(.up)))
    let weights = (-reach...reach).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// How much of each mask pixel a blurred bar covers along one axis, symmetric about the centre.
  private static func profile(length: Double, blur: Double, step: Double, reach: Double) -> [Double] {
    let count = max(1, Int((length / step).rounded(.up)) + 2 * Int(reach))
    let k = 1 / (max(blur, 0.5) * 2.0.squareRoot())
    return (0..<count).map { i in
      let position = (Double(i) + 0.5 - Double(count) / 2) * step
      let inside = (erf((position + length / 2) * k) - erf((position - length / 2) * k)) / 2
      // The far tail is cut, but smoothly: a step of a few levels is visible on a plain background.
      return max(0, (inside - 0.004) / 0.996)
    }
  }

  mutating func removeAll() {
    for mask in masks.values { mask.canvas.free(server) }
    masks.removeAll()
  }
}
