import CLinux
import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// The picture of an item, as far as described by its client.
final class PreviewObject: WireObject {
  let id: PreviewID
  private(set) var description = PreviewDescription()
  /// The bytes of the picture.
  private var bytes = 0
  /// The bytes of the outlines and the link.
  private var heldBytes = 0

  init(_ client: WireClient, _ id: PreviewID) {
    self.id = id
    super.init(client)
    client.previewCount += 1
  }

  override func destroyed() {
    client.previewCount -= 1
    client.server.previews[id] = nil
    releasePicture()
    client.recount(&heldBytes, as: 0, nil)
  }

  /// Counts the bytes of the outlines and the link after a change.
  private func countHeld() {
    var bytes = 0
    if case .link(let url, let title) = description.picture { bytes = url.utf8.count + title.utf8.count }
    for path in [description.path, description.shadowPath] {
      bytes += (path?.steps.count ?? 0) * MemoryLayout<PreviewPath.Step>.stride
    }
    client.recount(&heldBytes, as: bytes, resource)
  }

  /// Releases the picture.
  private func releasePicture() {
    if case .image(let image, _) = description.picture { client.server.delegate?.releaseImage(image) }
    countBytes(0)
    description.picture = .carried
  }

  /// Counts `size` bytes for the client instead of the old picture's bytes.
  private func countBytes(_ size: Int) {
    client.pictureBytes += size - bytes
    client.server.pictureBytes += size - bytes
    bytes = size
  }

  /// The display that held the picture is gone.
  func dropImage() {
    guard case .image = description.picture else { return }
    countBytes(0)
    description.picture = .refused
  }

  /// Accepts a picture, or reports to the client why it is refused. A refused picture becomes a plain card.
  private func takePicture(width: Int, height: Int, density: Double, _ make: () -> ImageID?) {
    releasePicture()
    client.countPicture(pixels: width * height)
    let size = width * height * 4
    guard client.pictureBytes + size <= Limits.pictureBytesPerClient else {
      return refuse("the pictures of one application may have \(Limits.pictureBytesPerClient >> 20) MiB")
    }
    guard
      client.server.pictureBytes + size <= Limits.pictureBytes
        || client.pictureBytes + size <= Limits.pictureBytesInAnyCase
    else { return refuse("the pictures of all applications may have \(Limits.pictureBytes >> 20) MiB, and have them") }
    guard let image = make() else { return refuse("the picture cannot be read") }
    countBytes(size)
    description.picture = .image(image, Size(width: Double(width) / density, height: Double(height) / density))
  }

  /// Whether the client may send another picture now; otherwise refuses it. Each picture costs time that all clients
  /// share.
  private func mayHandOver() -> Bool {
    if client.mayHandOverPicture(at: MonotonicClock.now()) { return true }
    refuse("more pictures than \(Int(Limits.picturesPerSecond)) a second")
    return false
  }

  private func refuse(_ why: String) {
    releasePicture()
    description.picture = .refused
    if let resource { carry_preview_send_refused(resource, why) }
  }

  /// Accepts a picture in sealed memory. The seals keep the mapping valid whatever the client does.
  private func takeImage(_ fd: CInt, _ width: UInt32, _ height: UInt32, _ density: wl_fixed_t) {
    let side = 1...UInt32(Limits.previewSide)
    guard side.contains(width), side.contains(height) else {
      return refuse("a picture has 1 to \(Limits.previewSide) pixels each way, not \(width) x \(height)")
    }
    let density = Double(density) / 256
    guard (0.25...8).contains(density) else { return refuse("a picture's density is 0.25 to 8") }
    let size = Int(width) * Int(height) * 4
    guard PassedDescriptor.isSafe(fd, .memory) else {
      return refuse("a picture's memory is sealed against shrinking, growing and writing")
    }
    guard PassedDescriptor.size(of: fd) == size else {
      return refuse("a picture of \(width) x \(height) pixels has \(size) bytes, without gaps between its rows")
    }
    guard mayHandOver() else { return }
    takePicture(width: Int(width), height: Int(height), density: density) {
      guard let map = mmap(nil, size, PROT_READ, MAP_SHARED, fd, 0), Int(bitPattern: map) != -1 else { return nil }
      defer { munmap(map, size) }
      return client.server.delegate?.makeImage(
        UnsafeRawBufferPointer(start: map, count: size), width: Int(width), height: Int(height))
    }
  }

  /// Decodes a path; nil if it is invalid, after the client has been disconnected.
  private static func path(_ array: UnsafeMutablePointer<wl_array>?) -> PreviewPath? {
    guard let array = array?.pointee, array.size % 4 == 0 else { return nil }
    guard array.size > 0, let data = array.data else { return PreviewPath() }
    let words = UnsafeRawBufferPointer(start: data, count: array.size)
    return PreviewPath(
      words: (0..<(array.size / 4)).map { words.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) })
  }

  private static func setPath(
    _ resource: OpaquePointer?, _ array: UnsafeMutablePointer<wl_array>?,
    _ key: WritableKeyPath<PreviewDescription, PreviewPath?>
  ) {
    guard let o = WireObject.of(resource, as: PreviewObject.self) else { return }
    guard let path = path(array) else {
      return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a preview's path is malformed")
    }
    let box = path.boundingBox
    guard path.isEmpty || (box.width <= Double(Limits.previewSide) && box.height <= Double(Limits.previewSide))
    else {
      return o.refuse("a preview's path is larger than \(Limits.previewSide) pixels")
    }
    o.description[keyPath: key] = path.isEmpty || box.isEmpty ? nil : path
    o.countHeld()
  }

  static let requests = RequestTable(
    carry_preview_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      set_window: { _, resource, window, x, y, width, height in
        guard let o = WireObject.of(resource, as: PreviewObject.self) else { return }
        let range: ClosedRange<Int32> = -32_768...32_767
        guard range.contains(x), range.contains(y), (1...Int32(Limits.previewSide)).contains(width),
          (1...Int32(Limits.previewSide)).contains(height)
        else {
          return o.refuse("a preview's part of a window has 1 to \(Limits.previewSide) pixels each way")
        }
        guard o.mayHandOver() else { return }
        // The X server determines who owns the window.
        guard o.client.server.delegate?.owns(o.client.id, WindowID(window)) == true else {
          return o.refuse(RegionRefusal.notYours.sentence)
        }
        o.releasePicture()
        o.description.picture = .window(
          WindowID(window), Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height)))
      },
      set_image: { _, resource, fd, width, height, density in
        let fd = Descriptor(owning: fd)
        guard let o = WireObject.of(resource, as: PreviewObject.self) else { return }
        o.client.tookDescriptors(1)
        o.takeImage(fd.raw, width, height, density)
      },
      set_pixmap: { _, resource, pixmap in
        guard let o = WireObject.of(resource, as: PreviewObject.self), o.mayHandOver() else { return }
        guard let (image, size) = o.client.server.delegate?.makeImage(pixmap: pixmap) else {
          return o.refuse("there is no such pixmap, or it has more than \(Limits.previewSide) pixels each way")
        }
        o.takePicture(width: Int(size.width), height: Int(size.height), density: 1) { image }
        if case .refused = o.description.picture { o.client.server.delegate?.releaseImage(image) }
      },
      set_background: { _, resource, color in
        WireObject.of(resource, as: PreviewObject.self)?.description.background = color
      },
      set_path: { _, resource, steps in setPath(resource, steps, \.path) },
      set_shadow_path: { _, resource, steps in setPath(resource, steps, \.shadowPath) },
      set_target: { _, resource, window, x, y, scale, turn in
        guard let o = WireObject.of(resource, as: PreviewObject.self) else { return }
        let (scale, turn) = (Double(scale) / 256, Double(turn) / 256)
        guard (0.02...20).contains(scale), (-3600...3600).contains(turn) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a target's scale or turn is out of range")
        }
        o.description.target = .init(
          window: WindowID(window), center: Point(x: Double(x) / 256, y: Double(y) / 256), scale: scale,
          turn: turn * .pi / 180)
      },
      set_link: { _, resource, url, title in
        guard let o = WireObject.of(resource, as: PreviewObject.self) else { return }
        guard let url = text(url, limit: 1024), let title = text(title, limit: Limits.nameBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "a link is too long or not UTF-8")
        }
        o.releasePicture()
        o.description.picture = .link(
          url: SafeText.displayable(url, limit: 1024), title: SafeText.displayable(title, limit: Limits.nameBytes))
        o.countHeld()
      }))
}

extension ItemPreview {
  /// Creates an ID from a request's argument, which may be null.
  init(_ resource: OpaquePointer?) {
    self = WireObject.of(resource, as: PreviewObject.self).map { .own($0.id) } ?? .hidden
  }
}
