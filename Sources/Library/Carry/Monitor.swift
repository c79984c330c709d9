package import CarryModel
import CarrySystem
import CarryWireClient

/// Watches every step of every session of the display: types and names, never data.
public final class Monitor {
  /// One step.
  public struct Step: Sendable {
    /// Seconds on the monotonic clock.
    public let time: Double
    /// `lift-began`, `lifted`, `lift-reversed`, `began`, `items-added`, `entered`, `updated`, `exited`,
    /// `spring-activated`, `window-raised`, `handed-off`, `dropped`, `received` (one representation, whose type is the
    /// only one of the step), `cancelled`, `data-delivered` or `ended`. Each
    /// session that has begun ends once, with `ended`, and nothing of it comes after that. What is dropped on the shelf
    /// ends without `data-delivered`: its data is delivered in the session that takes it from there. An engine that goes
    /// ends its sessions: those that it has not ended itself are `ended` here, what was dropped with the operation of the
    /// drop, others with `cancel`.
    public let kind: String
    /// The session's number.
    public let session: UInt32
    /// How many items it holds.
    public let items: Int
    /// The types of all items, each once.
    public let types: [String]
    /// Screen pixels.
    public let point: Point
    /// What is proposed or was done, where that applies.
    public let operation: DropOperation?
    /// The source application's name for itself.
    public let source: String
    /// The name of the application whose region is concerned, where that applies.
    public let target: String?
    /// The input device.
    public let device: String
    /// The label of the region that the drag was lifted from; nil if it has none, or this program is in a sandbox.
    public let sourceLabel: String?
    /// The same of the region under the drag, or of the drop.
    public let targetLabel: String?
    /// Of a drag that was released beside the drop regions, and so `cancelled`: the nearest of these; nil otherwise.
    public let nearest: Nearest?
  }

  /// A drop region near the place of a release.
  public struct Nearest: Sendable {
    /// The application's name.
    public let target: String
    /// What the region is called; nil if it has no label, or this program is in a sandbox.
    public let label: String?
    /// From the point of the release to the region, in pixels. Zero for a region that lies there: it does not take these
    /// items, or another window covers it.
    public let offset: Point
  }

  /// Called with the time in seconds on the monotonic clock, and with a sentence for a person who may not see the screen,
  /// such as "Picked up 2 items": of sessions that are driven by keys. On the client's thread.
  public var onAnnouncement: (_ time: Double, _ text: String) -> Void = { _, _ in }

  /// Called at each detail, once this is set. For the command-line tools.
  package var onDetail: ((_ time: Double, ListedDetail) -> Void)? { didSet { wire?.watchDetails() } }

  private var wire: WireMonitor?
  /// The newest step of each session that is under way.
  private var open: [UInt32: Step] = [:]
  private let client: Client
  private let handler: (Step) -> Void

  /// Calls `handler` on the client's thread at each step, while the monitor is kept alive: of each engine in turn, where
  /// the client reconnects.
  public init(client: Client, handler: @escaping (Step) -> Void) {
    self.client = client
    self.handler = handler
    client.monitors[ObjectIdentifier(self)] = WeakMonitor(monitor: self)
    connected()
  }

  deinit {
    client.monitors[ObjectIdentifier(self)] = nil
    wire?.stop()
  }

  /// There is an engine.
  func connected() {
    wire = client.wire?.makeMonitor()
    wire?.onEvent = { [unowned self] event in
      switch event {
      case .step(let step): self.handle(step)
      case .announcement(let time, let text): self.onAnnouncement(time.seconds, text)
      case .detail(let time, let detail): self.onDetail?(time.seconds, detail)
      case .lost: break
      }
    }
    if onDetail != nil { wire?.watchDetails() }
  }

  private func handle(_ s: WireMonitor.Step) {
    let step = Step(
      time: s.time.seconds, kind: s.kind, session: s.session.raw, items: s.items, types: s.types,
      point: Point(s.point), operation: s.operation.map { DropOperation($0) }, source: s.source, target: s.target,
      device: s.device, sourceLabel: s.sourceLabel, targetLabel: s.targetLabel,
      nearest: s.nearest.map { Nearest(target: $0.client, label: $0.label, offset: Point($0.offset)) })
    let isOver = step.kind == Ends.ended || step.kind == Ends.reversed
    open[step.session] = isOver ? nil : step
    handler(step)
  }
}

extension Monitor {
  private enum Ends {
    static let ended = MonitorEvent.Kind.ended.rawValue
    static let reversed = MonitorEvent.Kind.liftReversed.rawValue
    /// From these on it is known how the session ends.
    static let decided = [MonitorEvent.Kind.dropped, .dataDelivered, .cancelled].map(\.rawValue)
  }

  /// The engine is gone, and has not said what became of its sessions: they have ended, whatever they were at.
  func lost() {
    wire = nil
    let now = MonotonicClock.now().seconds
    let last = open.values.sorted { $0.session < $1.session }
    open = [:]
    for step in last {
      let isDecided = Ends.decided.contains(step.kind)
      handler(
        Step(
          time: now, kind: Ends.ended, session: step.session, items: step.items, types: step.types, point: step.point,
          operation: isDecided ? step.operation : .cancel, source: step.source, target: step.target,
          device: step.device, sourceLabel: step.sourceLabel, targetLabel: step.targetLabel, nearest: nil))
    }
  }
}

/// A monitor that its owner keeps, or not.
struct WeakMonitor {
  weak var monitor: Monitor?
}
