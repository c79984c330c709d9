import CarryModel

/// What the targets of one session may see of it. Each view is made when the session first meets its target, and is
/// kept for the session: motions only look it up.
///
/// A class, because every motion asks it, and Swift would copy a value to ask it.
final class TargetViews {
  /// A target from which a rule hides something.
  struct Forbidden {
    let source: ProgramIdentity
    let target: ProgramIdentity
    let rule: String
  }

  private struct Entry {
    var view: TargetView
    let target: ProgramIdentity
    /// Whether the drag has come over the target, and whether the rule has been logged to the journal.
    var isMet = false
    var isReported = false
  }

  private var entries: [Entry] = []
  private var ofClient: [ClientID: Int] = [:]
  /// The views of regions that represent a program other than their client.
  private var ofRegion: [RegionID: Int] = [:]
  /// The newest answer, because a finger stays over one client for many motions.
  private var newest: (client: ClientID, place: Int)?
  /// Whether a rule has to be logged to the journal.
  private var hasForbidden = false
  /// For each client with a monitor, the types that it may see; nil if this has to be computed again.
  var typesOfMonitors: [ClientID: [String]]?

  /// The place of a client's view; nil before the client is met.
  func place(of client: ClientID) -> Int? {
    if let newest, newest.client.raw == client.raw { return newest.place }
    guard let place = ofClient[client] else { return nil }
    newest = (client, place)
    return place
  }

  func place(of region: RegionID) -> Int? { ofRegion.isEmpty ? nil : ofRegion[region] }

  subscript(place: Int) -> TargetView { entries[place].view }

  func isSameProcess(_ place: Int) -> Bool { entries[place].view.isSameProcess }

  func seesAnyType(_ place: Int) -> Bool { entries[place].view.seesAnyType }

  func add(_ view: TargetView, to target: ProgramIdentity, of client: ClientID) -> Int {
    ofClient[client] = entries.count
    entries.append(Entry(view: view, target: target))
    return entries.count - 1
  }

  func add(_ view: TargetView, to target: ProgramIdentity, of region: RegionID) -> Int {
    ofRegion[region] = entries.count
    entries.append(Entry(view: view, target: target))
    return entries.count - 1
  }

  /// The drag is over a target.
  func meet(_ place: Int) {
    guard !entries[place].isMet else { return }
    entries[place].isMet = true
    if entries[place].view.forbidden != nil { hasForbidden = true }
  }

  /// Forgets a region that is gone: its number may come back with another program behind it.
  func forget(_ region: RegionID) { if !ofRegion.isEmpty { ofRegion[region] = nil } }

  /// Updates the views for the session's new items.
  func learn(_ items: [ItemDescription]) {
    typesOfMonitors = nil
    for i in entries.indices {
      entries[i].view.learn(items)
      if entries[i].isMet, entries[i].view.forbidden != nil { hasForbidden = true }
    }
  }

  /// Other clients have monitors, or the source has said who may see the types.
  func monitorsChanged() { typesOfMonitors = nil }

  /// The targets that the drag has come over and from which a rule hides something; each is returned once.
  func takeForbidden() -> [Forbidden] {
    guard hasForbidden else { return [] }
    hasForbidden = false
    var list: [Forbidden] = []
    for i in entries.indices where entries[i].isMet && !entries[i].isReported {
      guard let forbidden = entries[i].view.forbidden else { continue }
      entries[i].isReported = true
      list.append(Forbidden(source: forbidden.source, target: entries[i].target, rule: forbidden.rule))
    }
    return list
  }
}
