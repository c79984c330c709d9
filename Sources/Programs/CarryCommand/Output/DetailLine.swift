import Carry
import CarryModel

/// A detail between the steps of drags, as `carry monitor --details` prints it.
enum DetailLine {
  static func print(_ detail: ListedDetail, time: Double, asJSON json: Bool, _ printer: Printer) {
    var line: EventLine
    switch detail {
    case .contact(let contact, let gesture, let point, let due, let session):
      line = EventLine("contact", time: time)
      line.add("contact", Int(contact))
      line.add("gesture", SafeText.displayable(gesture))
      if let session { line.add(session: session.raw) }
      line.add(Carry.Point(x: point.x, y: point.y))
      if let due { line.add("due", Int(due.microseconds / 1000), unit: "ms left") }
    case .question(let serial, let kind, let session, let client, let label):
      line = EventLine("asked", time: time)
      line.add("question", Int(serial))
      line.add("kind", SafeText.displayable(kind))
      if let session { line.add(session: session.raw) }
      line.add("program", SafeText.displayable(client), label: "of")
      if let label { line.add("label", quoted: SafeText.displayable(label)) }
    case .questionOver(let serial):
      line = EventLine("question-over", time: time)
      line.add("question", Int(serial))
    case .transfer(let transfer, let session, let progress):
      line = EventLine("loading", time: time)
      line.add("load", Int(transfer))
      line.add(session: session.raw)
      line.add("bytes", Int(clamping: progress.completed), unit: "bytes")
      if let total = progress.total { line.add("total", Int(clamping: total), unit: "in all") }
    case .transferOver(let transfer):
      line = EventLine("load-over", time: time)
      line.add("load", Int(transfer))
    }
    line.print(asJSON: json, printer)
  }
}
