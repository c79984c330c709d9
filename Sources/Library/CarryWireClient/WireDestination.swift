import CLinux
package import CarrySystem
package import CarryModel
import CWayland
import CWaylandClient

/// The engine's messages about a session to the region under it. Points are in `location`.
package enum WireDropEvent: WireEvent {
  /// To be answered with `handle`.
  case canHandle(serial: UInt32)
  case entered
  /// To be answered with `propose`.
  case update(serial: UInt32)
  case exited
  /// To be answered with `performed`.
  case perform(serial: UInt32, DropOperation)
  case motion(item: Int, WireMotion)
  case conclude
  case didEnd(DropOperation)
  case lost
}

/// A session over one of this application's regions.
package final class WireDropSession: WireEventSource<WireDropEvent> {
  /// An item as the engine described it.
  package struct Item: Sendable {
    package var name: String
    /// The same number for all items of one process in the session.
    package var owner: UInt32
    /// In pixels.
    package var size: Size?
    package var types: [OfferedType]
    /// Nil for none, and until it is complete.
    package var teamData: [UInt8]? { teamPieces.count == teamTotal ? teamPieces : nil }
    fileprivate var teamPieces: [UInt8] = []
    fileprivate var teamTotal = -1
    /// The size of the dropped picture in unscaled pixels; nil before the drop, and for an item that is not shown.
    package var carriedSize: Size?
  }

  package private(set) var isLocal = false
  package private(set) var allowsMove = false
  package private(set) var isRestricted = false
  package private(set) var items: [Item] = []
  /// In the window's coordinates.
  package private(set) var location = Point.zero
  /// The scrolling speed, from -1 to 1 in each direction.
  package private(set) var edgeSpeed = Point.zero

  override package func unhandled(_ event: WireDropEvent) {
    if case .canHandle(let serial) = event { handle(serial: serial, yes: false) }
  }

  override func listen(_ proxy: OpaquePointer) { carry_drop_session_add_listener(proxy, Self.listener.pointer, data) }

  package func handle(serial: UInt32, yes: Bool) {
    request(MessageSize.of(words: 2)) { carry_drop_session_handle($0, serial, yes ? 1 : 0) }
  }

  package func propose(serial: UInt32, _ proposal: Proposal) {
    var wishes: UInt32 = 0
    if proposal.isPrecise { wishes |= CARRY_DROP_SESSION_WISH_PRECISE.rawValue }
    if proposal.prefersFullSize { wishes |= CARRY_DROP_SESSION_WISH_FULL_SIZE.rawValue }
    // The reason belongs to the proposal: both wait, and are discarded, together.
    let size = MessageSize.of(words: 3) + (proposal.reason.map { MessageSize.of(words: 0, $0) } ?? 0)
    request(size, newest: .proposal) {
      if let reason = proposal.reason { carry_drop_session_set_reason($0, reason) }
      carry_drop_session_propose($0, serial, proposal.operation.rawValue, wishes)
    }
  }

  /// Between `perform` and `performed` only.
  package func setLanding(item: Int, _ preview: WirePreview?) {
    request(MessageSize.of(words: 2)) {
      carry_drop_session_set_landing($0, UInt32(clamping: item), preview?.proxy)
    }
  }

  /// Between `perform` and `performed` only.
  package func setProgressIndicator(isShown: Bool) {
    let style = isShown ? CARRY_DROP_SESSION_PROGRESS_INDICATOR_DEFAULT : CARRY_DROP_SESSION_PROGRESS_INDICATOR_NONE
    request(MessageSize.of(words: 1)) { carry_drop_session_set_progress_indicator($0, style.rawValue) }
  }

  package func performed(serial: UInt32) {
    request(MessageSize.of(words: 1)) { carry_drop_session_performed($0, serial) }
  }

  /// In place of `performed`, which follows later.
  package func keepOpen(serial: UInt32) {
    request(MessageSize.of(words: 1)) { carry_drop_session_keep_open($0, serial) }
  }

  /// Before `performed`.
  package func copyInstead(serial: UInt32) {
    request(MessageSize.of(words: 1)) { carry_drop_session_copy_instead($0, serial) }
  }

  /// Requests a representation; nil if the index cannot be an item's.
  package func load(item: Int, type: String, as form: LoadForm = .data) -> WireLoad? {
    guard let index = UInt32(exactly: item) else { return nil }
    return WireLoad(objects, MessageSize.of(words: 3, type)) {
      self.proxy.flatMap { carry_drop_session_load($0, index, type, form.rawValue) }
    }
  }

  private func ended(_ operation: UInt32) {
    edgeSpeed = .zero
    deliver(.didEnd(DropOperation(rawValue: operation) ?? .cancel))
    end { carry_drop_session_destroy($0) }
  }

  private static let listener = ListenerTable(
    carry_drop_session_listener(
      source: { data, _, flags in
        guard let o = target(data, WireDropSession.self) else { return }
        o.isLocal = flags & CARRY_DROP_SESSION_FLAG_LOCAL.rawValue != 0
        o.allowsMove = flags & CARRY_DROP_SESSION_FLAG_ALLOWS_MOVE.rawValue != 0
        o.isRestricted = flags & CARRY_DROP_SESSION_FLAG_RESTRICTED.rawValue != 0
      },
      item: { data, _, index, name, owner in
        guard let o = target(data, WireDropSession.self), Int(index) == o.items.count else { return }
        o.items.append(Item(name: string(name), owner: owner, types: []))
      },
      type: { data, _, index, type, ancestors in
        guard let o = target(data, WireDropSession.self), Int(index) < o.items.count else { return }
        o.items[Int(index)].types.append(
          OfferedType(name: string(type), ancestors: string(ancestors).split(separator: "\n").map(String.init)))
      },
      can_handle: { data, _, serial, x, y in
        guard let o = target(data, WireDropSession.self) else { return }
        o.location = point(x, y)
        o.deliver(.canHandle(serial: serial))
      },
      enter: { data, _, x, y in
        guard let o = target(data, WireDropSession.self) else { return }
        o.location = point(x, y)
        o.deliver(.entered)
      },
      edge: { data, _, x, y in target(data, WireDropSession.self)?.edgeSpeed = point(x, y) },
      update: { data, _, serial, x, y in
        guard let o = target(data, WireDropSession.self) else { return }
        o.location = point(x, y)
        o.deliver(.update(serial: serial))
      },
      exit: { data, _ in
        guard let o = target(data, WireDropSession.self) else { return }
        o.edgeSpeed = .zero
        o.deliver(.exited)
      },
      carried_size: { data, _, index, width, height in
        guard let o = target(data, WireDropSession.self), Int(index) < o.items.count else { return }
        o.items[Int(index)].carriedSize = size(width, height)
      },
      perform: { data, _, serial, x, y, operation in
        guard let o = target(data, WireDropSession.self) else { return }
        o.location = point(x, y)
        o.edgeSpeed = .zero
        o.deliver(.perform(serial: serial, DropOperation(rawValue: operation) ?? .copy))
      },
      conclude: { data, _ in target(data, WireDropSession.self)?.deliver(.conclude) },
      did_end: { data, _, operation in target(data, WireDropSession.self)?.ended(operation) },
      motion: { data, _, item, seconds, microseconds, duration in
        target(data, WireDropSession.self)?.deliver(
          .motion(
            item: Int(item), WireMotion(seconds: seconds, microseconds: microseconds, duration: duration)))
      },
      presentation_size: { data, _, index, width, height in
        guard let o = target(data, WireDropSession.self), Int(index) < o.items.count else { return }
        o.items[Int(index)].size = Size(width: Double(width), height: Double(height))
      },
      byte_count: { data, _, index, high, low in
        guard let o = target(data, WireDropSession.self), Int(index) < o.items.count,
          let last = o.items[Int(index)].types.indices.last
        else { return }
        o.items[Int(index)].types[last].byteCount = Halves.whole(high, low)
      },
      team_data: { data, _, index, total, bytes in
        guard let o = target(data, WireDropSession.self), Int(index) < o.items.count, let bytes,
          o.items[Int(index)].teamPieces.count + bytes.pointee.size <= min(Int(total), Limits.teamDataBytes)
        else { return }
        o.items[Int(index)].teamTotal = Int(total)
        o.items[Int(index)].teamPieces += UnsafeRawBufferPointer(
          start: bytes.pointee.data, count: bytes.pointee.size)
      }))
}

/// The progress of a load, for its destination.
package enum WireLoadEvent: WireEvent {
  case delivery(Payload)
  /// The source is at work; the progress is in units of its own.
  case sourceProgress(TransferProgress)
  case lost
}

/// One load of one representation.
package final class WireLoad: WireEventSource<WireLoadEvent> {
  /// For a load within this program: the source's end.
  private var provision: WireProvision?

  /// Creates a load within this program, without the engine.
  package static func local() -> (load: WireLoad, provision: WireProvision) {
    let (load, provision) = (WireLoad(), WireProvision())
    load.provision = provision
    provision.load = load
    return (load, provision)
  }

  /// Accepts the source's delivery, within this program.
  ///
  /// - Parameter delivery: Nil if there was no free descriptor for it.
  func receive(_ payload: Payload?) {
    let none = Payload.failed(code: LoadFailure.sourceFailed.rawValue, message: "this process may open no more files")
    deliver(.delivery(payload ?? none))
  }

  /// Closes a late delivery, which has no owner.
  override package func unhandled(_ event: WireLoadEvent) {
    if case .delivery(let delivery) = event { delivery.closeAside() }
  }

  override func listen(_ proxy: OpaquePointer) { carry_load_add_listener(proxy, Self.listener.pointer, data) }

  package func progress(_ progress: TransferProgress) {
    provision?.deliver(.destinationProgress(progress))
    let (completed, total) = (Halves(progress.completed), Halves(progress.total ?? 0))
    request(MessageSize.of(words: 4), newest: .progress) {
      carry_load_progress($0, completed.high, completed.low, total.high, total.low)
    }
  }

  /// Sends the final request; no callbacks follow.
  package func finish(success: Bool) {
    if let provision {
      self.provision = nil
      provision.load = nil
      provision.deliver(success ? .delivered : .cancelled)
      provision.finish()
    }
    // A delivery of the source may still arrive here: libwayland would close it at once, and block on its file
    // system.
    endOnceAnswered(MessageSize.of(words: 1)) { carry_load_finished($0, success ? 1 : 0) }
  }

  private static let listener = ListenerTable(
    carry_load_listener(
      file: { data, _, fd in target(data, WireLoad.self)?.deliver(.delivery(.file(fd))) },
      memory: { data, _, fd in target(data, WireLoad.self)?.deliver(.delivery(.memory(fd))) },
      stream: { data, _, fd in target(data, WireLoad.self)?.deliver(.delivery(.stream(fd))) },
      ring: { data, _, memory, socket in
        target(data, WireLoad.self)?.deliver(.delivery(.ring(memory: memory, socket: socket)))
      },
      failed: { data, _, code, message in
        guard let o = target(data, WireLoad.self) else { return }
        o.deliver(.delivery(.failed(code: code, message: string(message))))
        o.finish(success: false)
      },
      source_progress: { data, _, high, low, totalHigh, totalLow in
        target(data, WireLoad.self)?.deliver(.sourceProgress(TransferProgress(high, low, of: totalHigh, totalLow)))
      },
      folder: { data, _, fd in target(data, WireLoad.self)?.deliver(.delivery(.folder(fd))) },
      original: { data, _, fd, path in
        target(data, WireLoad.self)?.deliver(.delivery(.original(fd, path: string(path))))
      },
      ended: { data, _ in target(data, WireLoad.self)?.answered { carry_load_destroy($0) } }))
}
