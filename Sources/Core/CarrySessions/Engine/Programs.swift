import CarryModel

/// The identities of clients and regions, and the policy: everything that decides who may see what.
///
/// A class, so that a search through the regions can query it while it changes the regions' own tables.
final class Programs {
  private var identities: [ClientID: ProgramIdentity] = [:]
  /// The programs of regions that represent a program other than their client.
  private var standIns: [RegionID: ProgramIdentity] = [:]
  var policy = Policy()

  subscript(client: ClientID) -> ProgramIdentity {
    get { identities[client] ?? ProgramIdentity(process: .connection(client)) }
    set { identities[client] = newValue }
  }

  subscript(region: Region) -> ProgramIdentity { standIns[region.id] ?? self[region.client] }

  func stand(for program: ProgramIdentity?, _ region: RegionID) { standIns[region] = program }

  func forget(_ client: ClientID) { identities[client] = nil }

  func forget(_ region: RegionID) { if !standIns.isEmpty { standIns[region] = nil } }

  // MARK: What targets may see

  /// What a region may see of a session. The first query for a target creates the view; later ones look it up.
  func view(of region: RegionID, _ client: ClientID, in session: Session) -> TargetView {
    // Find the place first: that may add the view.
    let place = place(of: region, client, in: session)
    return session.views[place]
  }

  func view(of client: ClientID, in session: Session) -> TargetView {
    let place = place(of: client, in: session)
    return session.views[place]
  }

  /// Whether a target belongs to the process that the drag comes from.
  func isLocal(_ target: Visit.Address, in session: Session) -> Bool {
    let place = place(of: target.region, target.client, in: session)
    return session.views.isSameProcess(place)
  }

  /// The operation of the target's newest proposal. A move that the source does not allow counts as cancel.
  func operation(_ drag: Drag, of session: Session) -> DropOperation {
    guard let proposal = drag.visits.targetOperation else { return .cancel }
    if proposal == .move, let target = drag.visits.targetAddress,
      !session.allowsMove(isLocal: isLocal(target, in: session))
    {
      return .cancel
    }
    return proposal
  }

  /// Whether a region under the finger may know of a session. Every motion asks this, so nothing is copied here.
  func shows(_ session: Session, to region: Region) -> Bool {
    // Fast path without a look-up: an application's own region.
    if standIns.isEmpty, case .client = session.origin, region.client.raw == session.client.raw { return true }
    if !session.mayBeKept, self[region.client].isShelf { return false }
    let place = place(of: region.id, region.client, in: session)
    session.views.meet(place)
    return session.views.isSameProcess(place) || (!session.options.isRestricted && session.views.seesAnyType(place))
  }

  private func place(of region: RegionID, _ client: ClientID, in session: Session) -> Int {
    // A region that is gone may still be loading for the program that it represented.
    if let known = session.views.place(of: region) { return known }
    guard !standIns.isEmpty, let program = standIns[region] else { return place(of: client, in: session) }
    return session.views.add(makeView(of: program, in: session), to: program, of: region)
  }

  private func place(of client: ClientID, in session: Session) -> Int {
    if let known = session.views.place(of: client) { return known }
    let program = self[client]
    return session.views.add(makeView(of: program, in: session), to: program, of: client)
  }

  private func makeView(of target: ProgramIdentity, in session: Session) -> TargetView {
    var view = TargetView(from: session.program, to: target, policy)
    view.learn(session.items)
    return view
  }
}
