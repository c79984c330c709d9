import Synchronization

/// What an opaque pointer of carry.h stands for.
///
/// The pointer is a number that is never used again, not an address: a handle that was destroyed, never existed or is
/// of another type is found out instead of followed.
class Handle {
  /// What C programs hold.
  final let pointer: OpaquePointer

  init() { pointer = Handles.next() }

  deinit { Handles.forget(pointer) }

  /// Makes the handle valid, for as long as something else keeps it alive.
  final func register() { Handles.add(self, isKept: false) }

  /// Makes the handle valid, and keeps it alive until `letGo`.
  final func keep() { Handles.add(self, isKept: true) }

  /// Makes the handle invalid.
  final func letGo() { Handles.forget(pointer) }
}

/// All valid handles of the process. Clients may be on different threads, and stream writers are on their own.
enum Handles {
  private struct Entry: @unchecked Sendable {
    weak var object: Handle?
    var kept: Handle?
  }

  private struct Table: Sendable {
    // The upper half of the address space is the kernel's: following such a pointer by mistake faults at once.
    var next = UInt(1) << (UInt.bitWidth - 1)
    var entries: [UInt: Entry] = [:]
  }

  private static let table = Mutex(Table())

  fileprivate static func next() -> OpaquePointer {
    table.withLock { table in
      while true {
        table.next = (table.next &+ 16) | 1 << (UInt.bitWidth - 1)
        if let pointer = OpaquePointer(bitPattern: table.next), table.entries[table.next] == nil { return pointer }
      }
    }
  }

  fileprivate static func add(_ handle: Handle, isKept: Bool) {
    let entry = Entry(object: handle, kept: isKept ? handle : nil)
    let number = UInt(bitPattern: handle.pointer)
    table.withLock { $0.entries[number] = entry }
  }

  fileprivate static func forget(_ pointer: OpaquePointer) {
    // Released outside the lock: the end of a handle comes here again.
    let number = UInt(bitPattern: pointer)
    let entry = table.withLock { $0.entries.removeValue(forKey: number) }
    withExtendedLifetime(entry) {}
  }

  /// The object behind a handle, or nil.
  static func find<T: Handle>(_ pointer: OpaquePointer?, _ type: T.Type) -> T? {
    let number = UInt(bitPattern: pointer)
    let entry = table.withLock { $0.entries[number] }
    return entry?.object as? T
  }
}
