package import CarryModel
import CWayland
import CWaylandClient

/// The engine's messages about a picture.
package enum WirePreviewEvent: WireEvent {
  /// Why the engine cannot use the picture.
  case refused(String)
  case lost
}

/// A picture with its outline and location, as the engine shows it.
package final class WirePreview: WireEventSource<WirePreviewEvent> {
  override func listen(_ proxy: OpaquePointer) { carry_preview_add_listener(proxy, Self.listener.pointer, data) }

  package func setWindow(_ window: UInt32, x: Int32, y: Int32, width: Int32, height: Int32) {
    request(MessageSize.of(words: 5)) { carry_preview_set_window($0, window, x, y, width, height) }
  }

  /// - Parameter density: picture pixels per screen pixel.
  /// - Returns: False if too many descriptors already wait for the engine.
  package func setImage(memory fd: CInt, width: Int, height: Int, density: Double) -> Bool {
    let words = [UInt32(clamping: width), UInt32(clamping: height), UInt32(bitPattern: fixed(density))]
    return request(PassingRequest(CARRY_PREVIEW_SET_IMAGE, words: words), with: [fd])
  }

  package func setPixmap(_ pixmap: UInt32) {
    request(MessageSize.of(words: 1)) { carry_preview_set_pixmap($0, pixmap) }
  }

  package func setLink(url: String, title: String) {
    request(MessageSize.of(words: 0, url, title)) { carry_preview_set_link($0, url, title) }
  }

  package func setBackground(_ argb: UInt32) {
    request(MessageSize.of(words: 1)) { carry_preview_set_background($0, argb) }
  }

  /// - Returns: False for a path that is too long, or has points that are too far away or not finite.
  package func setPath(_ path: PreviewPath, isShadow: Bool = false) -> Bool {
    guard let words = path.words else { return false }
    request(MessageSize.of(words: 1 + words.count)) { proxy in
      var words = words
      let size = words.count * MemoryLayout<Int32>.size
      words.withUnsafeMutableBytes { bytes in
        var array = wl_array(size: size, alloc: size, data: bytes.baseAddress)
        if isShadow { carry_preview_set_shadow_path(proxy, &array) } else { carry_preview_set_path(proxy, &array) }
      }
    }
    return true
  }

  /// - Parameter turn: degrees, clockwise.
  package func setTarget(window: UInt32, center: Point, scale: Double, turn: Double) {
    request(MessageSize.of(words: 5)) {
      carry_preview_set_target($0, window, fixed(center.x), fixed(center.y), fixed(scale), fixed(turn))
    }
  }

  /// Ends the description, once the engine has received every request that needs it.
  package func finish() { end { carry_preview_destroy($0) } }

  private static let listener = ListenerTable(
    carry_preview_listener(
      refused: { data, _, message in target(data, WirePreview.self)?.deliver(.refused(string(message))) }))
}

/// 24.8 fixed point, clamped to its range.
private func fixed(_ v: Double) -> wl_fixed_t {
  guard v.isFinite else { return 0 }
  return wl_fixed_t((max(-8_388_607, min(8_388_607, v)) * 256).rounded())
}

/// When a motion began, and how long it takes.
package struct WireMotion: Sendable {
  package var start: Instant
  package var duration: Interval

  init(seconds: UInt32, microseconds: UInt32, duration: UInt32) {
    start = Instant(microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds))
    self.duration = Interval(microseconds: Int64(duration))
  }
}
