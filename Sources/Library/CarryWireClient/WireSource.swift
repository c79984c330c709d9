package import CarryModel
import CarrySystem
import CLinux
import CWayland
import CWaylandClient

/// The engine's messages about an item.
package enum WireItemEvent: WireEvent {
  /// To be answered with the promised data.
  case load(WireProvision, type: String, LoadForm, SessionID)
  case lost
}

/// An item that this application promises.
package final class WireItemProxy: WireEventSource<WireItemEvent> {
  override package func unhandled(_ event: WireItemEvent) {
    if case .load(let provision, _, _, _) = event { provision.fail("the item is no longer offered") }
  }

  override func listen(_ proxy: OpaquePointer) { carry_item_add_listener(proxy, Self.listener.pointer, data) }

  package func setName(_ name: String) {
    request(MessageSize.of(words: 0, name)) { carry_item_set_name($0, name) }
  }

  package func setPresentationSize(width: UInt32, height: UInt32) {
    request(MessageSize.of(words: 2)) { carry_item_set_presentation_size($0, width, height) }
  }

  package func addType(_ type: String, _ visibility: Visibility) {
    request(MessageSize.of(words: 1, type)) { carry_item_add_type($0, type, visibility.rawValue) }
  }

  /// - Parameter bytes: at most `Limits.teamDataBytes`.
  package func setTeamData(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let piece = Array(bytes[offset..<min(bytes.count, offset + Limits.teamDataPiece)])
      let at = UInt32(clamping: offset)
      offset += piece.count
      request(MessageSize.of(words: 2) + (piece.count + 3) & ~3) { proxy in
        var piece = piece
        let size = piece.count
        piece.withUnsafeMutableBytes { bytes in
          var array = wl_array(size: size, alloc: size, data: bytes.baseAddress)
          carry_item_set_team_data(proxy, at, &array)
        }
      }
    }
  }

  package func setByteCount(_ count: UInt64, of type: String) {
    let count = Halves(count)
    request(MessageSize.of(words: 2, type)) { carry_item_set_byte_count($0, type, count.high, count.low) }
  }

  /// - Parameter reference: at most `Limits.referenceBytes`.
  package func setReference(_ reference: String) {
    request(MessageSize.of(words: 0, reference)) { carry_item_set_reference($0, reference) }
  }

  /// Ends the promise.
  package func withdraw() {
    forget()
    request(MessageSize.of(words: 1)) { carry_item_withdraw($0, 0) }
  }

  private static let listener = ListenerTable(
    carry_item_listener(
      withdrawn: { data, _, _ in target(data, WireItemProxy.self)?.end { carry_item_destroy($0) } },
      load: { data, _, provision, type, form, session, drop in
        guard let provision, let o = target(data, WireItemProxy.self) else { return }
        let told = WireProvision(provision, o.objects)
        told.drop = SessionID(drop)
        o.deliver(.load(told, type: string(type), LoadForm(rawValue: form) ?? .data, SessionID(session)))
      }))
}

/// The engine's messages about a session to its source.
package enum WireDragEvent: WireEvent {
  case liftBegan
  case lifted
  case liftEnded(atEnd: Bool)
  /// The item begins to move; with nil, all items do.
  case motion(kind: UInt32, WireItemProxy?, WireMotion)
  /// To be answered with `setPreview`.
  case wantPreview(WireItemProxy)
  /// To be answered with `setEnding` for some items, then `ending`.
  case willCancel(serial: UInt32)
  /// To be answered with `configure`.
  case willBegin(serial: UInt32, Point)
  case moved(Point)
  case willEnd(DropOperation)
  case didEnd(DropOperation)
  /// Another application has the item now.
  case itemMoved(WireItemProxy)
  case didTransfer(delivered: Int)
  /// The user wants to undo the move.
  case undo
  /// The engine has discarded the session.
  case gone
  case lost
}

/// A session that started in this application.
package final class WireDragSession: WireEventSource<WireDragEvent> {
  /// The sizes of the items' pictures when the drag is cancelled, in unscaled pixels.
  private var carriedSizes: [(item: WireItemProxy, size: Size)] = []

  override func listen(_ proxy: OpaquePointer) { carry_drag_session_add_listener(proxy, Self.listener.pointer, data) }

  package func add(_ item: WireItemProxy) {
    request(MessageSize.of(words: 1)) { if let item = item.proxy { carry_drag_session_add_item($0, item) } }
  }

  package func setPreview(_ item: WireItemProxy, _ preview: WirePreview?) {
    request(MessageSize.of(words: 2)) {
      if let item = item.proxy { carry_drag_session_set_preview($0, item, preview?.proxy) }
    }
  }

  package func offerPreview(_ item: WireItemProxy) {
    request(MessageSize.of(words: 1)) { if let item = item.proxy { carry_drag_session_offer_preview($0, item) } }
  }

  package func setEnding(_ item: WireItemProxy, _ preview: WirePreview?) {
    request(MessageSize.of(words: 2)) {
      if let item = item.proxy { carry_drag_session_set_ending($0, item, preview?.proxy) }
    }
  }

  package func ending(serial: UInt32) { request(MessageSize.of(words: 1)) { carry_drag_session_ending($0, serial) } }

  package func answer(serial: UInt32) { request(MessageSize.of(words: 1)) { carry_drag_session_answer($0, serial) } }

  package func configure(serial: UInt32, _ wishes: SourceOptions) {
    var options: UInt32 = 0
    if wishes.allowsMove { options |= CARRY_DRAG_SESSION_OPTION_ALLOW_MOVE.rawValue }
    if wishes.allowsMoveToOthers { options |= CARRY_DRAG_SESSION_OPTION_ALLOW_MOVE_TO_OTHERS.rawValue }
    if wishes.isRestricted { options |= CARRY_DRAG_SESSION_OPTION_RESTRICTED.rawValue }
    if wishes.prefersFullSize { options |= CARRY_DRAG_SESSION_OPTION_FULL_SIZE.rawValue }
    request(MessageSize.of(words: 2)) { carry_drag_session_configure($0, serial, options) }
  }

  /// Offers to undo a move. A title that is too long is truncated.
  package func offerUndo(_ title: String) {
    let title = SafeText.displayable(title, limit: Limits.nameBytes)
    request(MessageSize.of(words: 0, title)) { carry_drag_session_offer_undo($0, title) }
  }

  /// The size of the picture of an item that may be set down, in unscaled pixels. Nil before `willCancel`, and for an
  /// item that is not shown.
  package func carriedSize(of item: WireItemProxy) -> Size? { carriedSizes.first { $0.item === item }?.size }

  private func gone() {
    deliver(.gone)
    end { carry_drag_session_destroy($0) }
  }

  override func forget() {
    super.forget()
    carriedSizes = []
  }

  private static let listener = ListenerTable(
    carry_drag_session_listener(
      lift_began: { data, _ in target(data, WireDragSession.self)?.deliver(.liftBegan) },
      lifted: { data, _ in target(data, WireDragSession.self)?.deliver(.lifted) },
      lift_ended: { data, _, position in
        target(data, WireDragSession.self)?.deliver(
          .liftEnded(atEnd: position == CARRY_DRAG_SESSION_POSITION_END.rawValue))
      },
      will_begin: { data, _, serial, x, y in
        target(data, WireDragSession.self)?.deliver(.willBegin(serial: serial, point(x, y)))
      },
      move: { data, _, serial, x, y in
        guard let o = target(data, WireDragSession.self) else { return }
        o.deliver(.moved(point(x, y)))
        o.request(MessageSize.of(words: 1), newest: .moved) { carry_drag_session_moved($0, serial) }
      },
      will_end: { data, _, operation in
        target(data, WireDragSession.self)?.deliver(.willEnd(DropOperation(rawValue: operation) ?? .cancel))
      },
      did_end: { data, _, operation in
        target(data, WireDragSession.self)?.deliver(.didEnd(DropOperation(rawValue: operation) ?? .cancel))
      },
      did_transfer: { data, _, delivered in
        target(data, WireDragSession.self)?.deliver(.didTransfer(delivered: Int(delivered)))
      },
      gone: { data, _ in target(data, WireDragSession.self)?.gone() },
      motion: { data, _, kind, item, seconds, microseconds, duration in
        target(data, WireDragSession.self)?.deliver(
          .motion(
            kind: kind, itemProxy(item),
            WireMotion(seconds: seconds, microseconds: microseconds, duration: duration)))
      },
      want_preview: { data, _, item in
        if let item = itemProxy(item) { target(data, WireDragSession.self)?.deliver(.wantPreview(item)) }
      },
      carried_size: { data, _, item, width, height in
        guard let o = target(data, WireDragSession.self), let item = itemProxy(item) else { return }
        o.carriedSizes.append((item, size(width, height)))
      },
      will_cancel: { data, _, serial in target(data, WireDragSession.self)?.deliver(.willCancel(serial: serial)) },
      item_moved: { data, _, item in
        if let item = itemProxy(item) { target(data, WireDragSession.self)?.deliver(.itemMoved(item)) }
      },
      undo: { data, _ in target(data, WireDragSession.self)?.deliver(.undo) }))
}

/// The item named by an event's argument; nil for none.
private func itemProxy(_ object: OpaquePointer?) -> WireItemProxy? {
  object.flatMap { wl_proxy_get_user_data($0) }.map {
    Unmanaged<WireItemProxy>.fromOpaque($0).takeUnretainedValue()
  }
}

/// The progress of a load, for its source.
package enum WireProvisionEvent: WireEvent {
  /// The load is no longer wanted.
  case cancelled
  case delivered
  /// The destination's progress, in bytes.
  case destinationProgress(TransferProgress)
  case lost
}

/// A load that a destination started. Answer once; the caller keeps ownership of the descriptors.
package final class WireProvision: WireEventSource<WireProvisionEvent> {
  /// For a load within this program: its other end.
  weak var load: WireLoad?
  /// The session in which the item was dropped; nil if unknown.
  package fileprivate(set) var drop: SessionID?
  /// Whether the load is within this program.
  package var isLocal: Bool { load != nil }

  override func listen(_ proxy: OpaquePointer) { carry_provision_add_listener(proxy, Self.listener.pointer, data) }

  package func file(_ fd: CInt) { hand([fd], .init(CARRY_PROVISION_FILE)) { .file($0[0]) } }
  package func memory(_ fd: CInt) { hand([fd], .init(CARRY_PROVISION_MEMORY)) { .memory($0[0]) } }
  package func stream(_ fd: CInt) { hand([fd], .init(CARRY_PROVISION_STREAM)) { .stream($0[0]) } }
  package func ring(memory: CInt, socket: CInt) {
    hand([memory, socket], .init(CARRY_PROVISION_RING)) { .ring(memory: $0[0], socket: $0[1]) }
  }
  package func folder(_ fd: CInt) { hand([fd], .init(CARRY_PROVISION_FOLDER)) { .folder($0[0]) } }
  /// - Parameter path: Absolute, at most `Limits.pathBytes`.
  package func original(_ fd: CInt, path: String) {
    var request = PassingRequest(CARRY_PROVISION_ORIGINAL)
    request.append(path)
    hand([fd], request) { .original($0[0], path: path) }
  }

  /// - Parameter delivery: Makes the delivery of a load within this program, from copies of the descriptors.
  private func hand(_ fds: [CInt], _ request: PassingRequest, _ delivery: ([CInt]) -> Payload) {
    if let load { return load.receive(Self.copies(of: fds).map(delivery)) }
    guard !self.request(request, with: fds) else { return }
    fail("too much of this source waits for the engine, or it has no more descriptors")
  }

  /// Nil if the process may open no more descriptors.
  private static func copies(of fds: [CInt]) -> [CInt]? {
    let copies = fds.map { clinux_dup_above($0, 3) }
    guard copies.contains(where: { $0 < 0 }) else { return copies }
    for fd in copies where fd >= 0 { close(fd) }
    return nil
  }

  private var lastProgress = TransferProgress(completed: 0, total: nil)

  /// Repeats the source's last progress, so that the engine keeps the load.
  package func signOfLife() { progress(lastProgress) }

  /// Reports that the source is at work on the load, so that the engine keeps it.
  package func progress(_ progress: TransferProgress) {
    lastProgress = progress
    load?.deliver(.sourceProgress(progress))
    let (completed, total) = (Halves(progress.completed), Halves(progress.total ?? 0))
    request(MessageSize.of(words: 4), newest: .progress) {
      carry_provision_progress($0, completed.high, completed.low, total.high, total.low)
    }
  }

  package func fail(_ message: String) {
    let text = SafeText.displayable(message)
    if let load {
      load.receive(.failed(code: LoadFailure.sourceFailed.rawValue, message: text))
    } else {
      request(MessageSize.of(words: 0, text)) { carry_provision_fail($0, text) }
    }
    finish()
  }

  /// The source has finished the load.
  package func finish() { end { carry_provision_destroy($0) } }

  private static let listener = ListenerTable(
    carry_provision_listener(
      cancelled: { data, _ in
        guard let o = target(data, WireProvision.self) else { return }
        o.deliver(.cancelled)
        o.finish()
      },
      delivered: { data, _ in
        guard let o = target(data, WireProvision.self) else { return }
        o.deliver(.delivered)
        o.finish()
      },
      destination_progress: { data, _, high, low, totalHigh, totalLow in
        target(data, WireProvision.self)?.deliver(
          .destinationProgress(TransferProgress(high, low, of: totalHigh, totalLow)))
      }))
}
