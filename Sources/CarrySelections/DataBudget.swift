import Synchronization

/// How many bytes of other programs may be held at a time, for all conversions together: what comes, and what has come and is
/// still being handed on. Any thread.
///
/// Nobody gets all of it. One drag may hold as much as is then left for others ("dynamic thresholds", Choudhury and Hahne,
/// 1998): alone a half. However many hold something, a reserve is left, of which each drag may have a little: enough for the
/// addresses of files, a text, or a picture of a page.
package final class DataBudget: Sendable {
  /// The conversions of one drag, or of one paste.
  package final class Group: Sendable {
    private let budget: DataBudget
    private let held = Mutex(0)

    fileprivate init(_ budget: DataBudget) { self.budget = budget }

    func share() -> Share { Share(self) }

    fileprivate var room: Int {
      let (own, left) = (held.withLock { $0 }, budget.left)
      return max(0, min(left, budget.little - own), (left - budget.reserve - own) / 2)
    }

    fileprivate func take(_ count: Int) {
      held.withLock { $0 += count }
      budget.held.withLock { $0 += count }
    }
  }

  /// A part of the budget, which is given back at the end of this object.
  package final class Share: Sendable {
    private let group: Group
    private let count = Mutex(0)

    fileprivate init(_ group: Group) { self.group = group }

    deinit { group.take(-count.withLock { $0 }) }

    /// - Parameter most: what is left of another bound.
    /// - Returns: how many bytes more may be held, at most `most`.
    func room(_ most: Int) -> Int { min(most, group.room) }

    /// Takes as many bytes as `room` has allowed.
    func take(_ bytes: Int) {
      group.take(bytes)
      count.withLock { $0 += bytes }
    }
  }

  private let most: Int
  /// What is not for those who hold much, and what each may have of it.
  private let reserve, little: Int
  private let held = Mutex(0)

  /// A half of what is not reserved is as much as one conversion may have (`IncomingData.Bounds`).
  package static let usual = 576 << 20

  package init(_ most: Int = DataBudget.usual) { (self.most, reserve, little) = (most, most / 9, most / 288) }

  /// How many bytes more may be held now.
  package var left: Int { most - held.withLock { $0 } }

  package func group() -> Group { Group(self) }
}

/// Data of another program, whose share of the budget is given back when nobody has it any more.
package struct ReceivedData: Sendable {
  package var bytes: [UInt8]
  package var share: DataBudget.Share
}
