import CX11
import CarryModel

/// A pixmap with its XRender picture: a target and a source of drawing.
struct Canvas {
  var pixmap: Pixmap
  var picture: Picture
  var width: Int
  var height: Int

  init(_ server: XServer, width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
    pixmap = server.makePixmap(self.width, self.height)
    picture = server.makePicture(pixmap, server.argb)
  }

  /// Uploads a cairo surface of premultiplied ARGB.
  init(_ server: XServer, uploading surface: OpaquePointer) {
    cairo_surface_flush(surface)
    self.init(
      server, argb: cairo_image_surface_get_data(surface), stride: Int(cairo_image_surface_get_stride(surface)),
      width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)))
  }

  /// Uploads pixels of premultiplied ARGB, in rows of `stride` bytes.
  init(_ server: XServer, argb bytes: UnsafeRawPointer?, stride: Int, width: Int, height: Int) {
    self.init(server, width: width, height: height)
    let gc = XCreateGC(server.display, pixmap, 0, nil)
    cx11_put_image(server.display, pixmap, gc, 32, 32, bytes, CInt(stride), CInt(width), CInt(height))
    XFreeGC(server.display, gc)
  }

  /// Uploads an 8-bit mask, in rows of `stride` bytes without gaps between the rows.
  init(_ server: XServer, mask bytes: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
    self.width = width
    self.height = height
    pixmap = server.makePixmap(width, height, depth: 8)
    let gc = XCreateGC(server.display, pixmap, 0, nil)
    cx11_put_image(server.display, pixmap, gc, 8, 8, bytes, CInt(stride), CInt(width), CInt(height))
    XFreeGC(server.display, gc)
    picture = server.makePicture(pixmap, server.alpha)
  }

  /// Uploads a black picture whose alpha is the coverage: one byte per pixel.
  ///
  /// A colour through a scaled mask would have the same effect, but X servers have no fast way to scale a mask.
  init(_ server: XServer, blackCoverage bytes: [UInt8], width: Int, height: Int) {
    let pixels = bytes.map { UInt32($0) << 24 }
    self = pixels.withUnsafeBytes {
      Canvas(server, argb: $0.baseAddress, stride: width * 4, width: width, height: height)
    }
  }

  /// Uploads a mask of the part of `box` that a path fills, stretched to the size; nil if out of memory.
  init?(_ server: XServer, filling path: PreviewPath, box: Rect, width: Int, height: Int) {
    guard let surface = path.filled(box: box, width: width, height: height) else { return nil }
    self.init(
      server, mask: cairo_image_surface_get_data(surface), stride: Int(cairo_image_surface_get_stride(surface)),
      width: width, height: height)
    cairo_surface_destroy(surface)
  }

  func free(_ server: XServer) {
    XRenderFreePicture(server.display, picture)
    XFreePixmap(server.display, pixmap)
  }
}

/// Where a picture is to appear on a surface: turned and scaled about a point.
struct Placement {
  /// In surface pixels.
  var center: Point
  /// The point of the picture, in its own pixels, that lies on the centre.
  var middle: Point
  /// Surface pixels per picture pixel.
  var scale: Double
  /// Radians, clockwise.
  var rotation: Double

  /// The transform from surface pixels to picture pixels, as XRender expects it.
  func transform(cos c: Double, sin s: Double) -> XTransform {
    let k = 1 / max(scale, 0.001)
    let (a, b) = (c * k, s * k)
    var x = middle.x - a * center.x - b * center.y
    var y = middle.y + b * center.x - a * center.y
    // A picture on whole pixels stays sharp: rounding errors must not move it off them.
    if rotation == 0, abs(scale - 1) < 1e-9 {
      if abs(x - x.rounded()) < 1e-3 { x = x.rounded() }
      if abs(y - y.rounded()) < 1e-3 { y = y.rounded() }
    }
    return XTransform(
      matrix: (
        (cx11_fixed(a), cx11_fixed(b), cx11_fixed(x)), (cx11_fixed(-b), cx11_fixed(a), cx11_fixed(y)),
        (0, 0, cx11_fixed(1))
      ))
  }
}
