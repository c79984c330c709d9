import CDemoKit
package import Carry
package import CarryWindow

/// Pictures of the demos: drawn, changed, and read from and written to files.
extension Picture {
  /// A drawing for a screen: its size in units of the kit, and the pixels for each unit.
  package convenience init?(units width: Double, _ height: Double, scale: Double, _ draw: (Canvas) -> Void) {
    func whole(_ v: Double) -> CInt { CInt(max(1, min(8192, (v * scale).rounded(.up)))) }
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, whole(width), whole(height)))
    guard let context = cairo_create(surface) else { return nil }
    cairo_scale(context, scale, scale)
    draw(Canvas(context, scale: scale))
    cairo_destroy(context)
    cairo_surface_flush(surface)
  }

  /// Draws on the picture, in units of its pixels.
  package func paint(_ draw: (Canvas) -> Void) {
    guard let context = cairo_create(surface) else { return }
    draw(Canvas(context, scale: 1))
    cairo_destroy(context)
    cairo_surface_flush(surface)
  }

  /// A part of the picture, given in the picture's pixels, with round corners.
  package func part(_ box: Box, radius: Double = 0) -> Picture? {
    Picture(width: Int(max(1, box.width)), height: Int(max(1, box.height))) { c in
      c.clip(Box(0, 0, box.width, box.height), radius: radius)
      c.draw(self, filling: Box(-box.x, -box.y, Double(self.width), Double(self.height)))
    }
  }

  /// The same picture with fewer pixels, for drawing it often.
  package func reduced(toWidth wanted: Double) -> Picture? {
    guard wanted >= 1, wanted < Double(width) else { return self }
    let k = wanted / Double(width)
    return Picture(width: Int(wanted.rounded()), height: max(1, Int((Double(height) * k).rounded()))) { c in
      c.draw(self, filling: Box(0, 0, wanted.rounded(), max(1, (Double(self.height) * k).rounded())))
    }
  }

  // MARK: Reading and writing

  /// The longest side of a decoded picture, in pixels, whatever size its file claims.
  private static let longest: CInt = 4096

  /// The media types that this machine can decode, the best first.
  package static let readableTypes: [String] = {
    var types: [String] = []
    var entry = gdk_pixbuf_get_formats()
    let first = entry
    while let e = entry {
      if let format = e.pointee.data, let names = gdk_pixbuf_format_get_mime_types(OpaquePointer(format)) {
        var i = 0
        while let name = names[i] {
          types.append(String(cString: name))
          i += 1
        }
        g_strfreev(names)
      }
      entry = e.pointee.next
    }
    g_slist_free(first)
    // Formats that keep all of a photo come first. SVG is left out: such documents may name other files.
    let best = ["image/png", "image/jpeg", "image/webp", "image/tiff", "image/gif", "image/bmp"]
    let others = types.filter { $0.hasPrefix("image/") && !best.contains($0) && !$0.contains("svg") }
    return best.filter { types.contains($0) } + others
  }()

  /// Decodes a picture.
  ///
  /// - Returns: the picture, and the media type that its bytes show; nil when the bytes are no readable picture.
  package static func decode(_ bytes: [UInt8]) -> (picture: Picture, type: String)? {
    guard !bytes.isEmpty, let loader = gdk_pixbuf_loader_new() else { return nil }
    defer { demo_unref(loader) }
    demo_limit_size(loader, longest)
    let written = gdk_pixbuf_loader_write(loader, bytes, gsize(bytes.count), nil)
    let closed = gdk_pixbuf_loader_close(loader, nil)
    guard written != 0, closed != 0, let raw = gdk_pixbuf_loader_get_pixbuf(loader),
      let pixels = gdk_pixbuf_apply_embedded_orientation(raw)
    else { return nil }
    defer { demo_unref(UnsafeMutableRawPointer(pixels)) }
    var type = "image/png"
    if let format = gdk_pixbuf_loader_get_format(loader), let names = gdk_pixbuf_format_get_mime_types(format) {
      if let name = names[0] { type = String(cString: name) }
      g_strfreev(names)
    }
    guard readableTypes.contains(type), let picture = Picture(pixels: pixels) else { return nil }
    return (picture, type)
  }

  /// Converts pixels for cairo, which wants each in one word, multiplied by its alpha.
  private convenience init?(pixels: OpaquePointer) {
    let (from, channels) = (Int(gdk_pixbuf_get_rowstride(pixels)), Int(gdk_pixbuf_get_n_channels(pixels)))
    guard let source = gdk_pixbuf_read_pixels(pixels), channels >= 3 else { return nil }
    self.init(width: Int(gdk_pixbuf_get_width(pixels)), height: Int(gdk_pixbuf_get_height(pixels))) { y, row in
      let line = source + y * from
      for x in row.indices {
        let p = line + x * channels
        let a = channels > 3 ? UInt32(p[3]) : 255
        func part(_ v: UInt8) -> UInt32 { (UInt32(v) * a + 127) / 255 }
        row[x] = a << 24 | part(p[0]) << 16 | part(p[1]) << 8 | part(p[2])
      }
    }
  }

  /// The picture as a PNG file.
  package func png() -> [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeMutablePointer(to: &bytes) { target in
      _ = cairo_surface_write_to_png_stream(surface, Self.append, target)
    }
    return bytes
  }

  /// A drawing as a PDF document of one page, with lines and areas that stay sharp at any size.
  ///
  /// - Parameters:
  ///   - width: points of 1/72 inch, as is the height.
  ///   - draw: draws in these points.
  package static func pdf(width: Double, height: Double, _ draw: (Canvas) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeMutablePointer(to: &bytes) { target in
      guard let page = cairo_pdf_surface_create_for_stream(append, target, width, height) else { return }
      if let context = cairo_create(page) {
        draw(Canvas(context, scale: 1))
        cairo_destroy(context)
      }
      // Cairo writes the rest now.
      cairo_surface_destroy(page)
    }
    return bytes
  }

  /// What cairo writes, at the end of an array of bytes.
  private static let append: cairo_write_func_t = { target, data, count in
    guard let target, let data else { return CAIRO_STATUS_WRITE_ERROR }
    target.assumingMemoryBound(to: [UInt8].self).pointee.append(
      contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }

  /// The picture as a JPEG file, on white; empty where none can be made.
  package func jpeg() -> [UInt8] {
    let image = ItemImage(width: width, height: height, premultipliedARGB: pixels)
    return (try? image?.loadRepresentation(forType: "image/jpeg")) ?? []
  }

  /// The picture turned by a quarter, clockwise.
  package func turned() -> Picture? {
    Picture(width: height, height: width) { c in
      c.translate(Double(self.height), 0)
      c.rotate(.pi / 2)
      c.draw(self, filling: Box(0, 0, Double(self.width), Double(self.height)))
    }
  }

  /// The picture for a preview, pixel for pixel on the screen. It is reduced when it is larger than previews may be.
  package func preview() -> PreviewImage? {
    let most = PreviewImage.longestSide
    guard max(width, height) <= most else {
      let k = Double(most) / Double(max(width, height))
      guard let small = reduced(toWidth: (Double(width) * k).rounded(.down)), max(small.width, small.height) <= most
      else { return nil }
      return small.preview(density: Double(small.width) / Double(width))
    }
    return preview(density: 1)
  }

  private func preview(density: Double) -> PreviewImage? {
    PreviewImage(width: width, height: height, premultipliedARGB: pixels, density: density)
  }
}
