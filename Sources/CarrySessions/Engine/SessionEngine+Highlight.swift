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
    for place in places(.drop, first: nil) where rects.count < Self.mostHighlights {
      guard place.client == session.client || !session.options.isRestricted, let region = region(place.region),
        let accepted = regions.acceptedTypes[region.id],
        session.items.contains(where: { item in item.types.contains { Self.takes($0, accepted) } }),
        let frame = tree.screenFrame(of: region.window)
      else { continue }
      let visible = region.rect.intersection(Rect(origin: .zero, size: frame.size))
      rects.append(visible.offset(by: frame.origin))
    }
    if !rects.isEmpty { actions.append(.stage(session.id, .highlight(rects))) }
  }

  static func takes(_ type: OfferedType, _ accepted: [String]) -> Bool {
    let base = String(type.name.prefix { $0 != ";" })
    return accepted.contains { wanted in
      if wanted.hasSuffix("/*") { return base.hasPrefix(wanted.dropLast()) }
      return wanted == type.name || wanted == base || type.ancestors.contains(wanted)
    }
  }
}
