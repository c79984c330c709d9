import CLinux
import CPixbuf
import CX11
import CarryModel
import CarrySystem

/// Creates one thumbnail in a separate process that `carry drag` starts: `carry thumbnail-of PATH TYPE`. A picture
/// that hangs or crashes its decoder ends only this process.
///
/// Writes the width and height in pixels to standard output, then the pixels, premultiplied 0xAARRGGBB; each is four
/// bytes in native order.
enum ThumbnailProcess: Command {
  static let name = "thumbnail-of"
  static let summary = "a small picture of a file, for carry drag itself"
  static let options: [Arguments.Option] = []
  static let help = "Usage: carry thumbnail-of PATH TYPE"

  /// The longest side, in pixels.
  static let side = 256
  /// The maximum output, in bytes.
  static let most = 8 + side * side * 4
  private static let longestFile = 64 << 20
  private static let maxPixels: Int64 = 1 << 26

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.count == 2 else { throw UsageError("thumbnail-of takes a path and a type") }
    limitItself()
    guard let pixels = thumbnail(of: arguments.operands[0], type: arguments.operands[1]) else { return .nothing }
    return Output.write(pixels) ? .done : .nothing
  }

  private static func limitItself() {
    // In seconds. Ends the process whatever it waits for.
    alarm(10)
    func limit(_ what: __rlimit_resource, _ most: UInt) {
      var value = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
      setrlimit(__rlimit_resource_t(what.rawValue), &value)
    }
    limit(RLIMIT_CPU, 5)
    limit(RLIMIT_AS, 1 << 30)
    // The limit does not apply to pipes.
    limit(RLIMIT_FSIZE, 0)
    limit(RLIMIT_CORE, 0)
    clinux_be_nice(10)
  }

  private static func thumbnail(of path: String, type: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    for cached in ThumbnailCache.candidates(for: path, in: ThumbnailCache.directory) {
      guard let png = try? Files.read(cached, limit: ThumbnailCache.longest),
        ThumbnailCache.isCurrent(png, for: path, modified: status.st_mtim.tv_sec)
      else { continue }
      if let pixels = decode(png, "image/png") { return pixels }
    }
    guard type.hasPrefix("image/"), let bytes = try? Files.read(path, limit: longestFile) else { return nil }
    return decode(bytes, type)
  }

  private static func decode(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
    guard cpixbuf_is_there() else { return type == "image/png" ? decodePNG(bytes) : nil }
    var picture = cpixbuf_picture()
    var problem = cpixbuf_problem()
    let isDecoded = bytes.withUnsafeBytes {
      cpixbuf_decode($0.baseAddress, $0.count, type, 32_767, maxPixels, &picture, &problem)
    }
    guard isDecoded, let pixels = picture.pixels else { return nil }
    defer { free(pixels) }
    let (width, height) = (Int(picture.width), Int(picture.height))
    let surface = pixels.withMemoryRebound(to: UInt8.self, capacity: width * height * 4) {
      cairo_image_surface_create_for_data($0, CAIRO_FORMAT_ARGB32, CInt(width), CInt(height), CInt(width * 4))
    }
    defer { cairo_surface_destroy(surface) }
    return surface.flatMap(scaled)
  }

  /// Without gdk-pixbuf: cairo, which draws the windows, decodes PNG.
  private static func decodePNG(_ bytes: [UInt8]) -> [UInt8]? {
    struct Rest {
      var bytes: UnsafeRawBufferPointer
    }
    let surface = bytes.withUnsafeBytes { all -> OpaquePointer? in
      var rest = Rest(bytes: all)
      return withUnsafeMutableBytes(of: &rest) { closure in
        cairo_image_surface_create_from_png_stream(
          { closure, to, count in
            guard let rest = closure?.assumingMemoryBound(to: Rest.self), let to,
              rest.pointee.bytes.count >= Int(count), let from = rest.pointee.bytes.baseAddress
            else { return CAIRO_STATUS_READ_ERROR }
            UnsafeMutableRawPointer(to).copyMemory(from: from, byteCount: Int(count))
            rest.pointee.bytes = UnsafeRawBufferPointer(rebasing: rest.pointee.bytes.dropFirst(Int(count)))
            return CAIRO_STATUS_SUCCESS
          }, closure.baseAddress)
      }
    }
    defer { cairo_surface_destroy(surface) }
    return surface.flatMap(scaled)
  }

  /// The picture scaled so that no side exceeds `side`, encoded for standard output; nil for a surface in an error
  /// state.
  private static func scaled(_ source: OpaquePointer) -> [UInt8]? {
    let (width, height) = (Int(cairo_image_surface_get_width(source)), Int(cairo_image_surface_get_height(source)))
    guard cairo_surface_status(source) == CAIRO_STATUS_SUCCESS, width > 0, height > 0 else { return nil }
    let scale = min(1, Double(side) / Double(max(width, height)))
    let (w, h) = (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
    let small = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(w), CInt(h))
    defer { cairo_surface_destroy(small) }
    let context = cairo_create(small)
    cairo_scale(context, Double(w) / Double(width), Double(h) / Double(height))
    cairo_set_source_surface(context, source, 0, 0)
    cairo_paint(context)
    cairo_destroy(context)
    cairo_surface_flush(small)
    guard cairo_surface_status(small) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(small) else {
      return nil
    }
    let stride = Int(cairo_image_surface_get_stride(small))
    var out: [UInt8] = []
    out.reserveCapacity(8 + w * h * 4)
    for number in [UInt32(w), UInt32(h)] { withUnsafeBytes(of: number) { out += $0 } }
    for y in 0..<h { out += UnsafeBufferPointer(start: data + y * stride, count: w * 4) }
    return out
  }
}
