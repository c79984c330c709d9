import CCarry
import Carry

/// A C program's callbacks for a spring-loaded region.
final class SpringCallbacks: SpringLoadedInteractionBehavior, SpringLoadedInteractionEffect {
  var callbacks: carry_spring_callbacks
  private unowned let client: ClientHandle

  init(_ callbacks: carry_spring_callbacks, _ client: ClientHandle) {
    self.callbacks = callbacks
    self.client = client
  }

  func shouldAllow(_ interaction: SpringLoadedInteraction, with context: SpringLoadedContext) -> Bool {
    guard !client.isDoomed, let ask = callbacks.should_allow else { return true }
    return ask(callbacks.user_data, Int32(context.state.rawValue), context.location.x, context.location.y) != 0
  }

  func interactionDidFinish(_ interaction: SpringLoadedInteraction) {
    guard !client.isDoomed else { return }
    callbacks.did_finish?(callbacks.user_data)
  }

  func interaction(_ interaction: SpringLoadedInteraction, didChangeWith context: SpringLoadedContext) {
    guard !client.isDoomed else { return }
    callbacks.state_changed?(
      callbacks.user_data, Int32(context.state.rawValue), context.location.x, context.location.y)
  }

  func activated(at point: Point) {
    guard !client.isDoomed else { return }
    callbacks.activated?(callbacks.user_data, point.x, point.y)
  }
}
