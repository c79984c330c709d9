import CarryModel

/// Where a session's items come from, with the data that only a session of that origin needs. The shelf is a client
/// like others: what it lends is known of each item (`ItemDescription.lent`).
extension Session {
  enum Origin {
    /// The client's own region: a finger lifts the client's items.
    case client
    /// The region of the bridge in a foreign application's window: the bridge lifts that application's items (Z23).
    /// Guests may lend to the stack, under numbers of this session.
    case lifted(borrowed: [ItemID: SourceItem] = [:])
    /// A foreign application that drags by itself (Z1).
    case foreign(Foreign)
    /// The client's own region: a tap adds the client's items to the stack of another session, the host (Z23).
    case guest(of: SessionID)
  }

  /// A drag of a foreign application, which shows the items itself, in a window under the mouse. The bridge moves the
  /// finger.
  struct Foreign {
    /// The window that the application says it drags over.
    let over: WindowID
    /// Whether the shelf may keep its items.
    let mayBeKept: Bool
    /// The operation that the bridge was last told a drop would perform.
    var toldProposal = DropOperation.cancel
  }

  /// An item as its source knows it.
  struct SourceItem {
    let session: SessionID
    let item: ItemID
  }

  /// The foreign drag, to read and to change.
  var foreign: Foreign? {
    get { if case .foreign(let foreign) = origin { foreign } else { nil } }
    set { if case .foreign = origin, let newValue { origin = .foreign(newValue) } }
  }

  var isForeign: Bool { foreign != nil }
  var isLifted: Bool { if case .lifted = origin { true } else { false } }

  /// The items of guests, by their numbers in this session.
  var borrowed: [ItemID: SourceItem] {
    get { if case .lifted(let borrowed) = origin { borrowed } else { [:] } }
    set { if isLifted { origin = .lifted(borrowed: newValue) } }
  }

  /// The session and the number by which an item's source knows it.
  func source(of item: ItemID) -> SourceItem { borrowed[item] ?? SourceItem(session: id, item: item) }

  /// The session whose stack holds the items; nil for a session with a stack of its own.
  var host: SessionID? { if case .guest(let host) = origin { host } else { nil } }

  /// Whether the shelf may keep its items.
  var mayBeKept: Bool { foreign?.mayBeKept ?? true }
}
