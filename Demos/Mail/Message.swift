import Carry
import DemoKit

/// A message that has come.
struct Message: Equatable, Sendable {
  let sender: String
  let subject: String
  let text: String
  let date: String
  /// Of the sender's disc.
  let hue: UInt32

  var initials: String { String(sender.split(separator: " ").prefix(2).compactMap(\.first)) }

  /// As another mail program takes it, and as text.
  func provider() -> ItemProvider {
    let provider = ItemProvider()
    let letter =
      "From: \(sender)\r\nSubject: \(subject)\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") + "\r\n"
    let plain = "\(subject) — \(sender)\n\(text)"
    for (type, body) in [("message/rfc822", letter), ("text/plain;charset=utf-8", plain), ("text/plain", plain)] {
      provider.registerDataRepresentation(forType: type) { $0(.success(Array(body.utf8))) }
    }
    provider.suggestedName = subject + ".eml"
    return provider
  }

  /// The list's rows: most hold one message, one a thread of three.
  static let rows: [[Message]] = [
    [
      Message(
        sender: "Ada Lindqvist", subject: "Tickets for Saturday",
        text: "I have four seats in the third row. Tell me by Thursday who comes along.", date: "10:42", hue: 0xC8553D)
    ],
    [
      Message(
        sender: "Jonas Weber", subject: "Boat trip", text: "The lake should be warm enough by now. Sunday?",
        date: "Mon", hue: 0x3D7EA6),
      Message(
        sender: "Mira Okafor", subject: "Re: Boat trip", text: "Sunday is good. I bring the bread and the big basket.",
        date: "Tue", hue: 0x6A8D4E),
      Message(
        sender: "Ada Lindqvist", subject: "Re: Boat trip", text: "Count me in! Jetty at ten, as last year.",
        date: "09:15", hue: 0xC8553D),
    ],
    [
      Message(
        sender: "City Library", subject: "Two books are due",
        text: "“The Waves” and “A Field Guide to Clouds” are due on the 28th.", date: "08:30", hue: 0x7A6BA8)
    ],
    [
      Message(
        sender: "Mira Okafor", subject: "The recipe, as promised",
        text: "Six plums, a little rosemary, and patience. The rest you know.", date: "Tue", hue: 0x6A8D4E)
    ],
    [
      Message(
        sender: "Tomasz Nowak", subject: "Re: The roof", text: "It is dry again. I send the photos when I am down.",
        date: "Tue", hue: 0x9C7A3C)
    ],
    [
      Message(
        sender: "Botanical Garden", subject: "The orchids open on Friday",
        text: "Come in the morning, when the glass houses are quiet.", date: "Mon", hue: 0x2F8F83)
    ],
    [
      Message(
        sender: "Harbour Office", subject: "Berth 14",
        text: "Your berth is free from the first of May. Please sign the form.", date: "Sun", hue: 0x56677A)
    ],
  ]
}

/// How messages look: in the list, as strips of a thread, and as cards on their way.
enum Looks {
  private static let grey = Color(0x7D786E)

  static func disc(_ m: Message, on c: Canvas, at p: Point, radius: Double) {
    c.circle(p, radius: radius)
    c.fillPath(Color(m.hue))
    c.draw(
      m.initials, TextStyle(radius * 0.82, .semibold, color: .white),
      centeredIn: Box(center: p, width: radius * 2, height: radius * 2))
  }

  /// A row of the list: the newest message of it, and how many there are.
  static func row(_ messages: [Message], on c: Canvas, in b: Box) {
    guard let m = messages.last else { return }
    disc(m, on: c, at: Point(x: b.x + 36, y: b.center.y), radius: 19)
    let x = b.x + 68
    let date = TextLayout(m.date, TextStyle(11.5, color: grey))
    c.draw(date, at: Point(x: b.maxX - 16 - date.size.width, y: b.y + 14))
    line(m.sender, 14, .semibold, .ink, on: c, at: Point(x: x, y: b.y + 12), width: b.maxX - 70 - x)
    line(m.subject, 12.5, .medium, Color(0x45413A), on: c, at: Point(x: x, y: b.y + 34), width: b.maxX - 62 - x)
    line(m.text, 12, .regular, grey, on: c, at: Point(x: x, y: b.y + 54), width: b.maxX - 18 - x)
    guard messages.count > 1 else { return }
    let pill = Box(b.maxX - 42, b.y + 34, 26, 17)
    c.fill(pill, radius: 8.5, Color(0xE3DFD6))
    c.draw("\(messages.count)", TextStyle(11, .semibold, color: Color(0x5C574E)), centeredIn: pill)
  }

  /// One message of a thread, as it rises from its row.
  static func strip(_ m: Message, on c: Canvas, in b: Box) {
    c.fill(b, from: .white, to: Color(0xF7F5F1))
    disc(m, on: c, at: Point(x: b.x + 28, y: b.center.y), radius: 16)
    let x = b.x + 54
    line(m.sender, 13.5, .semibold, .ink, on: c, at: Point(x: x, y: b.y + 10), width: b.maxX - 14 - x)
    line(m.text, 12, .regular, grey, on: c, at: Point(x: x, y: b.y + 31), width: b.maxX - 14 - x)
  }

  /// What a message is on its way: a small letter.
  static func card(_ m: Message, on c: Canvas, in b: Box) {
    c.fill(b, from: .white, to: Color(0xF6F3EC))
    c.fill(Box(b.x, b.y, b.width, 5), Color(m.hue))
    disc(m, on: c, at: Point(x: b.x + 30, y: b.y + 34), radius: 17)
    line(m.sender, 13, .semibold, .ink, on: c, at: Point(x: b.x + 56, y: b.y + 18), width: b.width - 68)
    line(m.date, 11, .regular, grey, on: c, at: Point(x: b.x + 56, y: b.y + 37), width: b.width - 68)
    line(m.subject, 13, .medium, .ink, on: c, at: Point(x: b.x + 14, y: b.y + 64), width: b.width - 28)
    c.saved {
      c.clip(b.inset(8))
      c.draw(
        TextLayout(m.text, TextStyle(11.5, color: grey), width: b.width - 28, spacing: 1.15),
        at: Point(x: b.x + 14, y: b.y + 86))
    }
  }

  private static func line(
    _ text: String, _ size: Double, _ weight: TextStyle.Weight, _ color: Color, on c: Canvas, at p: Point, width: Double
  ) { c.draw(TextLayout(text, TextStyle(size, weight, color: color), width: width, isOneLine: true), at: p) }
}
