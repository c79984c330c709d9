package import CarryModel

/// Z13: where a drag could go, shown as it begins.
extension SessionEngine {
  /// More would be a screen full of frames.
  private static let mostHighlights = 16

  /// What a region takes as a rule.
  package mutating func setAcceptedTypes(_ types: [String], of region: RegionID) {
    regions.setAcceptedTypes(types, of: region)
  }

  /// Shows the regions that say that they take one of the session's types, where they can be seen.
  mutating func highlightTargets(_ s: Int, into actions: inout [SessionAction]) {
    guard settings.highlightsTargets else { return }
    let session = sessions[s]
    var rects: [Rect] = []
    // First what costs least: few regions say what they take.
    let wanting = regions.acceptedTypes.filter { _, accepted in
      session.items.contains { item in item.types.contains { Self.takes($0, accepted) } }
    }
    guard !wanting.isEmpty else { return }
    for place in places(.drop, first: nil, among: Set(wanting.keys)) where rects.count < Self.mostHighlights {
      guard place.client == session.client || !session.options.isRestricted, let region = region(place.region),
        let frame = tree.screenFrame(of: region.window)
      else { continue }
      let visible = region.rect.intersection(Rect(origin: .zero, size: frame.size))
      rects.append(visible.offset(by: frame.origin))
    }
    if !rects.isEmpty { actions.append(.stage(session.id, .highlight(rects))) }
  }

  private static func takes(_ type: OfferedType, _ accepted: [String]) -> Bool {
    accepted.contains { MediaType.conforms(type.name, type.ancestors, to: $0) }
  }
}
