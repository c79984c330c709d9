import CarryModel

/// Where the shelf is, or why there is none.
extension Checkup {
  func shelf(_ status: EngineStatus) -> Finding {
    switch status.shelf {
    case .at(let edge, .running): Finding("shelf", .ok, "at the \(edge.name) edge; its process runs")
    case .at(let edge, .waiting):
      Finding("shelf", .ok, "at the \(edge.name) edge; its process starts with the next drag")
    case .at(_, .failed):
      Finding(
        "shelf", .warning, "its process cannot be started: drags have no shelf",
        advice: "the engine's log says why (journalctl --user -u carry); the next drag tries again")
    case .off(.settings): Finding("shelf", .ok, "off, by [shelf] edge = none in carry.conf")
    case .off(.option): Finding("shelf", .ok, "off: the engine was started with --shelf none")
    case .off(.recording): Finding("shelf", .ok, "off: the engine plays a recording, and was started without --shelf")
    case .unknown:
      Finding(
        "shelf", .warning, "the engine does not say whether there is a shelf",
        advice: "is it an older carryd? start it again")
    }
  }
}
