package import CarryModel

/// What the engine waits for, for tools that look into it.
extension SessionEngine {
  /// The questions that clients have not answered yet.
  package var openQuestions: [OpenQuestion] {
    var open: [OpenQuestion] = []
    for press in presses {
      guard let serial = press.serial, let region = regions[press.region] else { continue }
      open.append(OpenQuestion(.mayBegin, serial: serial, to: region.client, region: region.id))
    }
    for choice in choices {
      open.append(OpenQuestion(.chooseSession, serial: choice.serial, to: choice.client, region: choice.region))
    }
    for session in sessions { addQuestions(of: session, to: &open) }
    return open
  }

  private func addQuestions(of session: Session, to open: inout [OpenQuestion]) {
    func ask(_ kind: OpenQuestion.Kind, _ serial: UInt32, of client: ClientID? = nil, _ region: RegionID? = nil) {
      open.append(
        OpenQuestion(kind, serial: serial, to: client ?? session.client, of: session.id, region: region))
    }
    for addition in session.additions { ask(.items, addition.serial, addition.region) }
    if case .asked(let serial) = session.sourceOptions { ask(.options, serial) }
    switch session.phase {
    case .asking(let asking): ask(.items, asking.serial, session.region)
    case .joining(let joining) where session.items.isEmpty: ask(.items, joining.serial, session.region)
    case .dragging(let drag), .releasing(let drag, _):
      for visit in drag.visits.asked { ask(.canHandle, visit.serial, of: visit.client, visit.region) }
      if let target = drag.visits.target, let serial = target.openUpdate {
        ask(.proposal, serial, of: target.client, target.region)
      }
    case .cancelling(let cancelling):
      if let question = cancelling.question { ask(.endings, question.serial) }
    case .dropping(let drop) where drop.mayLoad: ask(.perform, drop.serial, of: drop.client, drop.region)
    default: break
    }
  }

  /// The first loads that are under way. A drop may start thousands.
  package func openTransfers(max: Int) -> [OpenTransfer] {
    transfers.prefix(max).map {
      OpenTransfer(
        $0.id, of: $0.session,
        TransferProgress(completed: $0.ofDestination.newest?.completed ?? 0, total: $0.totalBytes))
    }
  }

  /// Adds what the sessions know of a contact: which one it carries, and when the region under it springs open.
  package func complete(_ contact: ContactDetail) -> ContactDetail {
    guard let session = sessions.find(carriedBy: contact.contact) else { return contact }
    var contact = contact
    contact.session = session.id
    if case .dragging(let drag) = session.phase, let due = drag.spring.deadline(settings.spring) {
      contact.gesture = .springLoading
      contact.due = due
    }
    return contact
  }
}
