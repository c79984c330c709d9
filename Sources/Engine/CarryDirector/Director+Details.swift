import CarryGestures
import CarryModel
import CarrySessions

/// The contacts, open questions and transfers that tools which look into the engine know.
struct ReportedDetails {
  /// Whether a tool has come that knows nothing yet.
  var isNewToSomebody = true
  fileprivate var contacts: [ContactDetail] = []
  fileprivate var questions: [OpenQuestion] = []
  fileprivate var transfers: [OpenTransfer] = []
}

/// Tells such tools once a turn what has changed. Nothing is computed while there are none.
extension Director {
  private static let maxTransfers = 64

  func reportDetails(at now: Instant) {
    guard let old = reported else { return }
    var new = ReportedDetails()
    new.isNewToSomebody = false
    let tellsAll = old.isNewToSomebody
    new.contacts = gestures.details.map { engine.complete($0) }
    new.questions = engine.openQuestions
    new.transfers = engine.openTransfers(max: Self.maxTransfers)
    for contact in old.contacts where !new.contacts.contains(where: { $0.contact == contact.contact }) {
      clients.detail(.contact(ContactDetail(contact.contact, .up, at: contact.point)), at: now)
    }
    for contact in new.contacts where tellsAll || !old.contacts.contains(contact) {
      clients.detail(.contact(contact), at: now)
    }
    for question in old.questions where !new.questions.contains(where: { $0.serial == question.serial }) {
      clients.detail(.questionOver(serial: question.serial), at: now)
    }
    for question in new.questions where tellsAll || !old.questions.contains(question) {
      clients.detail(.question(question), at: now)
    }
    for transfer in old.transfers where !new.transfers.contains(where: { $0.id == transfer.id }) {
      clients.detail(.transferOver(transfer.id), at: now)
    }
    for transfer in new.transfers where tellsAll || !old.transfers.contains(transfer) {
      clients.detail(.transfer(transfer), at: now)
    }
    reported = new
  }
}
