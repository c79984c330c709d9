import CarryRecordings
import CLinux
import CarryContacts
import CarryModel
import CarrySystem
import CarryTesting

/// Writes the recordings that the measurements with whole programs play.
enum RecordingFiles {
  static func run(_ arguments: Arguments) throws {
    guard let path = arguments.operands.first else { throw Failure("a file is missing") }
    let count = arguments.number("count", otherwise: 1)
    let text: [UInt8]
    switch arguments.value("kind") {
    case "drops": text = drops(count).text
    case "motion": text = motion(count).text
    case "many": text = many(count).text
    case "ten": text = ten(seconds: count).text
    case "events":
      let trace = Trace(contacts: 10, count: count)
      text = EvemuWriter.text(trace.description, events: Array(trace.events.prefix(count)))
    default: throw Failure("--kind takes drops, motion, ten, many or events")
    }
    let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    var sent = 0
    while sent < text.count {
      sent += try check("write") {
        text.withUnsafeBytes { write(fd.raw, $0.baseAddress.map { $0 + sent }, text.count - sent) }
      }
    }
  }

  /// The file and the stream of `TransferBenchmark`, in turns, to its destination. The lift takes 100 ms there.
  private static func drops(_ count: Int) -> FingerScript {
    var s = FingerScript(width: 1280, height: 800)
    let places = TransferBenchmark.places
    for n in 0..<count {
      let from = n % 2 == 0 ? places.file : places.stream
      let t = n * 800
      let f = s.down(from.x, from.y, at: t)
      s.move(f, to: places.destination.x, places.destination.y, from: t + 150, until: t + 250)
      s.up(f, at: t + 350)
    }
    return s
  }

  /// Drops of the source of `ManyTransfersBenchmark`, each with another finger that carries about while its data comes;
  /// then one of what is cancelled.
  private static func many(_ count: Int) -> FingerScript {
    var s = FingerScript(width: 1280, height: 800)
    s.step = 8
    let places = TransferBenchmark.places
    for n in 0...count {
      let t = n * 6000
      let from = n < count ? places.file : places.stream
      let f = s.down(from.x, from.y, at: t)
      s.move(f, to: places.destination.x, places.destination.y, from: t + 500, until: t + 600)
      s.up(f, at: t + 700)
      guard n < count else { break }
      let g = s.down(places.stream.x, places.stream.y, at: t + 710)
      for k in 0..<8 {
        s.move(g, to: k % 2 == 0 ? 1100 : 600, 250 + k * 30, from: t + 1210 + k * 200, until: t + 1410 + k * 200)
      }
      s.move(g, to: 600, 700, from: t + 2900, until: t + 3000)
      s.up(g, at: t + 3050)
    }
    return s
  }

  /// Ten fingers that lift in a window of 400 pixels at 40, 200, and carry about for so long.
  private static func ten(seconds: Int) -> FingerScript {
    var s = FingerScript(width: 1280, height: 800)
    // 125 Hz, a little more than most panels have.
    s.step = 8
    for n in 0..<10 {
      let f = s.down(80 + n % 5 * 80, 260 + n / 5 * 200, at: n * 20)
      var t = 900
      for k in 0..<seconds * 4 {
        let (x, y) = (460 + (n * 83 + k * 331) % 800, 40 + (n * 71 + k * 197) % 720)
        s.move(f, to: x, y, from: t, until: t + 250)
        t += 250
      }
      s.up(f, at: t + 200)
    }
    return s
  }

  /// One drag with so many frames of motion over the destination.
  private static func motion(_ frames: Int) -> FingerScript {
    var s = FingerScript(width: 1280, height: 800)
    let places = TransferBenchmark.places
    let f = s.down(places.file.x, places.file.y, at: 0)
    s.move(f, to: places.destination.x, places.destination.y, from: 150, until: 250)
    var t = 250
    for n in 0..<frames / 10 {
      s.move(f, to: places.destination.x + (n % 2 == 0 ? 60 : 0), places.destination.y, from: t, until: t + 100)
      t += 100
    }
    s.move(f, to: 1200, 700, from: t, until: t + 100)
    s.up(f, at: t + 200)
    return s
  }
}
