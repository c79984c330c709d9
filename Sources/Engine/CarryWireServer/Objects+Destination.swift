import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// A rectangle of a window. A refused region is inert: its requests have no effect.
final class RegionObject: WireObject {
  enum State {
    /// Waits until the window's owner is known.
    case new
    case registered(RegionID)
    /// The connection to the X server is lost: waits for the next one, where the window may still be.
    case waitsForServer
    /// Withdrawn, refused, or without a window.
    case over
  }

  var state = State.new {
    didSet { client.process.regionCount += (id == nil ? 0 : 1) - (Self.id(oldValue) == nil ? 0 : 1) }
  }
  var id: RegionID? { Self.id(state) }
  private static func id(_ state: State) -> RegionID? { if case .registered(let id) = state { id } else { nil } }
  var isWaiting: Bool {
    switch state {
    case .new, .waitsForServer: true
    case .registered, .over: false
    }
  }
  let window: WindowID
  /// The newest of the client's requests of each kind.
  var wishes = RegionWishes()
  /// Whether the bridge created it on behalf of the application that owns the window.
  let isStandIn: Bool
  /// How often the region has been raised.
  var raises = 0

  init(_ client: WireClient, window: WindowID, isStandIn: Bool = false) {
    self.window = window
    self.isStandIn = isStandIn
    super.init(client)
  }

  override func destroyed() { leave() }

  private func leave() {
    if isWaiting { client.stopWaiting(self) }
    let id = id
    state = .over
    guard let id else { return }
    client.server.regions[id] = nil
    if !client.isGone { client.server.delegate?.removeRegion(id) }
  }

  private func withdraw(serial: UInt32) {
    leave()
    if let resource { carry_region_send_withdrawn(resource, serial) }
  }

  static let requests = RequestTable(
    carry_region_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      withdraw: { _, resource, serial in WireObject.of(resource, as: RegionObject.self)?.withdraw(serial: serial) },
      set_rectangle: { _, resource, x, y, width, height in
        guard let o = WireObject.of(resource, as: RegionObject.self) else { return }
        // X coordinates have 16 bits; the larger range leaves room for scrolled content.
        let range: ClosedRange<Int32> = -1_000_000...1_000_000
        guard range.contains(x), range.contains(y), (0...range.upperBound).contains(width),
          (0...range.upperBound).contains(height)
        else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a region's rectangle is out of range")
        }
        let rect = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
        o.wishes.rect = rect
        guard let id = o.id else { return }
        o.client.server.delegate?.updateRegion(id, rect: rect, roles: nil)
      },
      set_roles: { _, resource, roles in
        guard let o = WireObject.of(resource, as: RegionObject.self) else { return }
        let roles = RegionRoles(rawValue: roles)
        guard roles.isSubset(of: o.isStandIn ? .ofStandIns : .all) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown role")
        }
        o.wishes.roles = roles
        guard let id = o.id else { return }
        o.client.server.delegate?.updateRegion(id, rect: nil, roles: roles)
      },
      set_edge_zone: { _, resource, width in
        guard let o = WireObject.of(resource, as: RegionObject.self) else { return }
        guard width <= 10_000 else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "an edge zone is out of range")
        }
        o.wishes.edgeZone = Double(width)
        guard let id = o.id else { return }
        o.client.server.delegate?.setEdgeZone(id, Double(width))
      },
      choose: { _, resource, serial, session in
        guard let o = WireObject.of(resource, as: RegionObject.self), let id = o.id else { return }
        o.client.server.delegate?.chose(o.client.id, id, serial: serial, session == 0 ? nil : SessionID(session))
      },
      refuse_spring: { _, resource, session in
        guard let o = WireObject.of(resource, as: RegionObject.self), let id = o.id else { return }
        o.client.server.delegate?.refusedSpring(o.client.id, id, SessionID(session))
      },
      set_label: { _, resource, label in
        guard let o = WireObject.of(resource, as: RegionObject.self) else { return }
        guard let label = text(label, limit: Limits.nameBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "a label is too long or not UTF-8")
        }
        let shown = SafeText.displayable(label, limit: Limits.nameBytes)
        o.wishes.label = shown
        guard let id = o.id else { return }
        o.client.server.delegate?.setLabel(id, shown)
      },
      set_accepted_types: { _, resource, types in
        guard let o = WireObject.of(resource, as: RegionObject.self) else { return }
        guard let types = text(types, limit: 2048) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "the accepted types are too long or not UTF-8")
        }
        let list = types.split(separator: "\n").prefix(Limits.typesPerItem).map(String.init)
        o.wishes.acceptedTypes = list
        guard let id = o.id else { return }
        o.client.server.delegate?.setAcceptedTypes(id, list)
      },
      raise: { _, resource in
        guard let o = WireObject.of(resource, as: RegionObject.self), !o.isStandIn else { return }
        o.raises += 1
        o.client.settle(.raise(o, number: o.raises))
      },
      answer_press: { _, resource, serial, mayBegin in
        guard let o = WireObject.of(resource, as: RegionObject.self), let id = o.id else { return }
        o.client.server.delegate?.answeredPress(o.client.id, id, serial: serial, mayBegin: mayBegin != 0)
      },
      ask_again: { _, resource in
        guard let o = WireObject.of(resource, as: RegionObject.self), let id = o.id else { return }
        o.client.server.delegate?.askAgain(o.client.id, id)
      }))
}

/// A session as seen by one region.
final class DropSessionObject: WireObject {
  let session: SessionID
  let region: RegionID
  private var endings: [ItemEnding] = []
  private var reason: String?
  private var teamData = TeamDataQueue()
  /// The items' owners, in the order in which the region learned of them: processes, or clients that have
  /// disconnected.
  private var owners: [Owner] = []
  private enum Owner: Equatable {
    case process(UInt32)
    case client(ClientID)
  }

  init(_ client: WireClient, _ session: SessionID, _ region: RegionID) {
    self.session = session
    self.region = region
    super.init(client)
  }

  override func destroyed() {
    let key = WireServer.DropKey(session: session, region: region)
    if client.server.dropSessions[key] === self { client.server.dropSessions[key] = nil }
  }

  /// The number that identifies an item's owner to the region, without revealing who it is.
  func number(of item: ClientID) -> UInt32 {
    let owner = client.server.clients[item].map { Owner.process($0.process.number) } ?? .client(item)
    if let known = owners.firstIndex(of: owner) { return UInt32(known) }
    owners.append(owner)
    return UInt32(owners.count - 1)
  }

  /// Sends the region an item's team data, now or as the client reads.
  func tell(_ bytes: [UInt8], ofItem item: UInt32) {
    teamData.add(bytes, ofItem: item)
    tellTeamData()
  }

  /// Continues where the client was behind.
  func tellTeamData() { if let resource, !teamData.isEmpty { teamData.send(to: resource, of: client) } }

  static let requests = RequestTable(
    carry_drop_session_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      handle: { _, resource, serial, yes in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        o.client.server.delegate?.answeredCanHandle(o.client.id, o.session, o.region, serial: serial, yes: yes != 0)
      },
      propose: { _, resource, serial, operation, wishes in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        guard let operation = DropOperation(rawValue: operation) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown operation")
        }
        guard wishes & ~3 == 0 else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown wish")
        }
        var proposal = Proposal(
          operation, isPrecise: wishes & CARRY_DROP_SESSION_WISH_PRECISE.rawValue != 0,
          prefersFullSize: wishes & CARRY_DROP_SESSION_WISH_FULL_SIZE.rawValue != 0)
        proposal.reason = o.reason
        o.reason = nil
        o.client.server.delegate?.proposed(o.client.id, o.session, o.region, serial: serial, proposal)
      },
      load: { _, resource, id, item, type, form in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        guard let type = text(type, limit: Limits.typeBytes), SafeText.isMediaType(type) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "not a media type")
        }
        guard let form = LoadForm(rawValue: form) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown form of a load")
        }
        guard
          let load = WireObject.attach(
            LoadObject(o.client), id: id, interface: cwayland_load(), requests: LoadObject.requests.raw)
        else { return }
        o.client.server.delegate?.load(
          o.client.id, o.session, o.region, item: Int(item), type: type, as: form,
          register: { transfer in
            load.transfer = transfer
            o.client.server.loads[transfer] = load
          })
      },
      performed: { _, resource, serial in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        let endings = o.endings
        o.endings = []
        o.client.server.delegate?.finishedPerforming(o.client.id, o.session, serial: serial, endings: endings)
      },
      set_reason: { _, resource, reason in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        guard let reason = text(reason, limit: Limits.nameBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "a reason is too long or not UTF-8")
        }
        o.reason = SafeText.displayable(reason, limit: Limits.nameBytes)
      },
      set_landing: { _, resource, item, preview in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        guard o.endings.count < Limits.itemsPerSession else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.itemsPerSession) landings")
        }
        o.endings.append(ItemEnding(item: Int(item), preview: ItemPreview(preview)))
      },
      set_progress_indicator: { _, resource, style in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        guard style <= CARRY_DROP_SESSION_PROGRESS_INDICATOR_NONE.rawValue else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown style of progress indicator")
        }
        o.client.server.delegate?.setsProgressIndicator(
          o.client.id, o.session, o.region,
          isQuiet: style == CARRY_DROP_SESSION_PROGRESS_INDICATOR_NONE.rawValue)
      },
      keep_open: { _, resource, serial in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        let endings = o.endings
        o.endings = []
        o.client.server.delegate?.keptDropOpen(o.client.id, o.session, serial: serial, endings: endings)
      },
      copy_instead: { _, resource, serial in
        guard let o = WireObject.of(resource, as: DropSessionObject.self) else { return }
        o.client.server.delegate?.copiesInstead(o.client.id, o.session, serial: serial)
      }))
}

/// The destination's side of one load.
final class LoadObject: WireObject {
  var transfer: TransferID?
  /// Whether the source's descriptors have been forwarded.
  var isProvided = false
  private var isFinished = false

  override func destroyed() { finish(false) }

  private func finish(_ success: Bool) {
    guard !isFinished, let transfer else { return }
    isFinished = true
    client.server.loads[transfer] = nil
    // Without the source's data the load cannot have succeeded.
    let isDelivered = success && isProvided
    if !client.isGone { client.server.delegate?.finished(client.id, transfer, success: isDelivered) }
    if isDelivered, let r = client.server.provisions[transfer]?.resource { carry_provision_send_delivered(r) }
  }

  static let requests = RequestTable(
    carry_load_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      progress: { _, resource, high, low, totalHigh, totalLow in
        guard let o = WireObject.of(resource, as: LoadObject.self), let transfer = o.transfer else { return }
        o.client.server.delegate?.progressed(
          o.client.id, transfer, TransferProgress(high, low, of: totalHigh, totalLow))
      },
      finished: { _, resource, success in
        guard let o = WireObject.of(resource, as: LoadObject.self) else { return }
        o.finish(success != 0)
        carry_load_send_ended(resource)
      }))
}

/// A client's monitor, which is notified of every session.
final class MonitorObject: WireObject {
  var watchesDetails = false

  override func destroyed() { client.server.remove(self) }

  static let requests = RequestTable(
    carry_monitor_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      watch_details: { _, resource in
        guard let o = WireObject.of(resource, as: MonitorObject.self) else { return }
        o.client.server.watchDetails(o)
      }))
}
