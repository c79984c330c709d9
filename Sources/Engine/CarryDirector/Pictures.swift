package import CarryModel
import CarryStage

/// Provides what `Pictures` needs to know about the sessions that it shows.
protocol SessionFacts: AnyObject {
  /// The item at a position, and the session whose source knows the item by that number.
  func item(_ position: Int, of session: SessionID) -> (session: SessionID, item: ItemID)?
  /// Whether a finger carries the session.
  func isCarried(_ session: SessionID) -> Bool
  /// The region that the session was dropped on.
  func dropRegion(of session: SessionID) -> RegionID?
  /// The region that has this place in a window, in the window's pixels.
  func region(of window: WindowID, at rect: Rect) -> RegionID?
  func place(of region: RegionID) -> (window: WindowID, rect: Rect)?
}

/// Shows sessions: chooses the pictures of their cards, and draws a frame of the stage whenever one is due.
package final class Pictures {
  /// Replaced by a new object after the X server has died and come back.
  var screen: any Screen
  let clients: any Clients
  weak var sessions: (any SessionFacts)?
  let clock: () -> Instant
  var stage: Stage
  var known = KnownPictures()
  private var drawList = DrawList()
  /// Whether the X server has not yet finished the requested drawing.
  private(set) var screenIsBusy = false
  /// When the next frame was due at the end of the last turn, and how late such frames were.
  private var frameWaitedFor: Instant?
  private var lateness = FrameLateness("frames were due", limit: .milliseconds(2))

  init(settings: Settings, screen: any Screen, clients: any Clients, clock: @escaping () -> Instant) {
    self.screen = screen
    self.clients = clients
    self.clock = clock
    stage = Stage(settings: settings)
  }

  func apply(_ settings: Settings) { stage.setSettings(settings) }

  /// The X server is gone, and all pictures with it.
  func reset() {
    stage = Stage(settings: stage.settings)
    known = KnownPictures()
  }

  func screenChanged() { stage.pace = FramePace(interval: screen.refreshInterval) }

  /// Redraws resting cards with the next frame, because their pictures, or the way they are shown, changed.
  package func setNeedsFrame() { stage.setNeedsFrame() }

  /// The session whose stack is at a point of the screen.
  func session(at point: Point, time: Instant) -> SessionID? { stage.session(at: point, time: time) }

  func forget(_ session: SessionID) { known.forget(session) }

  /// How late frames were, for the log; nil if there were none.
  package var latenessSentence: String? { lateness.sentence }

  // MARK: Frames

  /// When something moves next; nil while everything rests.
  package var nextFrame: Instant? { stage.nextFrame }

  /// When there is something to draw. Nil while the X server draws, because its reply wakes the loop.
  var nextDeadline: Instant? {
    guard !screenIsBusy else { return nil }
    return .earliest(stage.nextFrame, .earliest(known.changes.due, known.offers.due))
  }

  /// Makes pictures and draws a frame if they are due, unless the X server has not yet finished the last drawing.
  ///
  /// - Parameter finished: called with each session whose last animation is over.
  func draw(at now: Instant, finished: (SessionID) -> Void) {
    screenIsBusy = screen.isBusy
    askForWaitingOffers(at: now)
    if let due = known.changes.due, due <= now, !screenIsBusy { changePictures(at: now) }
    if let due = stage.nextFrame, due <= now, !screenIsBusy {
      // Only a scheduled frame can be late; other frames became due by what has just happened.
      if let waited = frameWaitedFor, waited == due { lateness.note(now - due) }
      drawFrame(at: now, finished: finished)
    }
    screen.askWhenDone()
    screenIsBusy = screen.isBusy
  }

  /// Delays drawing by a frame when a drop begins: a target of another toolkit now sends some requests to the X
  /// server, and would wait for each drawing.
  func deferOneFrame(at now: Instant) { stage.deferOneFrame(at: now) }

  /// Records which frame is scheduled. Called when everything else in a turn is done.
  package func endTurn(at now: Instant) {
    frameWaitedFor = screenIsBusy ? nil : stage.nextFrame.flatMap { $0 > now ? $0 : nil }
  }

  /// Draws a frame, whether or not one is due.
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

  /// Makes as many of the requested pictures as a turn has time for. The others are made in the next turn, which
  /// follows at once.
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

  /// Requests offered pictures that came too soon after the last picture.
  private func askForWaitingOffers(at now: Instant) {
    guard known.offers.isDue(at: now) else { return }
    for session in known.offers.sessions { askForOffers(session, at: now) }
  }
}
