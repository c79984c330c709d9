import CX11
package import CarryModel

/// A monitor that shows a part of the screen.
package struct Output: Equatable, Sendable {
  package var name: String
  /// The part that it shows, in screen pixels.
  package var frame: Rect
  /// Nil if the monitor reports an impossible size.
  package var millimetres: Size?
  package var refreshInterval: Interval
}

/// Reads the outputs from RandR.
enum Outputs {
  static let defaultRefresh = Interval.seconds(1.0 / 60)

  static func read(_ server: XServer) -> [Output] {
    guard let resources = XRRGetScreenResourcesCurrent(server.display, server.root) else { return [] }
    defer { XRRFreeScreenResources(resources) }
    let r = resources.pointee
    var modes: [UInt: Interval] = [:]
    for mode in UnsafeBufferPointer(start: r.modes, count: Int(r.nmode)) { modes[mode.id] = interval(of: mode) }
    var outputs: [Output] = []
    for id in UnsafeBufferPointer(start: r.outputs, count: Int(r.noutput)) {
      guard let info = XRRGetOutputInfo(server.display, resources, id) else { continue }
      defer { XRRFreeOutputInfo(info) }
      guard info.pointee.crtc != 0, let crtc = XRRGetCrtcInfo(server.display, resources, info.pointee.crtc) else {
        continue
      }
      defer { XRRFreeCrtcInfo(crtc) }
      let c = crtc.pointee
      guard c.width > 0, c.height > 0 else { continue }
      let turned = c.rotation & UInt16(RR_Rotate_90 | RR_Rotate_270) != 0
      let (mmWidth, mmHeight) = (Double(info.pointee.mm_width), Double(info.pointee.mm_height))
      let size = turned ? Size(width: mmHeight, height: mmWidth) : Size(width: mmWidth, height: mmHeight)
      outputs.append(
        Output(
          name: info.pointee.name.map { SafeText.displayable(String(cString: $0)) } ?? "",
          frame: Rect(x: Double(c.x), y: Double(c.y), width: Double(c.width), height: Double(c.height)),
          millimetres: isPlausible(size, for: Size(width: Double(c.width), height: Double(c.height))) ? size : nil,
          refreshInterval: modes[c.mode] ?? defaultRefresh))
    }
    return outputs
  }

  /// The monitors as the user has set them up (RandR 1.5). Waits for the server.
  static func monitors(_ server: XServer) -> [Rect] {
    var count: CInt = 0
    guard let monitors = XRRGetMonitors(server.display, server.root, 1, &count) else { return [] }
    defer { XRRFreeMonitors(monitors) }
    return UnsafeBufferPointer(start: monitors, count: Int(count)).map {
      Rect(x: Double($0.x), y: Double($0.y), width: Double($0.width), height: Double($0.height))
    }
  }

  /// Whether a reported size is possible, which means 40 to 600 dpi. Projectors and virtual screens report 0 × 0 or
  /// the aspect ratio, such as 160 × 90.
  static func isPlausible(_ millimetres: Size, for pixels: Size) -> Bool {
    guard millimetres.width > 0, millimetres.height > 0 else { return false }
    if [160, 16].contains(millimetres.width) && [90, 100, 9, 10].contains(millimetres.height) { return false }
    let dpi = pixels.width / millimetres.width * 25.4
    return dpi > 40 && dpi < 600
  }

  private static func interval(of mode: XRRModeInfo) -> Interval {
    var lines = Double(mode.hTotal) * Double(mode.vTotal)
    if mode.modeFlags & UInt(RR_DoubleScan) != 0 { lines *= 2 }
    if mode.modeFlags & UInt(RR_Interlace) != 0 { lines /= 2 }
    guard mode.dotClock > 0, lines > 0 else { return defaultRefresh }
    let hertz = Double(mode.dotClock) / lines
    return hertz >= 20 && hertz <= 1000 ? .seconds(1 / hertz) : defaultRefresh
  }
}
