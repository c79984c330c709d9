import CarryDisplay
import CarryGestures
import CarryModel
import CarrySessions
import CarryStage
import CarrySystem
import CarryWireServer

/// Carrying out what the session engine wants. Nothing here waits for a client; a lift waits for the X server's
/// picture of the region, once.
extension Daemon {
  func carryOut(_ action: SessionAction) {
    switch action {
    case .ignore(let contact):
      gestures.ignore(contact)
      inputs.ignore(contact)
    case .claim(let contact, let region):
      if let touch = inputs.claim(contact), let region, engine.region(region)?.roles.contains(.cooperative) == true {
        server.touchCancelled(region, touch)
      }
    case .yield(let contact):
      inputs.yield(contact)
    case .join(let contact):
      gestures.join(contact)
    case .choose(_, let region, let serial, let sessions, let point):
      server.choose(region, serial: serial, sessions, point)
    case .source(_, let session, let message):
      if case .willCancel = message { sayCarriedSizes(session) }
      server.send(message, to: session)
    case .destination(_, let session, let region, let message):
      if case .performDrop = message { sayCarriedSizes(session, to: region) }
      server.send(message, to: region, of: session)
    case .spring(_, let region, let session, let state, let point):
      server.spring(region, session, state, point)
    case .load(let client, let transfer, let item, let type):
      if !server.load(transfer, item, type: type) {
        engine.failed(transfer, by: client, .sourceGone, at: MonotonicClock.now(), into: &actions)
      }
    case .loadFailed(_, let transfer, let why):
      server.loadFailed(transfer, why)
    case .loadCancelled(_, let transfer):
      server.loadCancelled(transfer)
    case .stage(let session, let what):
      show(session, what)
    case .lookAtDesktop(let session):
      let windows = display.desktop.read()
      withEngine { $0.learnedWindows(windows, for: session, at: MonotonicClock.now(), into: &$1) }
    case .raise(let window):
      display.desktop.activate(window)
    case .monitor(let event):
      report(event)
    case .forget(let session):
      deviceOfSession[session] = nil
      pictures.forget(session)
      server.forget(session)
    }
  }

  /// Who says how the items end is told how large they are: the source, or the region that they are dropped on.
  private func sayCarriedSizes(_ session: SessionID, to region: RegionID? = nil) {
    for (item, size) in stage.pictureSizes(session) {
      if let region {
        server.carriedSize(session, region, item: item, size)
      } else if let item = engine.item(item, of: session) {
        server.carriedSize(session, item, size)
      }
    }
  }

  private func report(_ event: MonitorEvent) {
    let device: String
    if let known = deviceOfSession[event.session] {
      device = known
    } else {
      device = keyboard.has(event.contact) ? "keyboard" : inputs.deviceName(of: event.contact)
      deviceOfSession[event.session] = device
    }
    server.step(
      time: event.time, kind: event.kind.rawValue, session: event.session, items: event.items, types: event.types,
      point: event.point, operation: event.operation, source: server.name(of: event.source),
      target: event.target.map { server.name(of: $0) }, device: device, owner: event.isPrivate ? event.source : nil)
  }
}
