package import CarryModel

/// Access: the identities of clients and regions, and the policy (G4 to G6, I15, I16, K6).
///
/// `TargetView` decides. All code here that shows types, items or highlights asks it.
extension SessionEngine {
  /// Sets which program a client is.
  package mutating func setIdentity(_ identity: ProgramIdentity, of client: ClientID) { programs[client] = identity }

  /// Whether a client is the shelf.
  package func isShelf(_ client: ClientID) -> Bool { programs[client].isShelf }

  /// Sets which program a region represents, if that is not its client. Drags from the region come from that program,
  /// and drops on the region go to it. Nil ends this.
  package mutating func setIdentity(_ identity: ProgramIdentity?, of region: RegionID) {
    guard regions[region] != nil else { return }
    programs.stand(for: identity, region)
    for session in sessions { session.views.forget(region) }
  }

  /// Sets the rules for targets that a session meets from now on. What a session has already shown to a target stays
  /// shown.
  package mutating func apply(_ policy: Policy) { programs.policy = policy }

  /// The program of a client; a process of its own if nothing is known about it.
  package func identity(of client: ClientID) -> ProgramIdentity { programs[client] }

  /// The program that a region represents; its client's, if the region is gone.
  func program(of region: RegionID, _ client: ClientID) -> ProgramIdentity {
    regions[region].map { programs[$0] } ?? programs[client]
  }

  /// Logs to the journal which rule hides a session, or some of its types, from a region. Once for each session and
  /// target, because the view is made once.
  mutating func reportForbidden(_ session: Session, into actions: inout [SessionAction]) {
    for forbidden in session.views.takeForbidden() {
      actions.append(
        .forbidden(session.id, from: forbidden.source, to: forbidden.target, rule: forbidden.rule))
    }
  }

  // MARK: Monitors

  /// Sets the clients that have monitors.
  package mutating func monitorsChanged(_ clients: Set<ClientID>) {
    monitoringClients = clients
    isMonitored = !clients.isEmpty
    for session in sessions { session.views.monitorsChanged() }
  }

  /// The types that each client with a monitor may see.
  func typesOfMonitors(_ session: Session) -> [ClientID: [String]] {
    if let known = session.views.typesOfMonitors { return known }
    var lists: [ClientID: [String]] = [:]
    for client in monitoringClients {
      let view = programs.view(of: client, in: session)
      guard view.isSameProcess || !session.isPrivate else { continue }
      lists[client] = view.seesAllTypes ? session.types : Self.types(session.items, seenBy: view)
    }
    session.views.typesOfMonitors = lists
    return lists
  }

  /// The types that a target may see, each once, in the order of the items.
  private static func types(_ items: [ItemDescription], seenBy view: TargetView) -> [String] {
    var known: Set<String> = []
    var list: [String] = []
    for (i, item) in items.enumerated() {
      for (t, type) in item.types.enumerated()
      where view.sees(type: t, ofItem: i) && known.insert(type.name).inserted {
        list.append(type.name)
      }
    }
    return list
  }
}
