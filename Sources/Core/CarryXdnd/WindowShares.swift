/// Bounds the number of windows, in all and of each program: a program that leaks windows does not shut out others.
package struct WindowShares<Program: Hashable & Sendable>: Sendable {
  private var programs: [UInt32: Program] = [:]
  private var counts: [Program: Int] = [:]
  private let max: Int
  private let maxOfOne: Int

  /// - Parameters:
  ///   - max: The maximum number of windows.
  ///   - maxOfOne: The maximum number of windows of one program.
  package init(max: Int, maxOfOne: Int) { (self.max, self.maxOfOne) = (max, maxOfOne) }

  /// Adds a window.
  ///
  /// - Returns: Whether there is room for it.
  package mutating func add(_ window: UInt32, of program: Program) -> Bool {
    remove(window)
    guard programs.count < max, counts[program, default: 0] < maxOfOne else { return false }
    programs[window] = program
    counts[program, default: 0] += 1
    return true
  }

  package mutating func remove(_ window: UInt32) {
    guard let program = programs.removeValue(forKey: window) else { return }
    counts[program, default: 1] -= 1
    if counts[program] == 0 { counts[program] = nil }
  }
}
