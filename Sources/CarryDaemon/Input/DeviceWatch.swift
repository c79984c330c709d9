import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryLoop
import CarryModel
import CarrySystem

/// Keeps every touchscreen that there is being read, and every trackpad where they are switched on: those there at the
/// start, those that come, and those that become readable later. Those that go are let go of by `Input`, which learns it
/// from the device itself. Never anything else: what people type or point at is not ours to know.
final class DeviceWatch {
  private unowned let input: Input
  private let loop: EventLoop
  /// Nodes that the X server reads as well, where it can hold touches.
  private let companions: NodeCompanions
  /// Whether the X server's touches are taken in; fingers come from there then.
  private var takesTouchesFromServer = false
  private var kinds: Set<DeviceDescription.Kind>
  private var monitor: DeviceMonitor?
  private var sources: [EventLoop.Source] = []
  /// What was last said of a node that cannot be read: it is said once.
  private var complaints: [String: String] = [:]

  /// - Parameter kinds: touchscreens, trackpads or both; nothing else is ever opened.
  init(_ input: Input, _ loop: EventLoop, kinds: Set<DeviceDescription.Kind>) {
    self.kinds = kinds.subtracting([.other])
    self.input = input
    self.loop = loop
    companions = NodeCompanions(loop, input)
  }

  /// Opens what there is and watches for more.
  func start() {
    // Watching first: nothing can come in between unseen.
    do {
      let monitor = try DeviceMonitor()
      self.monitor = monitor
      sources = monitor.descriptors.map { fd in
        loop.watch(fd) { [unowned self] in self.monitor?.read { self.handle($0) } }
      }
    } catch {
      Log.warning("\(error.sentence); what is plugged in later will not be seen")
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
    if !wanted.isEmpty { Log.notice("no \(wanted) can be read; 'carry devices' says what there is") }
  }

  /// The X server's touchscreens have changed, or whether they are taken in: a node that one of them is must not be a
  /// second source of the same fingers.
  func serverChanged(takesTouches: Bool) {
    takesTouchesFromServer = takesTouches
    guard let monitor else { return }
    for node in monitor.nodes {
      // A trackpad is read beside the X server whatever that takes in.
      if input.isTrackpad(node) { continue }
      if isServers(node) { input.remove(node: node) } else { companions.vanished(node) }
      consider(node, isFinal: true)
    }
  }

  /// Whether the X server reads the node. A touchscreen of which it does not say what it reads may be any.
  private func isServers(_ node: String) -> Bool {
    takesTouchesFromServer && input.layout.touchDevices.contains { $0.node == nil || $0.node == node }
  }

  /// Other kinds of devices from now on: what is not wanted any more is let go of.
  func wants(_ kinds: Set<DeviceDescription.Kind>) {
    guard kinds != self.kinds else { return }
    self.kinds = kinds
    if !kinds.contains(.trackpad) { input.removeTrackpads() }
    for node in monitor?.nodes ?? [] { consider(node, isFinal: true) }
  }

  private func handle(_ change: DeviceMonitor.Change) {
    switch change {
    case .ready(let node, let isFinal): consider(node, isFinal: isFinal)
    case .vanished(let node):
      complaints[node] = nil
      companions.vanished(node)
    }
  }

  /// Reads the node from now on if it is wanted and can be read.
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
