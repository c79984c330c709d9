import CEvdev
package import CarryContacts
import CLinux
package import CarryModel
package import CarrySystem

/// Reports input device nodes that appear, change or disappear. It never polls, so it causes no wake-ups while
/// nothing happens.
///
/// It listens to two sources, because neither is enough. udevd reports when it has finished a device, but in some
/// places udevd does not run. inotify reports every node, and access that is granted or revoked later, but not when a
/// device is ready.
package final class DeviceMonitor {
  package enum Change: Equatable, Sendable {
    /// The node is worth trying to open: it exists and may have become readable.
    ///
    /// - `isFinal`: udevd is not working on the node any more, so a problem with the node is worth reporting.
    case ready(node: String, isFinal: Bool)
    /// The node is gone. A process that has it open learns this from its descriptor.
    case vanished(node: String)
  }

  private let directory: String
  private let inotify: Inotify
  private var directoryWatch: CInt = -1
  private var parentWatch: CInt = -1
  private let udev: UdevMonitor?

  private static let directoryMask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)

  /// - Parameter usesUdev: whether to listen to udevd; if it does not run, that costs nothing.
  package init(directory: String = "/dev/input", usesUdev: Bool = true) throws(SystemError) {
    self.directory = directory
    inotify = try Inotify()
    udev = usesUdev ? UdevMonitor() : nil
    watchDirectory()
  }

  /// Each becomes readable when there is something for `read`.
  package var descriptors: [CInt] { [inotify.descriptor] + (udev.map { [$0.fd] } ?? []) }

  /// Calls `body` with each change; the changes of one node come in their order. Never waits.
  package func read(_ body: (Change) -> Void) {
    inotify.read { handle($0, body) }
    udev?.read { action, name in
      guard let node = node(name) else { return }
      body(action == "remove" ? .vanished(node: node) : .ready(node: node, isFinal: true))
    } lost: {
      everything(body)
    }
  }

  /// All `event*` nodes, in the order of their numbers.
  package var nodes: [String] { DeviceScanner.nodes(directory) }

  // MARK: inotify

  /// The directory appears with the first device and goes with the last one. While it is missing, its parent directory
  /// is watched.
  private func watchDirectory() {
    directoryWatch = inotify.watch(directory, Self.directoryMask)
    if directoryWatch < 0, parentWatch < 0 {
      let parent = directory.lastIndex(of: "/").map { String(directory[..<$0]) } ?? "."
      parentWatch = inotify.watch(
        parent.isEmpty ? "/" : parent, UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR))
      // The directory may have appeared between the two calls.
      if parentWatch >= 0 { directoryWatch = inotify.watch(directory, Self.directoryMask) }
    }
    if directoryWatch >= 0, parentWatch >= 0 {
      inotify.forget(parentWatch)
      parentWatch = -1
    }
  }

  private func handle(_ event: Inotify.Event, _ body: (Change) -> Void) {
    if event.isOverflow { return everything(body) }
    if event.watch == parentWatch, directoryWatch < 0 {
      watchDirectory()
      if directoryWatch >= 0 { everything(body) }
      return
    }
    guard event.watch == directoryWatch else { return }
    if event.mask & UInt32(IN_IGNORED) != 0 {
      watchDirectory()
      if directoryWatch >= 0 { everything(body) }
      return
    }
    guard let node = node(event.name) else { return }
    if event.mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 { return body(.vanished(node: node)) }
    tryIt(node, event.name, body)
  }

  /// While udevd is processing a device, it may still correct the device's axes and grant access to it.
  private func tryIt(_ node: String, _ name: String, _ body: (Change) -> Void) {
    guard let udev, udev.isRunning else { return body(.ready(node: node, isFinal: true)) }
    if udev.isInitialized(name) { body(.ready(node: node, isFinal: false)) }
  }

  /// After lost messages, or when the directory has appeared: every node may be new.
  private func everything(_ body: (Change) -> Void) {
    for node in nodes { tryIt(node, String(node.dropFirst(directory.utf8.count + 1)), body) }
  }

  private func node(_ name: String) -> String? {
    DeviceScanner.number(name) == nil ? nil : directory + "/" + name
  }

  // MARK: udev

  /// The result of udev's rules for a node.
  package struct Verdict: Equatable, Sendable {
    package var isTouchscreen: Bool
    package var isTrackpad: Bool
    /// LIBINPUT_IGNORE_DEVICE: the person at the machine wants the device left alone.
    package var isIgnored: Bool
    /// LIBINPUT_CALIBRATION_MATRIX: from the device to the panel, both as 0…1.
    package var calibration: Transform

    package init(
      isTouchscreen: Bool = false, isTrackpad: Bool = false, isIgnored: Bool = false,
      calibration: Transform = .identity
    ) {
      self.isTouchscreen = isTouchscreen
      self.isTrackpad = isTrackpad
      self.isIgnored = isIgnored
      self.calibration = calibration
    }

    /// The kind of the device, by udev's judgement or ours; `.other` means to leave it alone.
    package func kind(ours: DeviceDescription.Kind) -> DeviceDescription.Kind {
      if isIgnored { return .other }
      // A device with both properties in udev is treated as a trackpad: it needs a cursor.
      return isTrackpad ? .trackpad : isTouchscreen ? .touchscreen : ours
    }
  }

  /// Six numbers, the first two rows of a matrix; anything else is no calibration, nor is what moves touches a million screens
  /// away.
  package static func calibration(_ text: String) -> Transform {
    let numbers = text.split(separator: " ").map { Double($0) }
    guard numbers.count == 6, numbers.allSatisfy({ $0.map { abs($0) <= 1e6 } == true }) else { return .identity }
    return Transform(numbers.compactMap { $0 })
  }

  package func verdict(_ node: String) -> Verdict {
    guard let udev, node.hasPrefix(directory + "/") else { return Verdict() }
    return udev.verdict(String(node.dropFirst(directory.utf8.count + 1)))
  }
}
