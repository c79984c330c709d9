import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry regions`: what may be lifted and dropped where.
enum RegionsCommand: Command {
  static let name = "regions"
  static let summary = "list the regions of all applications"
  static let options: [Arguments.Option] = [.flag("json"), .flag("watch"), .flag("draw"), .value("socket")]
  static let help = """
    Usage: carry regions [--json] [--watch] [--socket PATH]
           carry regions --draw [--socket PATH]

    Prints every region: its label, program and window, where it lies on the screen, what it does, the types that it
    says it accepts, and how much of it a finger reaches. What covers the rest is named. A region whose window is not on
    the screen has no place. Then come regions that programs were refused, and why.

      --json           one JSON object a line; with --watch one array of them for each list
      --draw           frame them over the screen with their names, until Ctrl-C: sources in orange, targets in blue,
                       both in purple; dashed where no finger reaches. The frames let all input through
      --watch          print the list again whenever it changes, until Ctrl-C
      --socket PATH    the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else { throw UsageError("carry regions takes no operands") }
    guard let client = EngineConnection.open("carry regions", arguments, printer) else { return .noEngine }
    let (json, watches, draws) = (arguments.has("json"), arguments.has("watch"), arguments.has("draw"))
    var frames: RegionFrames?
    if draws {
      guard !json, !watches else { throw UsageError("--draw goes without --json and --watch") }
      do throws(Problem) { frames = try RegionFrames() } catch {
        printer.error(error.sentence)
        return .noEngine
      }
      if let frames { ToolLoop.watch(frames.fileDescriptor) { frames.dispatch() } }
    }
    var last: RegionList?
    func update() {
      client.listRegions { list in
        if list != last {
          last = list
          if let frames {
            frames.show(list.regions)
          } else {
            print(list, json, asOneLine: watches, printer)
          }
        }
        if watches || draws {
          _ = ToolLoop.at(MonotonicClock.now() + .milliseconds(250), update)
        } else {
          ToolLoop.stop()
        }
      }
    }
    update()
    let hadEngine = ToolLoop.run(client, display: nil, withEngine: true, printer)
    return hadEngine ? .done : .noEngine
  }

  /// - Parameter asOneLine: whether JSON is an array, so that a reader can tell one list from the next.
  private static func print(_ list: RegionList, _ json: Bool, asOneLine: Bool, _ printer: Printer) {
    defer { printer.flush() }
    let unlisted = list.count - list.regions.count
    if unlisted > 0 { printer.error("\(unlisted) more regions are not listed") }
    let names = WindowNames()
    if json {
      let objects = (list.regions.map { object($0, names) } + list.refused.map(object)).map(\.text)
      for line in asOneLine ? ["[" + objects.joined(separator: ", ") + "]"] : objects { printer.line(line) }
      return
    }
    if list.regions.isEmpty {
      printer.line("no application has a region")
    } else {
      var table = Table(["LABEL", "PROGRAM", "PID", "WINDOW", "PLACE", "DOES", "ACCEPTS", "REACHED"])
      for region in list.regions {
        table.add([
          SafeText.displayable(region.label ?? "-"), SafeText.displayable(region.client),
          region.process.map(String.init) ?? "-", "0x" + String(region.window, radix: 16), place(region.rect),
          does(region), accepts(region.acceptedTypes), reached(region, names),
        ])
      }
      printer.line(String(table.text.dropLast()))
    }
    for refusal in list.refused {
      let process = refusal.process.map { " (pid \($0))" } ?? ""
      let label = refusal.label.map { " '\(SafeText.displayable($0))'" } ?? ""
      printer.line(
        "refused: \(SafeText.displayable(refusal.client))\(process), region\(label) of window "
          + "0x\(String(refusal.window, radix: 16)): \(SafeText.displayable(refusal.reason))")
    }
  }

  private static func place(_ rect: CarryModel.Rect?) -> String {
    rect.map { "\(Int($0.width))x\(Int($0.height))+\(Int($0.x))+\(Int($0.y))" } ?? "not on the screen"
  }

  private static func accepts(_ types: [String]) -> String {
    let shown = types.prefix(2).map { SafeText.displayable($0) }.joined(separator: ", ")
    return types.isEmpty ? "-" : types.count > 2 ? "\(shown) and \(types.count - 2) more" : shown
  }

  private static let roleNames: [(RegionRoles, String)] = [
    (.drag, "drag"), (.drop, "drop"), (.spring, "spring"), (.obstacle, "obstacle"), (.cooperative, "shares touches"),
    (.simultaneous, "several drags"), (.ownPointer, "own mouse"),
  ]

  private static func roles(_ region: ListedRegion) -> [String] {
    roleNames.filter { region.roles.contains($0.0) }.map(\.1)
  }

  private static func does(_ region: ListedRegion) -> String {
    let words = roles(region).joined(separator: ", ")
    return (words.isEmpty ? "nothing" : words) + (region.isForeign ? " (XDND)" : "")
  }

  private static func reached(_ region: ListedRegion, _ names: WindowNames) -> String {
    guard region.rect != nil else { return "-" }
    guard region.reachable < 100, let cover = region.cover else { return "\(region.reachable) %" }
    return "\(region.reachable) %, under \(cover == region.window ? "another region" : names.name(of: cover))"
  }

  private static func object(_ refusal: ListedRefusal) -> JSONLine {
    var line = JSONLine()
    if let label = refusal.label { line.add("label", SafeText.displayable(label)) }
    line.add("program", SafeText.displayable(refusal.client))
    if let process = refusal.process { line.add("pid", Int(process)) }
    line.add("window", Int(refusal.window))
    line.add("refused", SafeText.displayable(refusal.reason))
    return line
  }

  private static func object(_ region: ListedRegion, _ names: WindowNames) -> JSONLine {
    var line = JSONLine()
    if let label = region.label { line.add("label", SafeText.displayable(label)) }
    line.add("program", SafeText.displayable(region.client))
    if let process = region.process { line.add("pid", Int(process)) }
    line.add("window", Int(region.window))
    if let rect = region.rect {
      line.add("x", rect.x)
      line.add("y", rect.y)
      line.add("width", rect.width)
      line.add("height", rect.height)
      line.add("reached", region.reachable)
    }
    line.add("does", roles(region))
    line.add("accepts", region.acceptedTypes.map { SafeText.displayable($0) })
    if region.isForeign { line.add("xdnd", true) }
    if let cover = region.cover {
      line.add("cover", Int(cover))
      line.add("cover-name", names.name(of: cover))
      if cover != region.window, let rect = names.place(of: cover) {
        line.add("cover-x", rect.x)
        line.add("cover-y", rect.y)
        line.add("cover-width", rect.width)
        line.add("cover-height", rect.height)
      }
    }
    return line
  }
}
