package import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// The bridge, the engine's process that represents applications of another protocol. It is a client like any other,
/// with the additional rights of `carry_bridge`.
extension WireServer {
  /// The bridge has created its object.
  func begin(_ bridge: BridgeObject?) {
    self.bridge.object = bridge
    self.bridge.news = DropWindowUpdates()
    tellLiftApplications()
    if pointerCarries { setPointerCarries(true) }
    self.bridge.onSign?()
    delegate?.bridgeArrived()
  }

  /// Sends the bridge the applications from which a touch can lift.
  func tellLiftApplications() {
    guard let resource = bridge.object?.resource else { return }
    carry_bridge_send_lift_applications(resource, liftApplications.joined(separator: "\n"))
  }

  /// Notifies the bridge whether a mouse or a pen carries a session.
  package func setPointerCarries(_ carries: Bool) {
    pointerCarries = carries
    if let resource = bridge.object?.resource { carry_bridge_send_pointer_carries(resource, carries ? 1 : 0) }
  }

  /// Pings the bridge; `BridgeLink.onSign` is called when it responds.
  package func pingBridge() { if let resource = bridge.object?.resource { carry_bridge_send_ping(resource) } }

  /// Reports changes of the windows with drop regions to the bridge: some now, the others in later turns.
  package func setDropWindows(_ windows: Set<WindowID>) {
    guard bridge.object != nil else { return }
    let now = MonotonicClock.now()
    bridge.news.want(windows, at: now)
    tellDropWindows(at: now)
  }

  func tellDropWindows(at now: Instant) {
    guard let object = bridge.object, let resource = object.resource, let due = bridge.news.due, due <= now else {
      return
    }
    guard !object.client.isBehind else { return bridge.news.wait(at: now) }
    for (window, hasRegions) in bridge.news.take(at: now) {
      carry_bridge_send_drop_window(resource, window.raw, hasRegions ? 1 : 0)
    }
  }

  package func program(ofProcess pid: Int32?) -> ProgramIdentity {
    guard let pid else { return ProgramIdentity(process: .unknown) }
    if let known = processes[pid], known.peer.isRunning { return known.identity(findProgram) }
    if let known = neighbours[pid], known.peer.isRunning {
      guard !known.isStillItself else { return known.identity(findProgram) }
      return ProgramIdentity(process: .peer(known.number), sandbox: .unknown)
    }
    if neighbours.count >= Limits.clients { neighbours = neighbours.filter(\.value.peer.isRunning) }
    let process = WireProcess(PeerProcess(of: pid), programs)
    // The limit is reached: further programs are identified as strangers each time.
    if neighbours.count < Limits.clients { neighbours[pid] = process }
    return process.identity(findProgram)
  }
}

/// The protocol object with which the bridge creates its regions.
final class BridgeObject: WireObject {
  override func destroyed() { client.server.delegate?.otherDragChanged(nil) }

  private func tellPlaces(_ places: [Rect], of window: UInt32) {
    guard let resource else { return }
    var numbers = places.flatMap { [$0.x, $0.y, $0.width, $0.height] }.map { Int32(clamping: Int($0.rounded())) }
    let size = numbers.count * MemoryLayout<Int32>.size
    numbers.withUnsafeMutableBytes { bytes in
      var array = wl_array(size: size, alloc: size, data: bytes.baseAddress)
      carry_bridge_send_drop_places(resource, window, &array)
    }
  }

  static let requests = RequestTable(
    carry_bridge_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      create_region: { _, resource, id, window in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        if let region = WireObject.attach(
          RegionObject(o.client, window: WindowID(window), isStandIn: true), id: id, interface: cwayland_region(),
          requests: RegionObject.requests.raw)
        {
          o.client.settle(.region(region))
        }
      },
      create_drag: { _, resource, id in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        _ = WireObject.attach(
          ForeignDragObject(o.client), id: id, interface: cwayland_foreign_drag(),
          requests: ForeignDragObject.requests.raw)
      },
      take_touch: { _, resource, serial in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        o.client.server.delegate?.touchIsTaken(o.client.id, serial: serial)
      },
      trial_over: { _, resource, serial in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        o.client.server.delegate?.trialIsOver(o.client.id, serial: serial)
      },
      drag_under_way: { _, resource, x, y in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        o.client.server.delegate?.otherDragChanged(Point(x: Double(x), y: Double(y)))
      },
      drag_over: { _, resource in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        o.client.server.delegate?.otherDragChanged(nil)
      },
      pong: { _, resource in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        o.client.server.bridge.onSign?()
      },
      find_drop_places: { _, resource, window in
        guard let o = WireObject.of(resource, as: BridgeObject.self) else { return }
        o.tellPlaces(o.client.server.delegate?.dropPlaces(of: WindowID(window)) ?? [], of: window)
      }))
}
