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
    case .lookAtDesktop(let session):
      let windows = display.desktop.read()
      tell { $0.sees(windows, for: session, at: MonotonicClock.now(), into: &$1) }
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
    case .willCancel(let serial):
      for (item, size) in stage.pictureSizes(session) {
        if let item = engine.item(item, of: session) { server.carriedSize(session, item, size) }
      }
      server.willCancel(session, serial: serial)
    case .didEnd(let operation): server.didEnd(session, operation)
    case .didTransfer(let delivered): server.didTransfer(session, delivered: delivered)
    }
  }

  private func send(_ message: DestinationMessage, _ client: ClientID, _ session: SessionID, _ region: RegionID) {
    switch message {
    case .offer(let items, let first, let isLocal, let options):
      server.offer(
        session, region,
        items: items.map { item in (item.name, item.presentationSize, item.types.map { ($0.name, $0.ancestors) }) },
        firstIndex: first,
        isLocal: isLocal, allowsMove: options.allowsMove, isRestricted: options.isRestricted)
    case .canHandle(let serial, let point): server.canHandle(session, region, serial: serial, point)
    case .didEnter(let point): server.enter(session, region, point)
    case .edge(let speed): server.edge(session, region, speed)
    case .didUpdate(let serial, let point): server.update(session, region, serial: serial, point)
    case .didExit: server.exit(session, region)
    case .performDrop(let serial, let point, let operation):
      for (item, size) in stage.pictureSizes(session) { server.carriedSize(session, region, item: item, size) }
      server.perform(session, region, serial: serial, point, operation)
    case .concludeDrop: server.conclude(session, region)
    case .didEnd(let operation): server.dropDidEnd(session, region, operation)
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
