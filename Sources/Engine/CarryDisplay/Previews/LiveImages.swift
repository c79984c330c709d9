import CX11
import CarryModel
import CarryX

/// Pictures of windows that follow the windows' content while items rise and land.
///
/// This works for windows that keep all their pixels, through a compositing manager or through `Beneath`. Other
/// windows have only the pixels on the screen, including the preview above them.
final class LiveImages {
  private let server: XServer
  private let images: ImageStore
  private let firstEvent: CInt
  private var windowOf: [ImageID: WindowID] = [:]
  private var damages: [WindowID: Damage] = [:]
  private var changed: Set<WindowID> = []
  /// Pictures that have to be recaptured, because their windows have changed.
  private var due: [ImageID] = []
  /// Maximum number of pictures recaptured in one frame, because each waits for the server. The others follow in the
  /// next frame.
  private static let maxPerFrame = 16

  init(_ server: XServer, _ images: ImageStore) {
    self.server = server
    self.images = images
    var (event, error): (CInt, CInt) = (0, 0)
    var (major, minor): (CInt, CInt) = (1, 1)
    let isThere =
      XDamageQueryExtension(server.display, &event, &error) != 0
      && XDamageQueryVersion(server.display, &major, &minor) != 0
    firstEvent = isThere ? event : -1
    // The server destroys the damage along with its window.
    if isThere { XErrors.expect(error) }
  }

  func follow(_ id: ImageID) {
    guard firstEvent >= 0, windowOf[id] == nil, let window = images.window(of: id) else { return }
    windowOf[id] = window
    if damages[window] == nil {
      damages[window] = XDamageCreate(server.display, UInt(window.raw), CInt(XDamageReportNonEmpty))
    }
  }

  func leave(_ id: ImageID) {
    due.removeAll { $0 == id }
    guard let window = windowOf.removeValue(forKey: id), !windowOf.values.contains(window) else { return }
    changed.remove(window)
    if let damage = damages.removeValue(forKey: window) { XDamageDestroy(server.display, damage) }
  }

  /// Stops following all windows: without a compositing manager, they no longer keep the pixels that other windows
  /// cover.
  func leaveAll() {
    for id in Array(windowOf.keys) { leave(id) }
  }

  /// - Returns: whether the event was about a followed window, so that `refresh` has to be called.
  func handle(_ event: XEvent) -> Bool {
    guard firstEvent >= 0, event.type == firstEvent + XDamageNotify else { return false }
    let e = event.reading(as: XDamageNotifyEvent.self)
    let window = WindowID(UInt32(truncatingIfNeeded: e.drawable))
    guard damages[window] == e.damage else { return false }
    changed.insert(window)
    return true
  }

  /// Recaptures the pictures of changed windows. Once a frame is enough. Pictures beyond the limit follow next time.
  func refresh() -> [ImageID] {
    guard !changed.isEmpty || !due.isEmpty else { return [] }
    for window in changed { if let damage = damages[window] { XDamageSubtract(server.display, damage, 0, 0) } }
    let waiting = Set(due)
    due += windowOf.filter { changed.contains($0.value) && !waiting.contains($0.key) }.map(\.key)
    changed = []
    let now = due.prefix(Self.maxPerFrame)
    due.removeFirst(now.count)
    return now.filter { images.refresh($0) }
  }
}
