/// The combined progress of all loads of a drop. Used on the client's thread.
public final class SessionProgress {
  /// The running loads.
  private var open: [Load] = []
  private var count = 0
  private var finishedBytes = 0
  private var finishedTotal: Int? = 0

  /// Called when the progress changes: a few times a second while data arrives, and as each load ends.
  public var onChange: ((SessionProgress) -> Void)?

  init() {}

  func add(_ load: Load) {
    count += 1
    load.session = self
    open.append(load)
  }

  func changed() {
    for load in open where load.isFinished {
      finishedBytes = Self.sum(finishedBytes, load.completedBytes)
      finishedTotal = load.totalBytes.flatMap { total in finishedTotal.map { Self.sum($0, total) } }
    }
    open.removeAll(where: \.isFinished)
    onChange?(self)
  }

  /// The bytes that all loads have received so far.
  public var completedBytes: Int { open.reduce(finishedBytes) { Self.sum($0, $1.completedBytes) } }

  /// The total bytes of all loads; nil while the total of any load is unknown.
  public var totalBytes: Int? {
    open.reduce(finishedTotal) { sum, load in load.totalBytes.flatMap { total in sum.map { Self.sum($0, total) } } }
  }

  /// Adds with saturation: a source may promise any number of bytes.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooLarge) = a.addingReportingOverflow(b)
    return isTooLarge ? .max : sum
  }

  /// The progress from 0 to 1. Each load counts the same; one with unknown progress counts as 0. 1 if there are no
  /// loads.
  public var fractionCompleted: Double {
    guard count > 0 else { return 1 }
    let underWay = open.reduce(0) { $0 + ($1.fractionCompleted ?? 0) }
    return (Double(count - open.count) + underWay) / Double(count)
  }

  /// Whether all loads are over, successfully or not.
  public var isFinished: Bool { open.isEmpty }

  /// Cancels the loads that are still running.
  public func cancel() { for load in open { load.cancel() } }
}
