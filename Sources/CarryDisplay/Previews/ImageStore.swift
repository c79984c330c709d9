import CX11
import CarryModel

/// Pictures of items, kept in the X server.
final class ImageStore {
  struct Image {
    var pixmap: Pixmap
    var picture: Picture
    var width: Int
    var height: Int
  }

  private let server: XServer
  private var images: [ImageID: Image] = [:]
  private var ids = IdentifierSource()
  /// Told when an image goes, for what was made from it.
  var released: ((ImageID) -> Void)?

  init(_ server: XServer) { self.server = server }

  subscript(id: ImageID) -> Image? { images[id] }

  func snapshot(_ window: WindowID, _ rect: Rect) -> ImageID? {
    var attributes = XWindowAttributes()
    guard XGetWindowAttributes(server.display, UInt(window.raw), &attributes) != 0,
      attributes.map_state == IsViewable, attributes.class == InputOutput,
      let format = XRenderFindVisualFormat(server.display, attributes.visual)
    else { return nil }
    let inside = Rect(x: 0, y: 0, width: Double(attributes.width), height: Double(attributes.height))
    let part = rect.intersection(inside)
    guard !part.isEmpty, part.width <= 4096, part.height <= 4096 else { return nil }
    let (x, y) = (Int(part.x), Int(part.y))
    let (width, height) = (max(1, Int(part.maxX.rounded(.up)) - x), max(1, Int(part.maxY.rounded(.up)) - y))
    let first = XNextRequest(server.display)
    let source = server.makePicture(UInt(window.raw), format, includesInferiors: true)
    let pixmap = server.makePixmap(width, height)
    let picture = server.makePicture(pixmap, server.argb)
    XRenderComposite(
      server.display, PictOpSrc, source, 0, picture, CInt(x), CInt(y), 0, 0, 0, 0, UInt32(width), UInt32(height))
    XRenderFreePicture(server.display, source)
    // The window may have gone in between: then there is nothing on the picture.
    XSync(server.display, 0)
    guard server.isAlive else { return nil }
    let image = Image(pixmap: pixmap, picture: picture, width: width, height: height)
    guard !XErrors.happened(on: server.display, since: first) else {
      free(image)
      return nil
    }
    return add(image)
  }

  func insert(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID? {
    guard width > 0, height > 0, width <= Limits.previewSide, height <= Limits.previewSide,
      bytes.count == width * height * 4, let base = bytes.baseAddress
    else { return nil }
    let pixmap = server.makePixmap(width, height)
    let gc = XCreateGC(server.display, pixmap, 0, nil)
    cx11_put_image(server.display, pixmap, gc, 32, 32, base, CInt(width * 4), CInt(width), CInt(height))
    XFreeGC(server.display, gc)
    return add(
      Image(pixmap: pixmap, picture: server.makePicture(pixmap, server.argb), width: width, height: height))
  }

  private func add(_ image: Image) -> ImageID {
    let id = ImageID(ids.next())
    images[id] = image
    return id
  }

  func release(_ id: ImageID) {
    guard let image = images.removeValue(forKey: id) else { return }
    released?(id)
    free(image)
  }

  private func free(_ image: Image) {
    XRenderFreePicture(server.display, image.picture)
    XFreePixmap(server.display, image.pixmap)
  }
}
