import CarryGestures
import CarryModel
import CarrySessions
import CarryStage
import CarrySystem

/// Carries out the session engine's actions. Nothing here waits for a client. A lift waits once, for the X server's
/// picture of the region.
extension Director {
  func carryOut(_ action: SessionAction) {
    switch action {
    case .ignore(let contact):
      gestures.ignore(contact)
      fingers.ignore(contact)
    case .liftBegan(let contact):
      fingers.liftBegan(contact)
    case .claim(let contact, let region):
      if let touch = fingers.claim(contact), let region, engine.region(region)?.roles.contains(.cooperative) == true {
        clients.touchCancelled(region, touch)
      }
    case .yield(let contact):
      fingers.yield(contact)
    case .join(let contact):
      gestures.join(contact)
    case .choose(_, let region, let serial, let sessions, let point):
      clients.choose(region, serial: serial, sessions, point)
    case .press(_, let region, let serial, let point):
      clients.press(region, serial: serial, point)
    case .source(_, let session, let message):
      if case .willCancel = message { sayCarriedSizes(session) }
      clients.send(message, to: session)
    case .destination(_, let session, let region, let message):
      if case .performDrop = message { sayCarriedSizes(session, to: region) }
      clients.send(message, to: region, of: session)
      if case .performDrop = message {
        pictures.deferOneFrame(at: clock())
        dropBegan(session)
      }
    case .spring(_, let region, let session, let state, let point):
      clients.spring(region, session, state, point)
    case .load(let client, let transfer, let item, let session, let drop, let type, let form):
      if !clients.load(transfer, item, of: session, in: drop, type: type, as: form) {
        send(.loadFailed(client: client, transfer: transfer, failure: .sourceGone), at: clock())
      }
    case .provide(let reference, let transfer, let session, let type, let form):
      clients.provide(transfer, reference, in: session, type: type, as: form)
    case .loadFailed(_, let transfer, let why):
      clients.loadFailed(transfer, why)
    case .loadCancelled(_, let transfer):
      clients.loadCancelled(transfer)
    case .ownerProgressed(_, let transfer, let progress):
      clients.ownerProgressed(transfer, progress)
    case .destinationProgressed(_, let transfer, let progress):
      clients.destinationProgressed(transfer, progress)
    case .transferred(let session, let failure):
      panel.ended(session, failure, at: clock())
    case .showUndo(let session, let title, let point):
      showUndo(session, title, at: point)
    case .hideUndo(let session):
      hideUndo(session)
    case .stage(let session, let what):
      pictures.show(session, what)
    case .lookAtDesktop(let session):
      let windows = screen.readDesktop()
      send(.learnedWindows(windows: windows, session: session), at: clock())
    case .raise(let window):
      screen.activate(window)
    case .monitor(let event):
      report(event)
    case .forbidden(_, let source, let target, let rule):
      Log.notice("\(source.journalName) may not drag to \(target.journalName), or not all its types: \(rule)")
    case .releaseButton(let point):
      screen.releaseButton(at: point)
    case .keptItemGone(let item):
      clients.keptItemGone(item)
    case .forgetKept(let item):
      if let pixmap = keptPictures.removeValue(forKey: item) { screen.releaseCopy(pixmap) }
    case .forget(let session):
      deviceOfSession[session] = nil
      pictures.forget(session)
      panel.forget(session)
      clients.forget(session)
    case .bug(let pair):
      Log.error("\(pair): that is a bug of carryd's, please report it, with a recording (--record-session)")
    }
  }

  /// Reports the carried sizes to the application that says how the items end: the source, or the drop's destination.
  private func sayCarriedSizes(_ session: SessionID, to region: RegionID? = nil) {
    for (item, size) in pictures.sizes(session) {
      if let region {
        clients.carriedSize(session, region, item: item, size)
      } else if let (session, item) = engine.item(item, of: session) {
        clients.carriedSize(session, item, size)
      }
    }
  }

  private func report(_ event: MonitorEvent) {
    let device: String
    if let known = deviceOfSession[event.session] {
      device = known
    } else {
      device = keyboard.has(event.contact) ? "keyboard" : fingers.deviceName(of: event.contact)
      deviceOfSession[event.session] = device
    }
    clients.step(event, device: device)
  }
}
