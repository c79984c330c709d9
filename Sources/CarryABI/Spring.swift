import CCarry
import Carry

/// A C program's callbacks for a spring-loaded region.
final class SpringCallbacks {
  var callbacks: carry_spring_callbacks
  private unowned let client: ClientHandle

  init(_ callbacks: carry_spring_callbacks, _ client: ClientHandle) {
    self.callbacks = callbacks
    self.client = client
  }

  func changed(to state: SpringLoadedInteraction.State, at point: Point) {
    guard !client.isDoomed else { return }
    callbacks.state_changed?(callbacks.user_data, Int32(state.rawValue), point.x, point.y)
  }

  func activated(at point: Point) {
    guard !client.isDoomed else { return }
    callbacks.activated?(callbacks.user_data, point.x, point.y)
  }
}
