import CLinux
import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// An item of a source: its promise and its loads.
final class ItemObject: WireObject {
  let id: ItemID
  var name = ""
  var types: [OfferedType] = []
  private(set) var teamData: [UInt8] = []
  var presentationSize: Size?
  /// The kept item that it represents, if it is the shelf's.
  var lent: KeptItemID?
  /// The reference by which the program's file provider knows the item; empty for none.
  private var reference = ""
  private var heldBytes = 0

  init(_ client: WireClient, _ id: ItemID) {
    self.id = id
    super.init(client)
    client.itemCount += 1
  }

  /// The item's current description for a session.
  var description: ItemDescription {
    var described = ItemDescription(id: id, name: name, types: types)
    described.presentationSize = presentationSize
    described.teamData = teamData
    described.lent = lent
    described.reference = client.server.reference(reference, of: client)
    return described
  }

  override func destroyed() {
    client.itemCount -= 1
    client.recount(&heldBytes, as: 0, nil)
    client.server.items[id] = nil
  }

  /// Counts the bytes of the description after a change.
  private func countBytes() {
    let types = types.reduce(0) { $0 + $1.name.utf8.count + MemoryLayout<OfferedType>.stride }
    client.recount(
      &heldBytes, as: types + name.utf8.count + reference.utf8.count + teamData.count, resource)
  }

  /// Appends a piece of the item's team data, or starts it again.
  private func setTeamData(_ offset: UInt32, _ array: UnsafeMutablePointer<wl_array>?) {
    guard let array else { return }
    let piece = UnsafeRawBufferPointer(start: array.pointee.data, count: array.pointee.size)
    if offset == 0 { teamData = [] }
    guard offset == teamData.count, piece.count <= Limits.teamDataPiece,
      teamData.count + piece.count <= Limits.teamDataBytes
    else {
      return client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a piece of team data does not fit")
    }
    teamData += piece
    countBytes()
  }

  private func withdraw(serial: UInt32) {
    client.server.items[id] = nil
    teamData = []
    countBytes()
    client.server.delegate?.withdrew(client.id, id)
    if let resource { carry_item_send_withdrawn(resource, serial) }
  }

  static let requests = RequestTable(
    carry_item_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      withdraw: { _, resource, serial in WireObject.of(resource, as: ItemObject.self)?.withdraw(serial: serial) },
      set_name: { _, resource, name in
        guard let o = WireObject.of(resource, as: ItemObject.self) else { return }
        guard let name = text(name, limit: Limits.nameBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "an item's name is too long or not UTF-8")
        }
        // Forwarded unchanged: the destination's library checks the name, and can report why it refuses one.
        o.name = name
        o.countBytes()
      },
      add_type: { _, resource, type, visibility in
        guard let o = WireObject.of(resource, as: ItemObject.self) else { return }
        guard let type = text(type, limit: Limits.typeBytes), SafeText.isMediaType(type) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "not a media type")
        }
        guard let visibility = Visibility(rawValue: visibility) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown visibility")
        }
        guard !o.types.contains(where: { $0.name == type }) else { return }
        guard o.types.count < Limits.typesPerItem else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.typesPerItem) types")
        }
        o.types.append(OfferedType(name: type, visibility: visibility))
        o.countBytes()
      },
      set_presentation_size: { _, resource, width, height in
        guard let o = WireObject.of(resource, as: ItemObject.self) else { return }
        guard (1...65_535).contains(width), (1...65_535).contains(height) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a presentation size is out of range")
        }
        o.presentationSize = Size(width: Double(width), height: Double(height))
      },
      set_byte_count: { _, resource, type, high, low in
        guard let o = WireObject.of(resource, as: ItemObject.self) else { return }
        guard let type = text(type, limit: Limits.typeBytes), let i = o.types.firstIndex(where: { $0.name == type })
        else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a size of a type that the item does not have")
        }
        o.types[i].byteCount = Halves.whole(high, low)
      },
      set_team_data: { _, resource, offset, bytes in
        WireObject.of(resource, as: ItemObject.self)?.setTeamData(offset, bytes)
      },
      set_reference: { _, resource, reference in
        guard let o = WireObject.of(resource, as: ItemObject.self) else { return }
        guard let reference = text(reference, limit: Limits.referenceBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "a reference is too long or not UTF-8")
        }
        o.reference = reference
        o.countBytes()
      }))
}

/// A session on the connection of the client that started it.
final class DragSessionObject: WireObject {
  let session: SessionID
  var items: [ItemDescription] = []
  /// The previews of the current answer, for items that rise or end.
  private var looks: [ItemID: ItemPreview] = [:]
  private var endings: [(ItemID, ItemPreview)] = []

  init(_ client: WireClient, _ session: SessionID) {
    self.session = session
    super.init(client)
  }

  override func destroyed() {
    if client.server.dragSessions[session] === self { client.server.dragSessions[session] = nil }
  }

  static let requests = RequestTable(
    carry_drag_session_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      add_item: { _, resource, item in
        guard let o = WireObject.of(resource, as: DragSessionObject.self),
          let item = WireObject.of(item, as: ItemObject.self)
        else { return }
        guard o.items.count < Limits.itemsPerSession else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.itemsPerSession) items in one answer")
        }
        o.items.append(item.description)
      },
      answer: { _, resource, serial in
        guard let o = WireObject.of(resource, as: DragSessionObject.self) else { return }
        var items = o.items
        for i in items.indices { items[i].preview = o.looks[items[i].id] ?? .usual }
        o.items = []
        o.looks = [:]
        o.client.server.delegate?.answered(o.client.id, o.session, serial: serial, items: items)
      },
      configure: { _, resource, serial, options in
        guard let o = WireObject.of(resource, as: DragSessionObject.self) else { return }
        guard options & ~15 == 0 else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "unknown option")
        }
        var wishes = SourceOptions(
          allowsMove: options & CARRY_DRAG_SESSION_OPTION_ALLOW_MOVE.rawValue != 0,
          isRestricted: options & CARRY_DRAG_SESSION_OPTION_RESTRICTED.rawValue != 0,
          prefersFullSize: options & CARRY_DRAG_SESSION_OPTION_FULL_SIZE.rawValue != 0)
        wishes.allowsMoveToOthers = options & CARRY_DRAG_SESSION_OPTION_ALLOW_MOVE_TO_OTHERS.rawValue != 0
        o.client.server.delegate?.configured(o.client.id, o.session, serial: serial, wishes)
      },
      moved: { _, resource, serial in
        guard let o = WireObject.of(resource, as: DragSessionObject.self) else { return }
        o.client.server.delegate?.motionTaken(o.client.id, o.session, serial: serial)
      },
      set_preview: { _, resource, item, preview in
        guard let o = WireObject.of(resource, as: DragSessionObject.self),
          let item = WireObject.of(item, as: ItemObject.self)
        else { return }
        let look = ItemPreview(preview)
        if o.items.contains(where: { $0.id == item.id }) {
          o.looks[item.id] = look
          return
        }
        switch look {
        case .own(let id): o.client.server.delegate?.changedPreview(o.client.id, o.session, item: item.id, id)
        case .hidden: o.client.server.delegate?.changedPreview(o.client.id, o.session, item: item.id, nil)
        case .usual: break
        }
      },
      offer_preview: { _, resource, item in
        guard let o = WireObject.of(resource, as: DragSessionObject.self),
          let item = WireObject.of(item, as: ItemObject.self)
        else { return }
        o.client.server.delegate?.offeredPreview(o.client.id, o.session, of: item.id)
      },
      set_ending: { _, resource, item, preview in
        guard let o = WireObject.of(resource, as: DragSessionObject.self),
          let item = WireObject.of(item, as: ItemObject.self)
        else { return }
        guard o.endings.count < Limits.itemsPerSession else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.itemsPerSession) endings")
        }
        o.endings.append((item.id, ItemPreview(preview)))
      },
      ending: { _, resource, serial in
        guard let o = WireObject.of(resource, as: DragSessionObject.self) else { return }
        let endings = o.endings
        o.endings = []
        o.client.server.delegate?.answeredWillCancel(o.client.id, o.session, serial: serial, endings: endings)
      },
      offer_undo: { _, resource, title in
        guard let o = WireObject.of(resource, as: DragSessionObject.self) else { return }
        guard let title = text(title, limit: Limits.nameBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "an undo's title is too long or not UTF-8")
        }
        o.client.server.delegate?.offeredUndo(
          o.client.id, o.session, title: SafeText.displayable(title, limit: Limits.nameBytes))
      }))
}

/// The owner's side of one load. The owner's descriptor is checked here and immediately forwarded to the destination.
final class ProvisionObject: WireObject {
  let transfer: TransferID
  private let form: LoadForm
  private(set) var isAnswered = false

  init(_ client: WireClient, _ transfer: TransferID, _ form: LoadForm) {
    self.transfer = transfer
    self.form = form
    super.init(client)
  }

  override func destroyed() {
    client.server.provisions[transfer] = nil
    if !isAnswered, !client.isGone { client.server.delegate?.failed(client.id, transfer, unusable: false) }
  }

  /// Handles the source's answer. Only the first answer counts.
  private func answer(isSafe: Bool, _ forward: (LoadObject) -> Void) {
    guard !isAnswered else { return }
    isAnswered = true
    let server = client.server
    guard isSafe else {
      server.delegate?.failed(client.id, transfer, unusable: true)
      return
    }
    guard let destination = server.delegate?.provided(client.id, transfer), let load = server.loads[transfer],
      load.client.id == destination
    else {
      if let resource { carry_provision_send_cancelled(resource) }
      return
    }
    load.isProvided = true
    forward(load)
  }

  /// - Parameter forms: The forms of loads to which this replies; nil for all.
  private static func handle(
    _ resource: OpaquePointer?, _ fd: CInt, _ kind: PassedDescriptor.Kind, onlyFor forms: [LoadForm]? = nil,
    _ send: (OpaquePointer, CInt) -> Void
  ) {
    let fd = Descriptor(owning: fd)
    guard let o = WireObject.of(resource, as: ProvisionObject.self) else { return }
    o.client.tookDescriptors(1)
    let raw = fd.raw
    let isWanted = forms?.contains(o.form) ?? true
    o.answer(isSafe: isWanted && PassedDescriptor.isSafe(raw, kind)) { load in
      guard let r = load.resource else { return }
      // Until the forwarded copies are closed, they also count as the source's.
      cwayland_send_on(load.client.server.sockets, raw)
      send(r, raw)
      wl_client_flush(load.client.raw)
      cwayland_send_on(load.client.server.sockets, -1)
    }
  }

  static let requests = RequestTable(
    carry_provision_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      file: { _, resource, fd in
        ProvisionObject.handle(resource, fd, .file, onlyFor: [.data, .copy, .original]) {
          carry_load_send_file($0, $1)
        }
      },
      memory: { _, resource, fd in ProvisionObject.handle(resource, fd, .memory) { carry_load_send_memory($0, $1) } },
      stream: { _, resource, fd in ProvisionObject.handle(resource, fd, .stream) { carry_load_send_stream($0, $1) } },
      ring: { _, resource, memory, socket in
        let memory = Descriptor(owning: memory)
        let socket = Descriptor(owning: socket)
        guard let o = WireObject.of(resource, as: ProvisionObject.self) else { return }
        o.client.tookDescriptors(2)
        let (m, s) = (memory.raw, socket.raw)
        o.answer(isSafe: PassedDescriptor.isSafeRing(memory: m, socket: s, size: RingLayout.size)) { load in
          guard let r = load.resource else { return }
          cwayland_send_on(load.client.server.sockets, s)
          carry_load_send_ring(r, m, s)
          wl_client_flush(load.client.raw)
          cwayland_send_on(load.client.server.sockets, -1)
        }
      },
      fail: { _, resource, message in
        guard let o = WireObject.of(resource, as: ProvisionObject.self), !o.isAnswered else { return }
        guard let message = text(message, limit: 1024) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "a failure's message is too long")
        }
        o.isAnswered = true
        o.client.server.failureMessages[o.transfer] = SafeText.displayable(message)
        o.client.server.delegate?.failed(o.client.id, o.transfer, unusable: false)
        o.client.server.failureMessages[o.transfer] = nil
      },
      progress: { _, resource, high, low, totalHigh, totalLow in
        guard let o = WireObject.of(resource, as: ProvisionObject.self) else { return }
        o.client.server.delegate?.ownerProgressed(
          o.client.id, o.transfer, TransferProgress(high, low, of: totalHigh, totalLow))
      },
      folder: { _, resource, fd in
        ProvisionObject.handle(resource, fd, .folder, onlyFor: [.copy, .original]) { carry_load_send_folder($0, $1) }
      },
      original: { _, resource, fd, path in
        guard let path = text(path, limit: Limits.pathBytes), path.hasPrefix("/") else {
          close(fd)
          return WireObject.of(resource, as: ProvisionObject.self)?.client.offend(
            resource, CARRY_MANAGER_ERROR_BAD_TEXT, "a path is too long, not absolute or not UTF-8") ?? ()
        }
        ProvisionObject.handle(resource, fd, .file, onlyFor: [.original]) { carry_load_send_original($0, $1, path) }
      }))
}
