import CarryDirector
import CarryModel
import CarrySystem

/// Forwards the input's fingers to the director.
extension Daemon: InputDelegate {
  func handle(_ touch: Touch) {
    if isReplaying, touch.time != director.lastTouch { handling.note(MonotonicClock.now() - touch.time) }
    director.handle(touch)
  }

  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool {
    director.wantsToSee(touchAt: point, unguardable: unguardable)
  }

  func mayLift(clickAt point: Point) -> Bool { director.mayLift(clickAt: point) }

  func mayAdd(clickAt point: Point) -> Bool { director.mayAdd(clickAt: point) }
}
