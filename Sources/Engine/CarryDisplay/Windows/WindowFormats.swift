import CX11

/// The formats in which the pixels of windows are read, by the windows' visuals.
struct WindowFormats {
  struct Format {
    var format: UnsafeMutablePointer<XRenderPictFormat>
    var hasAlpha: Bool
  }

  private var formats: [UInt32: Format] = [:]
  private let usual: Format?

  init(_ server: XServer) {
    func format(_ visual: UnsafeMutablePointer<Visual>?) -> Format? {
      XRenderFindVisualFormat(server.display, visual).map {
        Format(format: $0, hasAlpha: $0.pointee.direct.alphaMask != 0)
      }
    }
    usual = format(XDefaultVisual(server.display, server.screen))
    var template = XVisualInfo()
    template.screen = server.screen
    var count: CInt = 0
    guard let list = XGetVisualInfo(server.display, CLong(VisualScreenMask), &template, &count) else { return }
    defer { XFree(list) }
    for i in 0..<Int(max(0, count)) {
      formats[UInt32(truncatingIfNeeded: list[i].visualid)] = format(list[i].visual)
    }
  }

  /// - Parameter visual: nil for the root's.
  func format(_ visual: UInt32?) -> Format? {
    guard let visual else { return usual }
    return formats[visual]
  }
}
