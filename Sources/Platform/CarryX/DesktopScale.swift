import CX11
import CarryModel

/// The desktop's scale: 1 is 96 dots per inch. It comes from two properties that any client may write, so every value
/// in them is checked.
package enum DesktopScale {
  /// The scale from settings managers (XSETTINGS), else from the X resources; 1 if neither gives a scale, as other
  /// programs assume. Waits for the server.
  package static func read(_ display: OpaquePointer) -> Double {
    let dpi = settings(display).flatMap(fromSettings) ?? resources(display).flatMap(fromResources)
    guard let dpi, dpi.isFinite, dpi >= 48, dpi <= 768 else { return 1 }
    return dpi / 96
  }

  /// `Xft/DPI` in 1024ths of a dot per inch, or 96 for each step of `Gdk/WindowScalingFactor`, from an XSETTINGS
  /// property (specifications.freedesktop.org/xsettings-spec, version 0.5).
  package static func fromSettings(_ bytes: [UInt8]) -> Double? {
    guard bytes.count >= 12 else { return nil }
    let isBig = bytes[0] == 1
    func number(_ at: Int, _ size: Int) -> Int? {
      guard at >= 0, at + size <= bytes.count else { return nil }
      let part = bytes[at..<(at + size)]
      return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    func padded(_ n: Int) -> Int { (n + 3) & ~3 }
    guard let count = number(8, 4), count <= 4096 else { return nil }
    var i = 12
    var factor: Double?
    for _ in 0..<count {
      guard let type = number(i, 1), let length = number(i + 2, 2), i + 4 + length <= bytes.count else { return nil }
      let name = String(decoding: bytes[(i + 4)..<(i + 4 + length)], as: UTF8.self)
      i += 4 + padded(length) + 4
      switch type {
      case 0:
        guard let value = number(i, 4) else { return nil }
        if name == "Xft/DPI", value < 1 << 24 { return Double(value) / 1024 }
        if name == "Gdk/WindowScalingFactor", (1...8).contains(value) { factor = Double(value) * 96 }
        i += 4
      case 1:
        guard let length = number(i, 4), length <= bytes.count else { return nil }
        i += 4 + padded(length)
      case 2: i += 8
      default: return nil
      }
    }
    return factor
  }

  /// `Xft.dpi` from the text of the X resources.
  package static func fromResources(_ bytes: [UInt8]) -> Double? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line.prefix(256), as: UTF8.self)
      guard text.hasPrefix("Xft.dpi:") else { continue }
      return Double(text.dropFirst(8).filter { $0 != " " && $0 != "\t" })
    }
    return nil
  }

  private static func settings(_ display: OpaquePointer) -> [UInt8]? {
    let name = "_XSETTINGS_S\(XDefaultScreen(display))"
    let owner = XGetSelectionOwner(display, XInternAtom(display, name, 0))
    guard owner != 0 else { return nil }
    return property(display, owner, "_XSETTINGS_SETTINGS")
  }

  private static func resources(_ display: OpaquePointer) -> [UInt8]? {
    property(display, XDefaultRootWindow(display), "RESOURCE_MANAGER")
  }

  private static func property(_ display: OpaquePointer, _ window: Window, _ name: String) -> [UInt8]? {
    guard let connection = XGetXCBConnection(display) else { return nil }
    let window = UInt32(truncatingIfNeeded: window)
    return XProperty.bytes(
      connection, XProperty.ask(connection, window, XInternAtom(display, name, 0), most: 16_384))
  }
}
