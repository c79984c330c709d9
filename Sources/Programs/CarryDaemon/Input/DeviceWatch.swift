import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryLoop
import CarryModel
import CarrySystem

/// Opens every touchscreen, and every trackpad if trackpads are enabled: at the start, when a device is plugged in,
/// and when a device becomes readable later. The reader of a device closes it, because the device itself reports its
/// end: the kernel deletes a node's name before its readers are told.
///
/// The watch never opens other devices: what people type or point at is not Carry's business.
final class DeviceWatch {
  private unowned let input: Input
  private let loop: EventLoop
  /// Touchscreens that the X server reads as well, if the server can hold touches.
  private let companions: NodeCompanions
  /// Whether fingers come from the X server's touches.
  private var takesTouchesFromServer = false
  private var kinds: Set<DeviceDescription.Kind>
  private var monitor: DeviceMonitor?
  private var sources: [EventLoop.Source] = []
  /// The last message about each unreadable node. Each message is logged once.
  private var complaints: [String: String] = [:]

  /// - Parameter kinds: touchscreens, trackpads or both; no other kind is ever opened.
  init(_ input: Input, _ loop: EventLoop, kinds: Set<DeviceDescription.Kind>) {
    self.kinds = kinds.subtracting([.other])
    self.input = input
    self.loop = loop
    companions = NodeCompanions(loop, input)
  }

  /// Opens the existing devices and watches for more.
  func start() {
    // Watch before opening, so that no device is missed in between.
    do {
      let monitor = try DeviceMonitor()
      self.monitor = monitor
      sources = monitor.descriptors.map { fd in
        loop.watch(fd) { [unowned self] in self.monitor?.read { self.handle($0) } }
      }
    } catch {
      Log.warning("\(error.sentence); devices that are plugged in later will not be seen")
    }
    var found = false
    for node in monitor?.nodes ?? DeviceScanner.nodes() where consider(node, isFinal: true) { found = true }
    noticeIfNone(found)
  }

  private func noticeIfNone(_ found: Bool) {
    guard !found else { return }
    let wanted = [(DeviceDescription.Kind.touchscreen, "touchscreen"), (.trackpad, "trackpad")]
      .filter { kinds.contains($0.0) && !($0.0 == .touchscreen && takesTouchesFromServer) }.map(\.1)
      .joined(separator: " or ")
    if !wanted.isEmpty { Log.notice("no \(wanted) can be read; 'carry devices' lists all devices") }
  }

  /// The X server's touchscreens have changed, or whether fingers come from them. A node that the server reads must
  /// not be a second source of the same fingers.
  func serverChanged(takesTouches: Bool) {
    takesTouchesFromServer = takesTouches
    guard let monitor else { return }
    for node in monitor.nodes {
      // A trackpad's node is always read, in addition to the X server.
      if input.isTrackpad(node) { continue }
      if isServers(node) { input.remove(node: node) } else { companions.release(node) }
      consider(node, isFinal: true)
    }
  }

  /// Whether the X server reads the node. If the server does not name the node of one of its touchscreens, any node
  /// may be that touchscreen's.
  private func isServers(_ node: String) -> Bool {
    takesTouchesFromServer && input.layout.touchDevices.contains { $0.node == nil || $0.node == node }
  }

  /// Sets the kinds of devices to read, and closes the devices of unwanted kinds.
  func wants(_ kinds: Set<DeviceDescription.Kind>) {
    guard kinds != self.kinds else { return }
    self.kinds = kinds
    if !kinds.contains(.trackpad) { input.removeTrackpads() }
    for node in monitor?.nodes ?? [] { consider(node, isFinal: true) }
  }

  private func handle(_ change: DeviceMonitor.Change) {
    switch change {
    case .ready(let node, let isFinal): consider(node, isFinal: isFinal)
    case .vanished(let node): complaints[node] = nil
    }
  }

  /// Starts reading the node if its kind is wanted and it is readable.
  ///
  /// - Returns: whether it is being read.
  @discardableResult
  private func consider(_ node: String, isFinal: Bool) -> Bool {
    if input.isReading(node) || companions.isReading(node) { return true }
    let verdict = monitor?.verdict(node) ?? DeviceMonitor.Verdict()
    let kind = verdict.kind(ours: DeviceScanner.kind(of: node))
    guard kinds.contains(kind) else { return false }
    do {
      if kind == .touchscreen, isServers(node) {
        try companions.add(node: node)
      } else {
        try input.add(node: node, calibration: verdict.calibration)
      }
      complaints[node] = nil
      return true
    } catch {
      let error = error.of(kind)
      if isFinal, error.reason != .missing, complaints[node] != error.sentence {
        complaints[node] = error.sentence
        Log.warning(error.sentence)
      }
      return false
    }
  }
}
