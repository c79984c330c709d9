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
      send(message, session)
    case .destination(let client, let session, let region, let message):
      send(message, client, session, region)
    case .spring(_, let region, let session, let state, let point):
      server.spring(region, session, state: state.rawValue, point)
    case .load(let client, let transfer, let item, let type):
      if !server.load(transfer, item, type: type) {
        engine.failed(transfer, by: client, .sourceGone, at: MonotonicClock.now(), into: &actions)
      }
    case .loadFailed(_, let transfer, let why):
      server.loadFailed(transfer, code: why.rawValue, sentence: why.sentence)
    case .loadCancelled(_, let transfer):
      server.loadCancelled(transfer)
    case .stage(let session, let what):
      show(session, what)
    case .monitor(let event):
      report(event)
    case .forget(let session):
      deviceOfSession[session] = nil
      server.forget(session)
    }
  }

  private func send(_ message: SourceMessage, _ session: SessionID) {
    switch message {
    case .itemsForBeginning(let region, let serial, let point):
      server.beginDrag(session, region, serial: serial, point)
    case .itemsForAdding(let region, let serial, let point):
      server.addToDrag(session, region, serial: serial, point)
    case .liftBegan: server.liftBegan(session)
    case .lifted: server.lifted(session)
    case .liftEnded(let atEnd): server.liftEnded(session, atEnd: atEnd)
    case .willBegin(let serial, let point): server.willBegin(session, serial: serial, point)
    case .didMove(let serial, let point): server.move(session, serial: serial, point)
    case .willEnd(let operation): server.willEnd(session, operation)
    case .didEnd(let operation): server.didEnd(session, operation)
    case .didTransfer(let delivered): server.didTransfer(session, delivered: delivered)
    }
  }

  private func send(_ message: DestinationMessage, _ client: ClientID, _ session: SessionID, _ region: RegionID) {
    switch message {
    case .offer(let items, let first, let isLocal, let options):
      server.offer(
        session, region,
        items: items.map { item in (item.name, item.types.map { ($0.name, $0.ancestors) }) }, firstIndex: first,
        isLocal: isLocal, allowsMove: options.allowsMove, isRestricted: options.isRestricted)
    case .canHandle(let serial, let point): server.canHandle(session, region, serial: serial, point)
    case .didEnter(let point): server.enter(session, region, point)
    case .edge(let speed): server.edge(session, region, speed)
    case .didUpdate(let serial, let point): server.update(session, region, serial: serial, point)
    case .didExit: server.exit(session, region)
    case .performDrop(let serial, let point, let operation):
      server.perform(session, region, serial: serial, point, operation)
    case .concludeDrop: server.conclude(session, region)
    case .didEnd(let operation): server.dropDidEnd(session, region, operation)
    }
  }

  private func show(_ session: SessionID, _ what: StageAction) {
    let now = MonotonicClock.now()
    switch what {
    case .move(let point):
      stage.move(session, to: point, at: now)
    case .lift(let count, let window, let rect, let touch, let start, let duration):
      let (images, source) = picture(of: window, rect, count: count)
      stage.lift(session, images: images, source: source, touch: touch, at: start, duration: duration)
    case .reverseLift: stage.reverseLift(session, at: now)
    case .beginDrag(let point): stage.beginDrag(session, touch: point, at: now, keepsFullSize: true)
    case .scaleDown: stage.scaleDown(session, at: now)
    case .handOff(let point): stage.handOff(session, to: point, at: now)
    case .add(let count, let window, let rect):
      let (images, source) = picture(of: window, rect, count: count)
      stage.add(session, images: images, source: source, at: now)
    case .badge(let badge): stage.setBadge(session, Self.badge(badge), at: now)
    case .cancel: stage.cancel(session, at: now)
    case .drop(let target, let point): stage.drop(session, into: target, at: point, at: now)
    case .remove: stage.remove(session)
    }
  }

  /// L8: a snapshot of the entire region, once for each item. The rectangle is where it was seen, in screen pixels.
  private func picture(of window: WindowID, _ rect: Rect, count: Int) -> ([ImageID], Rect) {
    let frame = display.windows.screenFrame(of: window) ?? .zero
    let visible = rect.intersection(Rect(origin: .zero, size: frame.size))
    let image = visible.isEmpty ? nil : display.snapshot(window, visible)
    return (
      Array(repeating: image ?? ImageID(0), count: count), (visible.isEmpty ? rect : visible).offset(by: frame.origin)
    )
  }

  private static func badge(_ badge: CarrySessions.Badge) -> CarryStage.Badge {
    switch badge {
    case .none: .none
    case .count(let n): .count(n)
    case .copy(let n): .copy(n)
    case .forbidden: .forbidden
    }
  }

  private func report(_ event: MonitorEvent) {
    let device: String
    if let known = deviceOfSession[event.session] {
      device = known
    } else {
      device = inputs.deviceName(of: event.contact)
      deviceOfSession[event.session] = device
    }
    server.step(
      time: event.time, kind: event.kind.rawValue, session: event.session, items: event.items, types: event.types,
      point: event.point, operation: event.operation, source: server.name(of: event.source),
      target: event.target.map { server.name(of: $0) }, device: device, owner: event.isPrivate ? event.source : nil)
  }
}
