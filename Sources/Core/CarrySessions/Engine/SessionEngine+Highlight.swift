package import CarryModel

/// Highlights the places where a drag could be dropped, as the drag begins (Z13).
extension SessionEngine {
  /// Maximum number of highlights, so that they do not fill the screen.
  private static let maxHighlights = 16

  /// Sets the types that a region usually accepts.
  package mutating func setAcceptedTypes(_ types: [String], of region: RegionID) {
    regions.setAcceptedTypes(types, of: region)
  }

  /// Highlights the visible regions that declare one of the session's types.
  mutating func highlightTargets(_ session: Session, into actions: inout [SessionAction]) {
    guard settings.drop.highlightsTargets else { return }
    var rects: [Rect] = []
    // The cheapest test first: few regions declare types.
    let wanted = Self.acceptable(session.items)
    let wanting = regions.acceptedTypes.filter { _, accepted in accepted.contains { wanted.contains($0) } }
    guard !wanting.isEmpty else { return }
    var wantedBy: [ProgramIdentity: Set<String>] = [:]
    for place in places(.drop, first: nil, among: Set(wanting.keys)) where rects.count < Self.maxHighlights {
      let view = programs.view(of: place.region, place.client, in: session)
      guard session.isShown(to: view), let region = region(place.region), let accepted = wanting[place.region] else {
        continue
      }
      if !view.seesAllTypes {
        let program = programs[region]
        let some = wantedBy[program] ?? Self.acceptable(session.items, seenBy: view)
        wantedBy[program] = some
        guard accepted.contains(where: some.contains) else { continue }
      }
      if let visible = visibleRect(of: region) { rects.append(visible) }
    }
    session.drag?.targetFrames = rects
    if !rects.isEmpty { actions.append(.stage(session.id, .highlight(rects))) }
  }

  /// The part of a region within its window, in screen pixels; nil if the window is gone.
  func visibleRect(of region: Region) -> Rect? {
    tree.screenFrame(of: region.window).map { frame in
      region.rect.intersection(Rect(origin: .zero, size: frame.size)).offset(by: frame.origin)
    }
  }

  /// All types to which an item conforms (`MediaType.conforms`), computed once because there may be thousands of
  /// regions.
  ///
  /// - Parameter view: counts only the types that this target may see; nil for all.
  private static func acceptable(_ items: [ItemDescription], seenBy view: TargetView? = nil) -> Set<String> {
    var names: Set<String> = ["*/*"]
    for (i, item) in items.enumerated() {
      for (t, type) in item.types.enumerated()
      where view?.sees(type: t, ofItem: i) != false && names.insert(type.name).inserted {
        let base = type.name.prefix { $0 != ";" }
        names.insert(String(base))
        names.insert(base.prefix { $0 != "/" } + "/*")
        names.formUnion(type.ancestors)
      }
    }
    return names
  }
}
