import Carry
import DemoKit

/// The icons' spring loading, as long as there is an engine.
final class Surface {
  private let regions: [Region]

  init(_ dock: Dock, _ client: Client) {
    regions = dock.icons.indices.map { i in
      let region = Region(
        client: client, window: dock.window.number, frame: dock.box(of: i).inset(-9).pixels(dock.app.scale))
      region.addInteraction(
        SpringLoadedInteraction(
          effect: { [unowned dock] _, context in dock.spring(i, context.state) },
          activationHandler: { [unowned dock] _, _ in dock.open(i, "spring") }))
      return region
    }
  }
}
