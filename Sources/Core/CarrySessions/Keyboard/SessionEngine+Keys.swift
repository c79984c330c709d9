package import CarryModel

/// The state that `KeyboardDriver` needs: where regions can be reached, and how far a session is.
extension SessionEngine {
  /// A region, and a point of the screen where it can be seen.
  package struct Place: Equatable, Sendable {
    package var region: RegionID
    package var client: ClientID
    /// Screen pixels.
    package var point: Point
  }

  /// Maximum number of places; more than anyone steps through with a key.
  private static let maxPlaces = 1024
  /// Maximum number of hidden regions tried per client. A client that hides thousands of regions must not delay a key
  /// press.
  private static let maxHidden = 256
  /// Where to look for a visible point of a partly covered region, as fractions of its size.
  private static let spots: [(Double, Double)] = [
    (0.5, 0.5), (0.5, 0.15), (0.5, 0.85), (0.15, 0.5), (0.85, 0.5), (0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9),
  ]

  /// The visible regions, in reading order.
  ///
  /// - Parameters:
  ///   - first: a window whose regions come before the others.
  ///   - some: the regions to include; nil for all.
  package mutating func places(_ role: RegionRoles, first: WindowID?, among some: Set<RegionID>? = nil) -> [Place] {
    let front = first.flatMap { tree.toplevel(of: $0) }
    var list: [(place: Place, isFirst: Bool, corner: Point)] = []
    var hidden: [ClientID: Int] = [:]
    for region in regions.all {
      guard list.count < Self.maxPlaces else { break }
      let id = region.id
      // Keys lift nothing out of foreign applications.
      guard region.roles.contains(role), some?.contains(id) != false, !region.isStandIn || role != .drag,
        hidden[region.client, default: 0] < Self.maxHidden, let frame = tree.screenFrame(of: region.window)
      else { continue }
      let rect = region.rect.offset(by: frame.origin)
      // A region that is scrolled out of its window costs no hit test.
      guard !rect.isEmpty, !rect.intersection(frame).isEmpty else { continue }
      guard let point = visiblePoint(of: id, rect, role) else {
        hidden[region.client, default: 0] += 1
        continue
      }
      let isFirst = front != nil && tree.toplevel(of: region.window) == front
      list.append((Place(region: id, client: region.client, point: point), isFirst, rect.origin))
    }
    list.sort {
      if $0.isFirst != $1.isFirst { return $0.isFirst }
      if $0.corner.y != $1.corner.y { return $0.corner.y < $1.corner.y }
      return ($0.corner.x, $0.place.region.raw) < ($1.corner.x, $1.place.region.raw)
    }
    return list.map(\.place)
  }

  private mutating func visiblePoint(of id: RegionID, _ rect: Rect, _ role: RegionRoles) -> Point? {
    for (x, y) in Self.spots {
      let point = Point(x: rect.x + rect.width * x, y: rect.y + rect.height * y)
      guard tree.frame(of: tree.root)?.contains(point) == true else { continue }
      var top: RegionID?
      regions.search(at: point, roles: role.union(.obstacle)) { region, _ in
        top = region.id
        return true
      }
      if top == id { return point }
    }
    return nil
  }

  /// The state of a session, as the keyboard driver sees it.
  enum KeyState: Equatable {
    /// The answer of the region under the finger.
    enum Answer: Equatable {
      case waiting
      case takes(ClientID, DropOperation)
      case refuses
    }
    case asking
    case lifted
    case carried(Answer)
    case dropping(ClientID)
    case over
  }

  func session(of contact: ContactID) -> SessionID? { sessions.find(carriedBy: contact)?.id }

  func itemCount(_ id: SessionID) -> Int { sessions.find(id)?.items.count ?? 0 }

  func keyState(_ id: SessionID) -> KeyState {
    guard let session = sessions.find(id) else { return .over }
    switch session.phase {
    case .asking: return .asking
    case .lifting: return .lifted
    case .dragging(let drag), .releasing(let drag, _): return .carried(answer(drag, of: session))
    case .dropping(let drop): return .dropping(drop.client)
    case .settling, .cancelling, .joining, .lent, .gone: return .over
    }
  }

  private func answer(_ drag: Drag, of session: Session) -> KeyState.Answer {
    // No region is asked before the source has said who may see the session.
    guard session.optionsAreKnown else { return .waiting }
    guard let target = drag.visits.target else { return .refuses }
    switch target.state {
    case .asked, .behind: return .waiting
    case .refused, .outside: return .refuses
    case .inside:
      guard target.proposal != nil, target.openUpdate == nil else { return .waiting }
      let operation = programs.operation(drag, of: session)
      return operation.transfersData ? .takes(target.client, operation) : .refuses
    }
  }
}
