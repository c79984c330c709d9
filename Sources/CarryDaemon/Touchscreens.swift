import CarryContacts
import CarryDisplay
import CarryEvdev
import CarrySystem
import CarryWireServer

/// Keeps every touchscreen that there is being read: those there at the start, those that come, and those that become
/// readable later. Those that go are let go of by `InputSources`, which learns it from the device itself.
final class Touchscreens {
  private let inputs: InputSources
  private let display: Display
  private let loop: EventLoop
  private var monitor: DeviceMonitor?
  private var sources: [EventLoop.Source] = []
  /// What was last said of a node that cannot be read: it is said once.
  private var complaints: [String: String] = [:]

  init(_ inputs: InputSources, _ display: Display, _ loop: EventLoop) {
    self.inputs = inputs
    self.display = display
    self.loop = loop
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
      Log.warning("\(error.sentence); touchscreens that are plugged in later will not be seen")
    }
    var found = false
    for node in monitor?.nodes ?? DeviceScanner.nodes() where consider(node, isFinal: true) { found = true }
    if !found { Log.notice("no touchscreen can be read; 'carry devices' says what there is") }
  }

  private func handle(_ change: DeviceMonitor.Change) {
    switch change {
    case .ready(let node, let isFinal): consider(node, isFinal: isFinal)
    case .vanished(let node): complaints[node] = nil
    }
  }

  /// Reads the node from now on if it is a touchscreen that can be read, by udev's judgement or ours.
  ///
  /// - Returns: whether it is being read.
  @discardableResult
  private func consider(_ node: String, isFinal: Bool) -> Bool {
    if inputs.isReading(node) { return true }
    let verdict = monitor?.verdict(node) ?? DeviceMonitor.Verdict()
    guard !verdict.isIgnored, verdict.isTouchscreen || DeviceScanner.kind(of: node) == .touchscreen else {
      return false
    }
    do {
      try inputs.add(node: node, display: display, loop: loop)
      complaints[node] = nil
      return true
    } catch {
      if isFinal, error.reason != .missing, complaints[node] != error.sentence {
        complaints[node] = error.sentence
        Log.warning(error.sentence)
      }
      return false
    }
  }
}
