import CLinux
import CarryModel
import Testing

@testable import Carry
@testable import CarryTransfers

/// Threads that look at files of other programs.
@Suite struct BlockingSlotsTests {
  private let start = Instant(microseconds: 1_000_000)
  private var due: Instant { start + .seconds(2) }

  private func place(_ path: String, on mount: String = "/") -> Set<BlockingSlots.Place> {
    [BlockingSlots.Place(path: path, mount: mount)]
  }

  private func advance(_ slots: inout BlockingSlots, lookingAt path: String? = nil) -> [(number: Int, path: String)] {
    slots.advance(to: due) { _ in path }
  }

  @Test("of a list only the file that keeps the thread is not looked at again", arguments: ["/", "/home/me"])
  func oneOfAList(other: String) {
    var slots = BlockingSlots()
    let list = place("/home/me/server", on: "/home/me/server").union(place(other))
    #expect(slots.reserve(list, until: due) != nil)
    let late = advance(&slots, lookingAt: "/home/me/server").map(\.path)
    #expect(late == ["/home/me/server"])
    #expect(slots.reserve(place("/home/me/server", on: "/home/me/server"), until: due) == nil)
    // Neither are the others thought to hang, nor the file system that they are on.
    for _ in 0..<8 { #expect(slots.reserve(place(other), until: due) != nil) }
  }

  @Test("work that does not say where it looks, or something else, may hang anywhere", arguments: [nil, "/else"])
  func nobodyKnows(path: String?) {
    var slots = BlockingSlots()
    #expect(slots.reserve(place("/a").union(place("/b")), until: due) != nil)
    #expect(advance(&slots, lookingAt: path).map(\.path) == ["/a"])
    #expect(slots.reserve(place("/a"), until: due) == nil && slots.reserve(place("/b/c"), until: due) == nil)
  }

  @Test("work that runs aside says which of its files it looks at, on its own thread only") func look() throws {
    let look = FileAccess()
    FileAccess.$current.withValue(look) {
      #expect(look.path == nil)
      FileAccess.willAccess("/a/b")
    }
    FileAccess.willAccess("/c/d")
    #expect(look.path == "/a/b")
    // A list that another program has put together.
    FileAccess.$current.withValue(look) {
      _ = ForeignFile.all(in: Array("file:///usr/bin/env\r\nfile:///usr/nothing\r\n".utf8))
    }
    #expect(look.path == "/usr/nothing")
  }

  @Test("a folder that keeps its thread for too long is not looked at again, until it has answered")
  func aFolderThatIsStuck() {
    var slots = BlockingSlots()
    let stuck = slots.reserve(place("/home/me/server"), until: due)
    #expect(stuck != nil && slots.nextDeadline == due)
    // It is only slow so far.
    #expect(slots.reserve(place("/home/me/server/a"), until: due + .seconds(1)) != nil)
    #expect(advance(&slots).map(\.path) == ["/home/me/server"])
    #expect(advance(&slots).isEmpty, "said once")
    #expect(slots.reserve(place("/home/me/server"), until: due) == nil)
    #expect(slots.reserve(place("/home/me/server/a/b"), until: due) == nil)
    #expect(slots.reserve(place("/home/me/server/a").union(place("/home/me")), until: due) == nil)
    #expect(slots.reserve(place("/home/me/servers"), until: due) != nil)
    #expect(slots.reserve(place("/home/me"), until: due) != nil)
    if let stuck { slots.release(stuck) }
    #expect(slots.reserve(place("/home/me/server"), until: due) != nil)
  }

  @Test("links to file systems that hang leave the folders that they lie in alone") func links() {
    var slots = BlockingSlots()
    let prompt = slots.reserve(place("/home/me/a.txt"), until: due + .seconds(1))
    for i in 0..<7 { #expect(slots.reserve(place("/home/me/\(i)/server"), until: due) != nil) }
    #expect(advance(&slots).count == 7)
    #expect(slots.reserve(place("/home/me/0/server/b.txt"), until: due) == nil)
    if let prompt { slots.release(prompt) }
    // The file system has answered, so the links alone are at fault.
    for i in 0..<8 { #expect(slots.reserve(place("/home/me/0/\(i).txt"), until: due + .seconds(1)) != nil) }
  }

  @Test("a file system that hangs has a few threads, and leaves those of the others") func aMountThatHangs() {
    var slots = BlockingSlots()
    for i in 0..<8 { #expect(slots.reserve(place("/mnt/nas/\(i)", on: "/mnt/nas"), until: due) != nil) }
    #expect(advance(&slots).count == 8)
    #expect(slots.reserve(place("/mnt/nas/9", on: "/mnt/nas"), until: due) == nil)
    #expect(slots.reserve(place("/home/me"), until: due) != nil)
    for i in 0..<100 { _ = slots.reserve(place("/mnt/\(i)", on: "/mnt/\(i)"), until: due) }
    #expect(slots.reserve(place("/other", on: "/other"), until: due) == nil, "there is a bound")
  }

  @Test("Z9: work that waits for its turn does so until there is room, or until everything hangs")
  func Z9_inTurn() {
    var slots = BlockingSlots()
    let nas = { (i: Int) in place("/mnt/nas/\(i)", on: "/mnt/nas") }
    #expect(slots.room(for: nas(0), inTurn: true) == .now)
    let first = (0..<4).compactMap { slots.reserve(nas($0), until: due, inTurn: true) }
    #expect(first.count == 4 && slots.room(for: nas(4), inTurn: true) == .later)
    #expect(slots.room(for: nas(4), inTurn: false) == .now, "half of the threads are for other work")
    slots.release(first[0])
    #expect(slots.room(for: nas(4), inTurn: true) == .now)
    // Three hang: there are threads enough.
    #expect(advance(&slots).count == 3)
    #expect(slots.room(for: nas(1), inTurn: true) == .none, "it hangs itself")
    for i in 10..<14 { #expect(slots.reserve(nas(i), until: due + .seconds(1), inTurn: true) != nil) }
    #expect(slots.room(for: nas(4), inTurn: true) == .later)
    #expect(slots.reserve(nas(14), until: due + .seconds(1)) != nil && slots.room(for: nas(4), inTurn: false) == .later)
    #expect(slots.advance(to: due + .seconds(1)) { _ in nil }.count == 5)
    #expect(slots.room(for: nas(4), inTurn: true) == .none, "all of them hang")
    #expect(slots.room(for: place("/home/me"), inTurn: true) == .now)
  }

  @Test("the mount point of a path is found by its words") func mountPoints() {
    let points = MountPoints([
      "22 1 8:1 / / rw - ext4 /dev/sda1 rw", "40 22 0:50 / /mnt/nas rw shared:1 - nfs4 nas:/ rw",
      "42 40 0:52 / /mnt/nas rw - tmpfs x rw", "41 22 0:51 / /mnt/a\\040b\\134c rw - fuse x rw", "broken",
    ])
    #expect(points.mount(of: "/mnt/nas") == "/mnt/nas" && points.mount(of: "/mnt/nas/x/y") == "/mnt/nas")
    #expect(points.mount(of: "/mnt/nas2") == "/" && points.mount(of: "") == "/")
    #expect(points.mount(of: "/mnt/a b\\c/d") == "/mnt/a b\\c")
    #expect(MountPoints.now.mount(of: "/proc/self/status") == "/proc")
    #expect(points.mount(of: "session bus") == "session bus", "a bus that hangs is not the root's file system")
    #expect(points.mount(of: "pictures") == "pictures")
  }
}
