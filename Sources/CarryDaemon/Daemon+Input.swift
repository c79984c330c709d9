import CarryContacts
import CarryDirector
import CarryModel

/// What fingers do, handed on to the director.
extension Daemon {
  func handle(_ touch: InputSources.Touch, at time: Instant) {
    switch touch.phase {
    case .began:
      director.began(touch.id, at: touch.point, scale: touch.scale, isPointer: touch.isPointer, time: time)
    case .moved: director.moved(touch.id, to: touch.point, time: time)
    case .ended: director.ended(touch.id, at: touch.point, isPointer: touch.isPointer, time: time)
    case .cancelled: director.cancelled(touch.id, time: time)
    }
  }
}
