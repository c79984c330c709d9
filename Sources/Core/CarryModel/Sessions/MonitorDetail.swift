/// What tools that look into the engine are told beside the steps of sessions: a contact, question or transfer that is
/// new or has changed, or that is over.
package enum MonitorDetail: Equatable, Sendable {
  case contact(ContactDetail)
  case question(OpenQuestion)
  case questionOver(serial: UInt32)
  case transfer(OpenTransfer)
  case transferOver(TransferID)

  /// Whether a slow reader can do without it, because a newer detail of the same contact or transfer follows.
  package var isSkippable: Bool {
    switch self {
    case .contact(let contact): contact.gesture != .up
    case .transfer: true
    case .question, .questionOver, .transferOver: false
    }
  }
}

/// A contact, and the gesture that it is in.
package struct ContactDetail: Equatable, Sendable {
  /// The words are part of the wire protocol.
  package enum Gesture: String, Sendable {
    case pressing, lifting, lifted, dragging, joined, vanished, ignored
    /// Dragging over a region that is about to spring open.
    case springLoading = "spring-loading"
    case up
  }

  package var contact: ContactID
  package var gesture: Gesture
  /// Screen pixels.
  package var point: Point
  /// When the gesture becomes the next one, unless the contact moves or goes up; nil for never.
  package var due: Instant?
  /// The session that it carries.
  package var session: SessionID?

  package init(_ contact: ContactID, _ gesture: Gesture, at point: Point, due: Instant? = nil) {
    self.contact = contact
    self.gesture = gesture
    self.point = point
    self.due = due
  }
}

/// A question that a client has not answered yet.
package struct OpenQuestion: Equatable, Sendable {
  /// The words are part of the wire protocol.
  package enum Kind: String, CaseIterable, Sendable {
    case mayBegin = "may-begin"
    case chooseSession = "choose-session"
    case items
    case options
    case canHandle = "can-handle"
    case proposal
    case endings
    case perform
  }

  package var serial: UInt32
  package var kind: Kind
  package var client: ClientID
  /// Nil before there is a session.
  package var session: SessionID?
  package var region: RegionID?

  package init(
    _ kind: Kind, serial: UInt32, to client: ClientID, of session: SessionID? = nil, region: RegionID? = nil
  ) {
    self.serial = serial
    self.kind = kind
    self.client = client
    self.session = session
    self.region = region
  }
}

/// A load that is under way.
package struct OpenTransfer: Equatable, Sendable {
  package var id: TransferID
  /// The session in which the item was dropped.
  package var session: SessionID
  /// In bytes.
  package var progress: TransferProgress

  package init(_ id: TransferID, of session: SessionID, _ progress: TransferProgress) {
    self.id = id
    self.session = session
    self.progress = progress
  }
}

/// A detail as a client is told of it.
package enum ListedDetail: Equatable, Sendable {
  /// - Parameter due: until the gesture becomes the next one; nil for never.
  case contact(UInt32, gesture: String, Point, due: Interval?, session: SessionID?)
  case question(serial: UInt32, kind: String, session: SessionID?, client: String, label: String?)
  case questionOver(serial: UInt32)
  case transfer(UInt32, session: SessionID, TransferProgress)
  case transferOver(UInt32)
}
