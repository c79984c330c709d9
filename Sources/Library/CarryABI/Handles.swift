import Synchronization

/// The object behind an opaque pointer of carry.h.
///
/// The pointer is not an address but a number that is never reused. A handle that was destroyed, never existed or is
/// of another type is therefore detected, and no memory is read through it.
class Handle {
  /// The pointer that C programs hold.
  final let pointer: OpaquePointer

  /// Its type in carry.h: `carry_drag_session` of `DragSessionHandle`.
  final class var cName: String {
    String(describing: self).dropLast("Handle".count).reduce(into: "carry") {
      $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1)
    }
  }

  init() { pointer = Handles.next() }

  deinit { Handles.forget(pointer) }

  /// Makes the handle valid for as long as something else retains it.
  final func register() { Handles.add(self, isKept: false) }

  /// Makes the handle valid and retains it until `invalidate`.
  final func keep() { Handles.add(self, isKept: true) }

  /// Makes the handle invalid.
  final func invalidate() { Handles.forget(pointer) }
}

/// All valid handles of the process. Clients may be on different threads, and stream writers run on their own threads.
enum Handles {
  private struct Entry: @unchecked Sendable {
    weak var object: Handle?
    var kept: Handle?
  }

  private struct Table: Sendable {
    // The upper half of the address space is the kernel's: reading through such a pointer by mistake faults at once.
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
    // The handle is released outside the lock, because its deinit calls this function again.
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
