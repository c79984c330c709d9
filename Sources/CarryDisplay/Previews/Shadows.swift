import CX11
import CarryModel
import Glibc

/// Blurred shadows as black pictures, made once for each size of card.
///
/// A Gaussian blur of a rectangle is the product of two error functions, one along each axis, so no blur is ever run. The
/// masks are a quarter of the size: a blur has no detail that bilinear filtering would lose.
struct Shadows {
  struct Mask {
    var canvas: Canvas
    /// The card's middle in the mask's pixels.
    var middle: Point
    /// Card pixels per mask pixel.
    var scale: Double
  }

  private struct Key: Hashable {
    var width, height, blur: Int
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
    // Rounded corners let a little light through: the rectangle is drawn in by a hair.
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

  /// How much of a blurred bar covers each mask pixel along one axis, symmetric about the middle.
  private static func profile(length: Double, blur: Double, step: Double, reach: Double) -> [Double] {
    let count = max(1, Int((length / step).rounded(.up)) + 2 * Int(reach))
    let k = 1 / (max(blur, 0.5) * 2.0.squareRoot())
    return (0..<count).map { i in
      let position = (Double(i) + 0.5 - Double(count) / 2) * step
      let inside = (erf((position + length / 2) * k) - erf((position - length / 2) * k)) / 2
      // The far tail is cut, but smoothly: a step of a few levels can be seen on a plain background.
      return max(0, (inside - 0.004) / 0.996)
    }
  }

  mutating func removeAll() {
    for mask in masks.values { mask.canvas.free(server) }
    masks.removeAll()
  }
}
