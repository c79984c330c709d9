import CarryModel
import Synchronization

/// Limits how many bytes of other programs all conversions together may hold, both while they arrive and while they
/// are forwarded. Any thread.
///
/// No drag gets all of it. Each may hold as much as it leaves for others ("dynamic thresholds", Choudhury and Hahne,
/// 1998): half if it is alone. A reserve always remains, of which each drag may have a little: enough for file
/// addresses, a text, or a picture of a page.
package final class DataBudget: Sendable {
  /// The conversions of one drag or one paste.
  package final class Group: Sendable {
    private let budget: DataBudget
    private let held = Mutex(0)

    fileprivate init(_ budget: DataBudget) { self.budget = budget }

    func share() -> Share { Share(self) }

    fileprivate var room: Int {
      let (own, left) = (held.withLock { $0 }, budget.left)
      return max(0, min(left, budget.little - own), (left - budget.reserve - own) / 2)
    }

    fileprivate func reserve(_ count: Int) {
      held.withLock { $0 += count }
      budget.held.withLock { $0 += count }
    }
  }

  /// A share of the budget, returned when this object is deinitialised.
  package final class Share: Sendable {
    private let group: Group
    private let count = Mutex(0)

    fileprivate init(_ group: Group) { self.group = group }

    deinit { group.reserve(-count.withLock { $0 }) }

    /// - Parameter most: The remainder of another limit.
    /// - Returns: How many more bytes may be held, at most `most`.
    func room(_ most: Int) -> Int { min(most, group.room) }

    /// Allocates as many bytes as `room` has allowed.
    func reserve(_ bytes: Int) {
      group.reserve(bytes)
      count.withLock { $0 += bytes }
    }
  }

  private let most: Int
  /// The reserve not available to large holders, and each drag's part of it.
  private let reserve, little: Int
  private let held = Mutex(0)

  /// Half of what is not reserved equals the limit of one conversion.
  package init(_ most: Int = Limits.incomingBytes) { (self.most, reserve, little) = (most, most / 9, most / 288) }

  /// How many bytes more may be held now.
  package var left: Int { most - held.withLock { $0 } }

  package func group() -> Group { Group(self) }
}

/// Data of another program. Its share of the budget is returned when the last reference is released.
package struct ReceivedData: Sendable {
  package var bytes: [UInt8]
  package var share: DataBudget.Share
}
