/// How far all loads of a drop are together. On the client's thread.
public final class SessionProgress {
  /// The loads that are under way.
  private var open: [Load] = []
  private var count = 0
  private var finishedBytes = 0
  private var finishedTotal: Int? = 0
  private var leftBehind: [UInt32: LeftBehind] = [:]

  /// Called when there is more to tell: a few times a second while data comes, and as each load ends.
  public var onChange: ((SessionProgress) -> Void)?

  init() {}

  /// The loads that were given up, and do not end.
  ///
  /// - Parameter owner: the number of those whose items they are of. The shelf lends items of several programs to one drag, and
  ///   what one of these does is no fault of the others.
  func leftBehind(ofOwner owner: UInt32) -> LeftBehind {
    if let known = leftBehind[owner] { return known }
    let new = LeftBehind()
    leftBehind[owner] = new
    return new
  }

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

  /// Bytes of all loads so far.
  public var completedBytes: Int { open.reduce(finishedBytes) { Self.sum($0, $1.completedBytes) } }

  /// Bytes of all loads in all; nil while that is not known of each.
  public var totalBytes: Int? {
    open.reduce(finishedTotal) { sum, load in load.totalBytes.flatMap { total in sum.map { Self.sum($0, total) } } }
  }

  /// A source may promise as many bytes as it likes: a sum that is too large is the largest number.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooLarge) = a.addingReportingOverflow(b)
    return isTooLarge ? .max : sum
  }

  /// From 0 to 1: each load counts the same, and one that nothing is known of counts as not begun. 1 where there is none.
  public var fractionCompleted: Double {
    guard count > 0 else { return 1 }
    let underWay = open.reduce(0) { $0 + ($1.fractionCompleted ?? 0) }
    return (Double(count - open.count) + underWay) / Double(count)
  }

  /// Whether all loads are over, successfully or not.
  public var isFinished: Bool { open.isEmpty }

  /// Cancels the loads that are still under way.
  public func cancel() { for load in open { load.cancel() } }
}
