package import CarryModel
import CarryStage

/// What the pictures ask of the sessions that they show.
protocol SessionFacts: AnyObject {
  func item(_ position: Int, of session: SessionID) -> ItemID?
  /// Whether a finger carries it.
  func isCarried(_ session: SessionID) -> Bool
  /// Where it was dropped.
  func dropRegion(of session: SessionID) -> RegionID?
  /// The region that has this place in a window, in the window's pixels.
  func region(of window: WindowID, at rect: Rect) -> RegionID?
  func place(of region: RegionID) -> (window: WindowID, rect: Rect)?
}

/// What is seen of sessions: which pictures their cards have, and a frame of the stage whenever one is due.
package final class Pictures {
  /// Another one after the X server has died and come back.
  var screen: any Screen
  let clients: any Clients
  weak var sessions: (any SessionFacts)?
  let clock: () -> Instant
  var stage: Stage
  var known = KnownPictures()
  private var drawList = DrawList()
  /// Whether the X server has still to draw what it was asked for.
  private var screenIsBusy = false
  /// When the next frame was due, as of the last turn, and how late such frames were.
  private var frameWaitedFor: Instant?
  private var lateness = FrameLateness("frames were due", limit: .milliseconds(2))

  init(settings: Settings, screen: any Screen, clients: any Clients, clock: @escaping () -> Instant) {
    self.screen = screen
    self.clients = clients
    self.clock = clock
    stage = Stage(settings: settings)
  }

  func apply(_ settings: Settings) { stage.setSettings(settings) }

  /// All pictures are gone with the X server.
  func reset() {
    stage = Stage(settings: stage.settings)
    known = KnownPictures()
  }

  func screenChanged() { stage.pace = FramePace(interval: screen.refreshInterval) }

  /// What rests on the screen is to be drawn again: it shows something else, or is shown in another way.
  package func setNeedsFrame() { stage.setNeedsFrame() }

  /// The session whose stack is at a point of the screen.
  func session(at point: Point, time: Instant) -> SessionID? { stage.session(at: point, time: time) }

  func forget(_ session: SessionID) { known.forget(session) }

  /// For the log, once there were frames.
  package var latenessSentence: String? { lateness.sentence }

  // MARK: Frames

  /// When something moves next; nil while all is still.
  var nextFrame: Instant? { stage.nextFrame }

  /// When there is something to draw. While the X server draws, its answer is what is waited for.
  var nextDeadline: Instant? {
    guard !screenIsBusy else { return nil }
    return .earliest(stage.nextFrame, .earliest(known.changes.due, known.offers.due))
  }

  /// Pictures and a frame that are due, unless the X server has still to draw what it was asked for.
  ///
  /// - Parameter finished: called with each session whose last animation is over.
  func draw(at now: Instant, finished: (SessionID) -> Void) {
    screenIsBusy = screen.isBusy
    askForWaitingOffers(at: now)
    if let due = known.changes.due, due <= now, !screenIsBusy { changePictures(at: now) }
    if let due = stage.nextFrame, due <= now, !screenIsBusy {
      // One that was waited for; others became due by what has just happened.
      if let waited = frameWaitedFor, waited == due { lateness.note(now - due) }
      drawFrame(at: now, finished: finished)
    }
    screen.askWhenDone()
    screenIsBusy = screen.isBusy
  }

  /// To be called when all else of a turn is done: which frame is waited for.
  package func endTurn(at now: Instant) {
    frameWaitedFor = screenIsBusy ? nil : stage.nextFrame.flatMap { $0 > now ? $0 : nil }
  }

  /// A frame, whether or not one is due.
  func drawFrame(at now: Instant, finished: (SessionID) -> Void) {
    for image in screen.refreshImages() { stage.imageChanged(image) }
    stage.frame(at: now, into: &drawList)
    screen.apply(drawList)
    stage.pace = screen.pace(of: drawList, at: now)
    for session in stage.takeFinished() { finished(session) }
    for image in stage.takeUnusedImages() {
      known.released(image)
      screen.releaseImage(image)
    }
  }

  /// Makes pictures that are wanted, as many as a turn has time for; the others have their turn at once, after whatever
  /// else there is to do.
  private func changePictures(at now: Instant) {
    known.changes.beginTurn(at: now)
    while !screen.isBusy,
      let next = known.changes.next(
        at: clock(),
        pixels: { self.clients.preview($0)?.visibleRect.map { Int($0.width * $0.height) } ?? 0 })
    {
      guard let look = clients.preview(next.preview), let card = card(look, item: next.item, next.session) else {
        continue
      }
      stage.setPicture(next.session, card, at: now)
      stage.setNeedsFrame()
      screen.askWhenDone()
    }
  }

  /// Offers that came too soon after the last.
  private func askForWaitingOffers(at now: Instant) {
    guard known.offers.isDue(at: now) else { return }
    for session in known.offers.sessions { askForOffers(session, at: now) }
  }
}
