/// Problems that do not make the input useless.
package enum ProblemKind: UInt8, CaseIterable, Sendable {
  // Found while reading a file; the position is a line number.
  case brokenEventLine
  case brokenDescriptionLine
  case cutOff
  case unknownLine
  // Found while rebasing a recording or tracking contacts; the position counts events from 1.
  case timeWentBackwards
  case timeJumped
  case slotOutOfRange
  case contactWithoutPosition
  case eventsDropped
  case frameWithoutEnd
  case endsWhileDown
  case slotWithoutContact
  case afterLastReport

  /// The text shown to a person after "x.events:12: " or "event 12: ".
  package var sentence: String {
    switch self {
    case .brokenEventLine: "not a complete event line; left out"
    case .brokenDescriptionLine: "not a complete description line; left out"
    case .cutOff: "the file ends in the middle of a line; earlier events are used"
    case .unknownLine: "does not start with a letter that evemu knows; left out"
    case .timeWentBackwards: "the time goes backwards; counts as no time"
    case .timeJumped: "the time jumps by more than an hour; the gap is left out"
    case .slotOutOfRange: "the slot is outside the device's range; its values are ignored"
    case .contactWithoutPosition: "a contact ended before it had a position; ignored"
    case .eventsDropped: "the kernel dropped events here"
    case .endsWhileDown: "the recording ends while a contact is down; it ends there"
    case .frameWithoutEnd: "a frame with more than 10000 events"
    case .slotWithoutContact:
      "a position for a slot without a contact, while another slot has one; an ABS_MT_SLOT event (2f) may be missing"
    case .afterLastReport: "no SYN_REPORT (0000 0000) follows, so that the last events take no effect"
    }
  }

  /// Whether the input does not mean what it was written for, so that a tool that reads it fails.
  package var isMistake: Bool { self == .slotWithoutContact || self == .afterLastReport }

  /// Whether the position is a line of the file, not the ordinal of an event.
  package var isAboutLines: Bool { rawValue <= ProblemKind.unknownLine.rawValue }
}

/// Each kind of problem once, with its count and its first position, so that the list is bounded whatever the input
/// is.
package struct ProblemList: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package var kind: ProblemKind
    package var count: Int
    /// A line number or an event's ordinal, from 1, depending on the kind.
    package var first: Int
  }

  /// In the order of appearance.
  package private(set) var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func record(_ kind: ProblemKind, at position: Int) {
    if let i = entries.firstIndex(where: { $0.kind == kind }) {
      entries[i].count &+= 1
    } else {
      entries.append(Entry(kind: kind, count: 1, first: position))
    }
  }

  package mutating func merge(_ other: ProblemList) {
    for entry in other.entries {
      if let i = entries.firstIndex(where: { $0.kind == entry.kind }) {
        entries[i].count &+= entry.count
      } else {
        entries.append(entry)
      }
    }
  }

  package var hasMistake: Bool { entries.contains { $0.kind.isMistake } }

  package func count(of kind: ProblemKind) -> Int { entries.first { $0.kind == kind }?.count ?? 0 }

  /// One line for each kind: `x.events:12: … (3 times)`.
  package func lines(file: String) -> [String] {
    entries.map { entry in
      let place = entry.kind.isAboutLines ? "\(file):\(entry.first)" : "\(file): event \(entry.first)"
      return "\(place): \(entry.kind.sentence)" + (entry.count > 1 ? " (\(entry.count) times)" : "")
    }
  }
}
