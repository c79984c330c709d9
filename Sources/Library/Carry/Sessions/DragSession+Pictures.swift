import CarryModel
import CarryWireClient

/// The pictures of a session's items, and the animations alongside.
extension DragSession {
  /// Offers the engine another picture of the item, for when the item becomes visible. One offer is enough until the
  /// engine requests the picture: then the item's current provider is used.
  func offerPreview(of item: DragItem) {
    guard hasBegun, let proxy = item.promise, offered.insert(ObjectIdentifier(item)).inserted else { return }
    wire.offerPreview(proxy)
  }

  func showPreview(of proxy: WireItemProxy) {
    guard let item = items.first(where: { $0.promise === proxy }) else { return }
    // The provider may set the next provider.
    offered.remove(ObjectIdentifier(item))
    guard let provider = item.previewProvider else { return }
    guard let preview = provider() else { return wire.setPreview(proxy, nil) }
    client.describe(preview.view, preview.parameters) { wire.setPreview(proxy, $0) }
  }

  /// The size of an item's picture when its drag is cancelled, in pixels, unscaled; nil before, and if the item is
  /// not visible.
  package func carriedSize(of item: DragItem) -> (width: Double, height: Double)? {
    item.promise.flatMap { wire.carriedSize(of: $0) }.map { ($0.width, $0.height) }
  }

  /// Answers where the items fly. If there are few, the delegate is asked about each.
  func answerCancel(serial: UInt32) {
    let delegate = interaction.delegate
    let asked = items.count <= client.fewItems ? items : []
    for item in asked {
      guard let proxy = item.promise, let delegate else { continue }
      let preview = delegate.dragInteraction(
        interaction, previewForCancelling: item, withDefault: .carried(wire.carriedSize(of: proxy)))
      client.describe(preview) { wire.setEnding(proxy, $0) }
    }
    for item in asked.isEmpty ? Array(items.prefix(1)) : asked {
      let animator = Animator(.end)
      delegate?.dragInteraction(interaction, item: item, willAnimateCancelWith: animator)
      if !animator.isIdle { flights.append((item, animator)) }
    }
    wire.ending(serial: serial)
  }

  func moved(_ kind: UInt32, _ proxy: WireItemProxy?, _ motion: WireMotion) {
    switch kind {
    case 0:
      let animator = Animator(.rise)
      interaction.delegate?.dragInteraction(interaction, willAnimateLiftWith: animator, session: self)
      lift = animator
      animator.start(motion)
      client.clock.run(animator)
    case 1:
      lift?.reverse(motion)
      if let lift { client.clock.run(lift) }
    default:
      for (item, animator) in flights where item.promise === proxy {
        animator.start(motion)
        client.clock.run(animator)
      }
    }
  }

  func finishFlights() {
    for (_, animator) in flights { animator.finish(.end) }
    flights = []
  }
}
