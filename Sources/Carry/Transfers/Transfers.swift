import CarryModel
import CarrySystem

/// The loads of a client that are under way. Only the client's thread uses it.
final class Transfers {
  let completions: CompletionQueue
  /// Over when the first of the loads has rested for too long.
  private let patience: DeadlineTimer
  private var loads: [ObjectIdentifier: Load] = [:]
  /// The threads of `runAside`, and who is told when one takes too long.
  private var slots = AsideSlots()
  private var whenLate: [Int: (isQuiet: Bool, look: AsideLook, tell: () -> Void)] = [:]

  init() throws(SystemError) {
    completions = try CompletionQueue()
    patience = try DeadlineTimer()
  }

  /// Can be read when there is something to do in `turn`.
  var descriptors: [CInt] { [completions.descriptor, patience.descriptor] }

  func add(_ load: Load) { loads[ObjectIdentifier(load)] = load }
  func remove(_ load: Load) { loads[ObjectIdentifier(load)] = nil }

  /// - Parameters:
  ///   - isQuiet: whether nobody is warned then.
  ///   - look: what the work says of where it looks.
  ///   - whenLate: called once if the work takes too long.
  /// - Returns: the number of a slot; nil where there is none for these files.
  func takeSlot(
    for paths: [String], _ time: Interval, _ isQuiet: Bool, _ look: AsideLook, whenLate: @escaping () -> Void
  ) -> Int? {
    let mounts = MountPoints.now
    let folders = Set(paths.map(AsideLook.folder))
    let places = Set(folders.map { AsideSlots.Place(folder: $0, mount: mounts.mount(of: $0)) })
    guard let number = slots.take(places, until: MonotonicClock.now() + time) else { return nil }
    self.whenLate[number] = (isQuiet, look, whenLate)
    return number
  }

  /// The work has returned.
  ///
  /// - Returns: whether somebody still waits for it.
  func giveBack(_ number: Int) -> Bool {
    slots.giveBack(number)
    return whenLate.removeValue(forKey: number) != nil
  }

  /// Ends what nothing has come of for too long, and sets the timer for the next.
  func watch() {
    let now = MonotonicClock.now()
    for (number, folder) in slots.advance(to: now, lookingAt: { whenLate[$0]?.look.folder }) {
      guard let late = whenLate.removeValue(forKey: number) else { continue }
      // The user may wonder why files come as text.
      if !late.isQuiet {
        Warning.say("\(folder) does not answer: until it does, files there are passed on as addresses")
      }
      late.tell()
    }
    for load in loads.values where load.deadline.map({ $0 <= now }) == true { load.expire() }
    patience.set(.earliest(loads.values.compactMap(\.deadline).min(), slots.nextDeadline))
  }

  /// Tells what workers have to tell.
  func turn() {
    completions.run()
    if patience.isOver { watch() }
  }

  /// The client is going.
  func cancelAll() { for load in loads.values { load.cancel() } }
}
