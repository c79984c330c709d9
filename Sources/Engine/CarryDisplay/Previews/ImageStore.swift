import CX11
import CarryModel
import CarryX

/// Pictures of items, kept in the X server.
final class ImageStore {
  struct Image {
    var pixmap: Pixmap
    var picture: Picture
    var width: Int
    var height: Int
    /// The shape that casts the shadow, if it is not the whole rectangle.
    var silhouette: Silhouette?
    /// How to recapture the picture when its window changes; nil for a picture with its own pixels.
    var recipe: Recipe?

    init(_ canvas: Canvas) {
      (pixmap, picture, width, height) = (canvas.pixmap, canvas.picture, canvas.width, canvas.height)
    }
  }

  /// A part of a window with an outline.
  struct Recipe {
    var window: WindowID
    var rect: Rect
    var look: PreviewDescription
  }

  private let server: XServer
  private var images: [ImageID: Image] = [:]
  private var ids = IdentifierSource()
  /// Called when an image is removed, so that everything made from it is removed too.
  var released: ((ImageID) -> Void)?

  init(_ server: XServer) { self.server = server }

  subscript(id: ImageID) -> Image? { images[id] }

  func snapshot(_ window: WindowID, _ rect: Rect) -> ImageID? {
    guard let (rect, content) = take(window, rect, clips: true) else { return nil }
    var image = content
    image.recipe = Recipe(window: window, rect: rect, look: PreviewDescription())
    return add(image)
  }

  /// Makes the image of a preview: its picture on its background, cut to its outline.
  ///
  /// Nil if the window is not visible, or the picture is gone.
  func compose(_ look: PreviewDescription) -> ImageID? {
    switch look.picture {
    case .window(let window, let rect):
      guard let content = take(window, rect) else { return nil }
      guard look.isShaped || look.background != 0xFFFF_FFFF else {
        var image = content
        image.recipe = Recipe(window: window, rect: rect, look: look)
        return add(image)
      }
      defer { free(content) }
      guard var image = makeComposition(look) else { return nil }
      image.recipe = Recipe(window: window, rect: rect, look: look)
      draw(content, size: rect.size, look, on: image)
      return add(image)
    case .image(let id, let size):
      guard let content = images[id], let image = makeComposition(look, most: Self.maxOfAnImage) else { return nil }
      draw(content, size: size, look, on: image)
      return add(image)
    case .link(let url, let title):
      let size = look.drawnSize(of: Limits.linkCard(hasTitle: !title.isEmpty))
      guard let card = LinkCard.draw(server, url: url, title: title, size: size, scale: look.drawnScale).map(Image.init)
      else { return nil }
      guard look.path != nil else { return add(card) }
      defer { free(card) }
      guard let image = makeComposition(look) else { return nil }
      draw(card, size: size, look, on: image)
      return add(image)
    case .refused, .carried:
      return nil
    }
  }

  /// Makes a highlight frame of a given size.
  func frame(_ size: Size) -> ImageID? {
    HighlightFrame.draw(server, width: Int(size.width), height: Int(size.height)).map { add(Image($0)) }
  }

  /// Recaptures a picture of a window. Its size stays. If the window is no longer visible, the picture stays, too.
  ///
  /// - Returns: whether the picture has changed.
  func refresh(_ id: ImageID) -> Bool {
    guard let image = images[id], let recipe = image.recipe, let content = take(recipe.window, recipe.rect) else {
      return false
    }
    defer { free(content) }
    if recipe.look.isShaped || recipe.look.background != 0xFFFF_FFFF {
      draw(content, size: recipe.rect.size, recipe.look, on: image)
    } else {
      guard content.width == image.width, content.height == image.height else { return false }
      XRenderComposite(
        server.display, PictOpSrc, content.picture, 0, image.picture, 0, 0, 0, 0, 0, 0, UInt32(image.width),
        UInt32(image.height))
    }
    released?(id)
    return true
  }

  /// The window shown in a picture.
  func window(of id: ImageID) -> WindowID? { images[id]?.recipe?.window }

  /// Maximum side in pixels of a composition of a client's picture. Such pictures have at most `Limits.previewSide`
  /// pixels per side and are stretched beyond that; more pixels would only mean more work for us and for the X
  /// server.
  private static let maxOfAnImage = Double(Limits.previewSide)

  /// - Parameter most: maximum pixels per side; a larger composition is scaled down, and stretched when it is drawn.
  private func makeComposition(_ look: PreviewDescription, most: Double = 4096) -> Image? {
    guard let box = look.visibleRect, box.width <= 4096, box.height <= 4096 else { return nil }
    let part = min(1, most / max(box.width, box.height))
    let (width, height) = (max(1, Int((box.width * part).rounded(.up))), max(1, Int((box.height * part).rounded(.up))))
    server.work += width * height * 4
    var image = Image(Canvas(server, width: width, height: height))
    if look.isShaped {
      image.silhouette = Silhouette(look.shadowPath ?? look.path, box: box)
    }
    return image
  }

  /// Draws background and content through the outline; the content is stretched to `size`.
  private func draw(_ content: Image, size: Size, _ look: PreviewDescription, on image: Image) {
    guard let box = look.visibleRect else { return }
    let (width, height) = (UInt32(image.width), UInt32(image.height))
    let mask = look.path.flatMap { Canvas(server, filling: $0, box: box, width: image.width, height: image.height) }
    defer { mask?.free(server) }
    var none = XRenderColor()
    XRenderFillRectangle(server.display, PictOpSrc, image.picture, &none, 0, 0, width, height)
    let alpha = Double(look.background >> 24) / 255
    if alpha > 0 {
      func channel(_ shift: UInt32) -> UInt16 {
        UInt16(Double((look.background >> shift) & 0xFF) / 255 * alpha * 65535)
      }
      var color = XRenderColor(red: channel(16), green: channel(8), blue: channel(0), alpha: UInt16(alpha * 65535))
      let fill = XRenderCreateSolidFill(server.display, &color)
      XRenderComposite(
        server.display, PictOpOver, fill, mask?.picture ?? 0, image.picture, 0, 0, 0, 0, 0, 0, width, height)
      XRenderFreePicture(server.display, fill)
    }
    // From the composition's pixels to the content's.
    let (tx, ty) = (Double(content.width) / max(1, size.width), Double(content.height) / max(1, size.height))
    // Rounding up to whole pixels stretches nothing.
    let part = image.width < Int(box.width) ? box.width / Double(image.width) : 1
    let (sx, sy) = (tx * part, ty * part)
    var transform = XTransform.scaling(x: sx, y: sy, thenMovedBy: (box.x * tx, box.y * ty))
    XRenderSetPictureTransform(server.display, content.picture, &transform)
    XRenderSetPictureFilter(server.display, content.picture, FilterBilinear, nil, 0)
    XRenderComposite(
      server.display, PictOpOver, content.picture, mask?.picture ?? 0, image.picture, 0, 0, 0, 0, 0, 0, width, height)
    var identity = XTransform.identity
    XRenderSetPictureTransform(server.display, content.picture, &identity)
  }

  private func take(_ window: WindowID, _ rect: Rect) -> Image? { take(window, rect, clips: false)?.image }

  /// Copies the present pixels of a part of a window: of the rectangle, or of its part inside the window.
  private func take(_ window: WindowID, _ whole: Rect, clips: Bool) -> (rect: Rect, image: Image)? {
    var attributes = XWindowAttributes()
    guard XGetWindowAttributes(server.display, UInt(window.raw), &attributes) != 0,
      attributes.map_state == IsViewable, attributes.class == InputOutput,
      let format = XRenderFindVisualFormat(server.display, attributes.visual)
    else { return nil }
    let inside = Rect(x: 0, y: 0, width: Double(attributes.width), height: Double(attributes.height))
    let part = whole.intersection(inside)
    let rect = clips ? part : whole
    guard !part.isEmpty, rect.width <= 4096, rect.height <= 4096 else { return nil }
    let (x, y) = (Int(rect.x.rounded(.down)), Int(rect.y.rounded(.down)))
    let (width, height) = (max(1, Int(rect.maxX.rounded(.up)) - x), max(1, Int(rect.maxY.rounded(.up)) - y))
    let first = XNextRequest(server.display)
    let source = server.makePicture(UInt(window.raw), format, includesInferiors: true)
    let image = Image(Canvas(server, width: width, height: height))
    // Copy nothing outside the window, because the server would read other windows there.
    if part != rect {
      var none = XRenderColor()
      XRenderFillRectangle(server.display, PictOpSrc, image.picture, &none, 0, 0, UInt32(width), UInt32(height))
    }
    let (left, top) = (Int(part.x), Int(part.y))
    XRenderComposite(
      server.display, PictOpSrc, source, 0, image.picture, CInt(left), CInt(top), 0, 0, CInt(left - x), CInt(top - y),
      UInt32(max(1, Int(part.maxX.rounded(.up)) - left)), UInt32(max(1, Int(part.maxY.rounded(.up)) - top)))
    XRenderFreePicture(server.display, source)
    // The window may have gone in between, and then the picture is empty.
    XSync(server.display, 0)
    guard server.isAlive else { return nil }
    guard !XErrors.happened(on: server.display, since: first) else {
      free(image)
      return nil
    }
    return (rect, image)
  }

  /// Copies a client's pixmap. The pixmap may be gone, or of any kind.
  func insert(pixmap: UInt32) -> (ImageID, Size)? {
    var root: CX11.Window = 0
    var (x, y): (CInt, CInt) = (0, 0)
    var (width, height, border, depth): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    guard XGetGeometry(server.display, UInt(pixmap), &root, &x, &y, &width, &height, &border, &depth) != 0,
      depth == 24 || depth == 32, width > 0, height > 0, width <= Limits.previewSide, height <= Limits.previewSide,
      let format = depth == 32 ? server.argb : XRenderFindStandardFormat(server.display, CInt(PictStandardRGB24))
    else { return nil }
    let first = XNextRequest(server.display)
    let source = server.makePicture(UInt(pixmap), format)
    let image = Image(Canvas(server, width: Int(width), height: Int(height)))
    XRenderComposite(server.display, PictOpSrc, source, 0, image.picture, 0, 0, 0, 0, 0, 0, width, height)
    XRenderFreePicture(server.display, source)
    XSync(server.display, 0)
    guard server.isAlive, !XErrors.happened(on: server.display, since: first) else {
      if server.isAlive { free(image) }
      return nil
    }
    return (add(image), Size(width: Double(width), height: Double(height)))
  }

  func insert(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID? {
    guard width > 0, height > 0, width <= Limits.previewSide, height <= Limits.previewSide,
      bytes.count == width * height * 4, let base = bytes.baseAddress
    else { return nil }
    return add(Image(Canvas(server, argb: base, stride: width * 4, width: width, height: height)))
  }

  /// Copies a picture, scaled down if it does not fit into a square.
  func copy(_ id: ImageID, size: Size, within side: Double) -> (pixmap: UInt32, size: Size)? {
    guard let image = images[id], size.width > 0, size.height > 0 else { return nil }
    let part = min(1, side / max(size.width, size.height))
    let (width, height) = (max(1, Int((size.width * part).rounded())), max(1, Int((size.height * part).rounded())))
    let copy = Canvas(server, width: width, height: height)
    var transform = XTransform.scaling(
      x: Double(image.width) / Double(width), y: Double(image.height) / Double(height))
    XRenderSetPictureTransform(server.display, image.picture, &transform)
    XRenderSetPictureFilter(server.display, image.picture, part < 1 ? FilterBest : FilterBilinear, nil, 0)
    XRenderComposite(
      server.display, PictOpSrc, image.picture, 0, copy.picture, 0, 0, 0, 0, 0, 0, UInt32(width), UInt32(height))
    var identity = XTransform.identity
    XRenderSetPictureTransform(server.display, image.picture, &identity)
    XRenderFreePicture(server.display, copy.picture)
    XSync(server.display, 0)
    return (UInt32(truncatingIfNeeded: copy.pixmap), Size(width: Double(width), height: Double(height)))
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
