import Carry
import DemoKit

/// The icons' spring loading, as long as there is an engine.
final class Surface {
  /// An icon's look while a drag hovers over it.
  private final class Effect: SpringLoadedInteractionEffect {
    private unowned let dock: Dock
    private let icon: Int

    init(_ dock: Dock, _ icon: Int) { (self.dock, self.icon) = (dock, icon) }

    func interaction(_ interaction: SpringLoadedInteraction, didChangeWith context: SpringLoadedContext) {
      dock.spring(icon, context.state)
    }
  }

  private let regions: [Region]

  init(_ dock: Dock, _ client: Client) {
    regions = dock.icons.indices.map { i in
      let region = Region(
        client: client, window: dock.window.number, frame: dock.box(of: i).inset(-9).pixels(dock.app.scale))
      region.addInteraction(
        SpringLoadedInteraction(interactionBehavior: nil, interactionEffect: Effect(dock, i)) { [unowned dock] _, _ in
          dock.open(i, "spring")
        })
      return region
    }
  }
}
