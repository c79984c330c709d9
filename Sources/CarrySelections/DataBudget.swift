import Synchronization

/// How many bytes of other programs may be held at a time, for all conversions together: what comes, and what has come and is
/// still being handed on. Any thread.
///
/// Nobody gets all of it: each conversion may hold as much as is then left for others ("dynamic thresholds", Choudhury and
/// Hahne, 1998). Alone it may have a half, and each that comes after it a half of the rest.
package final class DataBudget: Sendable {
  /// A part of the budget, which is given back at the end of this object.
  package final class Share: Sendable {
    private let budget: DataBudget
    private let count = Mutex(0)

    fileprivate init(_ budget: DataBudget) { self.budget = budget }

    deinit { budget.giveBack(count.withLock { $0 }) }

    /// - Parameter most: what is left of another bound.
    /// - Returns: how many bytes more may be held, at most `most`.
    func room(_ most: Int) -> Int { min(most, max(0, budget.left - count.withLock { $0 }) / 2) }

    /// Takes as many bytes as `room` has allowed.
    func take(_ bytes: Int) {
      budget.take(bytes)
      count.withLock { $0 += bytes }
    }
  }

  private let most: Int
  private let held = Mutex(0)

  /// Twice as much as one conversion may have.
  package static let usual = 512 << 20

  package init(_ most: Int = DataBudget.usual) { self.most = most }

  /// How many bytes more may be held now.
  package var left: Int { most - held.withLock { $0 } }

  func share() -> Share { Share(self) }

  private func take(_ count: Int) { held.withLock { $0 += count } }
  private func giveBack(_ count: Int) { held.withLock { $0 -= count } }
}

/// Data of another program, whose share of the budget is given back when nobody has it any more.
package struct ReceivedData: Sendable {
  package var bytes: [UInt8]
  package var share: DataBudget.Share
}
