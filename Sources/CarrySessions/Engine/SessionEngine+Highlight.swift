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
  mutating func highlightTargets(_ session: Session, into actions: inout [SessionAction]) {
    guard settings.drop.highlightsTargets else { return }
    var rects: [Rect] = []
    // First what costs least: few regions say what they take.
    let wanted = Self.acceptable(session.items)
    let wanting = regions.acceptedTypes.filter { _, accepted in accepted.contains { wanted.contains($0) } }
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

  /// Everything that `MediaType.conforms` takes one of the items for: there may be thousands of regions to look at.
  private static func acceptable(_ items: [ItemDescription]) -> Set<String> {
    var names: Set<String> = ["*/*"]
    for item in items {
      for type in item.types where names.insert(type.name).inserted {
        let base = type.name.prefix { $0 != ";" }
        names.insert(String(base))
        names.insert(base.prefix { $0 != "/" } + "/*")
        names.formUnion(type.ancestors)
      }
    }
    return names
  }
}
