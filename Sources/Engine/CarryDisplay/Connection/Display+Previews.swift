import CX11
package import CarryModel
package import CarryStage

/// Pictures, and the preview windows that show them.
extension Display {
  /// Takes a picture of a part of another client's window, in that window's pixels and including its children.
  ///
  /// Waits for the server: for lifts only. Nil if the window is gone, not viewable, or not under the rectangle.
  package func snapshot(_ window: WindowID, _ rect: Rect) -> ImageID? {
    server.isAlive ? images.snapshot(window, rect) : nil
  }

  /// Copies a client's picture: premultiplied ARGB, 32 bits per pixel in this machine's byte order, rows without
  /// padding. Nil if the sizes do not agree or exceed `Limits.previewSide`.
  package func image(premultipliedARGB bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID? {
    server.isAlive ? images.insert(bytes, width: width, height: height) : nil
  }

  /// Copies a client's pixmap; waits for the server. Nil if there is no such pixmap of a usable kind.
  package func image(pixmap: UInt32) -> (ImageID, Size)? { server.isAlive ? images.insert(pixmap: pixmap) : nil }

  /// The picture of a highlight frame of this size. Nil if the size is larger than a screen.
  package func frameImage(_ size: Size) -> ImageID? { server.isAlive ? images.frame(size) : nil }

  /// The picture of a preview, with its outline and background. Waits for the server if the preview shows a window.
  package func image(_ look: PreviewDescription) -> ImageID? { server.isAlive ? images.compose(look) : nil }

  /// Starts or stops updating a picture as its window changes. Call this before a preview covers the window: without
  /// a compositing manager, the server keeps the window's pixels from here on.
  package func follow(_ id: ImageID, _ follows: Bool) {
    guard server.isAlive else { return }
    if follows, !isComposited, let window = images.window(of: id) { beneath?.keep(window) }
    if follows, isWhole(id) { live.follow(id) } else { live.leave(id) }
  }

  /// Whether the window of a picture keeps all its pixels, whatever covers it.
  private func isWhole(_ id: ImageID) -> Bool {
    isComposited || images.window(of: id).map { beneath?.isKept($0) ?? false } ?? false
  }

  /// Recaptures the pictures that follow a changed window.
  package func refreshImages() -> [ImageID] { server.isAlive ? live.refresh() : [] }

  /// Recaptures a picture of a window now.
  package func refreshImage(_ id: ImageID) -> Bool { server.isAlive && isWhole(id) ? images.refresh(id) : false }

  package func releaseImage(_ id: ImageID) {
    guard server.isAlive else { return }
    live.leave(id)
    images.release(id)
  }

  /// Copies a picture for another of our programs: a pixmap of depth 32. Waits for the server, so that the copy
  /// exists when the other program is told about it.
  package func copyPicture(_ image: ImageID, size: Size, within side: Double) -> (pixmap: UInt32, size: Size)? {
    server.isAlive ? images.copy(image, size: size, within: side) : nil
  }

  package func releaseCopy(_ pixmap: UInt32) { if server.isAlive { XFreePixmap(server.display, UInt(pixmap)) } }

  /// Shows the list on the screen, without a round trip, and with one request for a surface that only moved.
  package func apply(_ list: DrawList) { if server.isAlive { previews.apply(list) } }
}
