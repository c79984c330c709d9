package import CarryModel

/// Why a drag's target is the target: the regions under its finger, from the topmost down, and what each is to it.
package struct TargetExplanation: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    /// It is the target, and would do this with the items; nil until it has proposed something.
    case target(DropOperation?)
    /// It will be the target if it can handle the items: it has been asked.
    case asked
    /// It has refused the items, or did not answer in time.
    case refused
    /// It accepts no drops.
    case isNoTarget
    /// It may not know of the drag: because of a rule of the policy, or because the source keeps the drag to itself.
    case hidden(rule: String?)
    /// It handles another drag, and one at a time.
    case busy
    /// The target, an obstacle, or the application's own region lies above.
    case beneath
    /// A window lies above it at this point.
    case covered(by: WindowID?)
  }

  package struct Place: Equatable, Sendable {
    package var region: Region
    package var label: String?
    /// The program that the region represents.
    package var program: ProgramIdentity
    package var verdict: Verdict
  }

  package var session: SessionID
  /// Screen pixels.
  package var point: Point
  package var places: [Place]
}

extension SessionEngine {
  /// Maximum number of regions that are explained at a point.
  private static let maxPlaces = 64

  /// Explains the target of each drag that is under way.
  package mutating func explainTargets() -> [TargetExplanation] {
    var explanations: [TargetExplanation] = []
    for session in sessions where session.optionsAreKnown {
      guard let drag = session.carriedDrag else { continue }
      explanations.append(
        TargetExplanation(session: session.id, point: session.point, places: explain(drag, of: session)))
    }
    return explanations
  }

  private mutating func explain(_ drag: Drag, of session: Session) -> [TargetExplanation.Place] {
    let (sessions, programs, labels) = (self.sessions, self.programs, regions.labels)
    var places: [TargetExplanation.Place] = []
    var isCovered = false
    regions.search(at: session.point, in: session.foreign?.over, roles: .all) { region, _ in
      // Not `shows`, which reports to the journal what it hides.
      let view = programs.view(of: region.id, region.client, in: session)
      let isShown = view.isSameProcess || (!session.options.isRestricted && view.seesAnyType)
      let verdict: TargetExplanation.Verdict
      if drag.visits.isTarget(region.id) {
        verdict = drag.visits.isInsideTarget ? .target(drag.visits.targetOperation) : .asked
        isCovered = true
      } else if isCovered {
        verdict = .beneath
      } else if !region.roles.contains(.drop) {
        verdict = .isNoTarget
      } else if !isShown {
        verdict = .hidden(rule: view.forbidden?.rule)
      } else if drag.visits.isRefused(by: region.id) {
        verdict = .refused
      } else if drag.passedOver.contains(region.id)
        || sessions.contains(where: { $0 !== session && $0.isHandled(by: region.id) })
      {
        verdict = .busy
      } else {
        verdict = .beneath
      }
      if region.roles.contains(.obstacle) { isCovered = true }
      places.append(
        TargetExplanation.Place(region: region, label: labels[region.id], program: programs[region], verdict: verdict))
      return places.count == Self.maxPlaces
    }
    // What the search does not find: drop regions that would lie here if nothing covered them.
    let top = tree.window(at: session.point)?.window
    for region in regions.all where region.roles.contains(.drop) && places.count < Self.maxPlaces {
      guard let frame = tree.screenFrame(of: region.window), frame.contains(session.point),
        region.rect.offset(by: frame.origin).contains(session.point),
        !places.contains(where: { $0.region.id == region.id })
      else { continue }
      places.append(
        TargetExplanation.Place(
          region: region, label: labels[region.id], program: programs[region], verdict: .covered(by: top)))
    }
    return places
  }
}
