import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import CLinux
import Testing

extension DesktopTests {
  /// Messages in a wrong phase, for a foreign object, with a stale serial, twice, or after the session ended: what the
  /// protocol calls an offence costs that client its connection, what may be a race is ignored.
  @Suite(.serialized) struct WrongPhase {
    private typealias R = RawClient

    /// A client with a drag region, number 4, over the window, and an item of one type, number 5.
    private func rawSource(_ d: Desktop, _ window: UInt32) throws -> RawClient {
      let raw = try R(d.socket)
      raw.greet()
      raw.send(R.message(3, 2, R.words([4, window])))
      raw.send(R.message(4, 2, R.words([0, 0, 300, 300])))
      raw.send(R.message(4, 3, R.words([1])))
      raw.send(R.message(3, 3, R.words([5])) + R.message(5, 3, R.string("text/plain") + R.words([0])))
      return raw
    }

    @Test("what is an offence in a session closes that client, and the next press works as ever")
    func offencesInASession() throws {
      let offences: [(String, (_ session: UInt32, _ serial: UInt32) -> [UInt8])] = [
        ("a region as an item", { s, _ in R.message(s, 1, R.words([4])) }),
        ("no object as an item", { s, _ in R.message(s, 1, R.words([99])) }),
        ("an unknown option", { s, n in R.message(s, 3, R.words([n, 16])) }),
        ("the session again, though destroyed", { s, n in R.message(s, 0) + R.message(s, 2, R.words([n])) }),
        ("more items than a session has", { s, _ in (0...64).flatMap { _ in R.message(s, 1, R.words([5])) } }),
      ]
      var script = Traces.screen
      for i in 0..<offences.count {
        let f = script.down(200, 400, at: i * 700)
        script.up(f, at: i * 700 + 400)
      }
      let d = try Desktop(script, compositor: nil)
      let window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 250, width: 300, height: 300))
      d.client.sync()
      for (what, bytes) in offences {
        let raw = try rawSource(d, window.raw)
        // begin_drag: the session's object, its number, the serial.
        let event = try #require(raw.event(of: 4, 1), "\(what): not asked")
        raw.send(bytes(event.words[0], event.words[2]))
        #expect(raw.isClosed(), "\(what): not closed")
        #expect(d.engine.isRunning, "\(what)")
      }
      #expect(d.playToTheEnd() == 0)
    }

    @Test("Z8: what may be a race is ignored, however often, and the drag goes through")
    func Z8_racesAreIgnored() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let wire = try WireConnection(path: d.socket, name: "noisy")
      func region(_ x: Double, _ roles: UInt32) throws -> WireRegion {
        let window = d.client.makeWindow(CarryModel.Rect(x: x, y: 250, width: 300, height: 300))
        d.client.sync()
        let region = try #require(wire.makeRegion(window: window.raw))
        region.setRectangle(x: 0, y: 0, width: 300, height: 300)
        region.setRoles(RegionRoles(rawValue: roles))
        return region
      }
      let source = try region(50, 1)
      let target = try region(850, 2 | 4)
      var drags: [WireDragSession] = []
      var drops: [WireDropSession] = []
      var failures: [UInt32] = []
      var loads: [WireLoad] = []
      var arrived = false
      var ended = false
      func early(_ session: WireDropSession) {
        guard let load = session.load(item: 0, type: "text/plain") else { return }
        load.onEvent = { if case .delivery(.failed(let code, _)) = $0 { failures.append(code) } }
        loads.append(load)
      }
      /// Everything that can be said in a session, with serials that are not the open question's.
      func noise(_ serial: UInt32) {
        for wrong in [0, serial &+ 1, serial &- 1, serial &+ 1000, .max] where wrong != serial {
          for drag in drags {
            drag.answer(serial: wrong)
            drag.configure(serial: wrong, SourceOptions(isRestricted: true, prefersFullSize: true))
          }
          for drop in drops {
            drop.handle(serial: wrong, yes: false)
            drop.propose(serial: wrong, .forbidden)
            drop.performed(serial: wrong)
          }
          source.choose(serial: wrong, SessionID(1))
          target.refuseSpring(SessionID(wrong))
        }
      }
      let item = try #require(wire.makeItem())
      item.addType("text/plain", .all)
      item.onEvent = { event in
        guard case .load(let provision, _, _, _) = event else { return }
        let fd = clinux_memfd_create("none")
        provision.memory(fd)
        // The first answer counted, and was refused for its seals; the others are too late.
        provision.file(0)
        provision.stream(0)
        close(fd)
      }
      source.onEvent = { event in
        guard case .beginDrag(let session, _, let serial, _) = event else { return }
        drags.append(session)
        noise(serial)
        session.add(item)
        session.answer(serial: serial)
        session.answer(serial: serial)
        session.configure(serial: serial, SourceOptions(allowsMove: false))
        session.onEvent = { [unowned session] event in
          switch event {
          case .willBegin(let serial, _):
            noise(serial)
            session.configure(serial: serial, SourceOptions())
            session.configure(serial: serial, SourceOptions(isRestricted: true))
          case .gone: ended = true
          default: break
          }
        }
      }
      target.onEvent = { event in
        guard case .dropSession(let session, _) = event else { return }
        drops.append(session)
        session.onEvent = { event in
          switch event {
          case .canHandle(let serial):
            early(session)
            noise(serial)
            session.propose(serial: serial, .copy)
            session.handle(serial: serial, yes: true)
            session.handle(serial: serial, yes: false)
          case .update(let serial):
            early(session)
            noise(serial)
            session.handle(serial: serial, yes: false)
            session.performed(serial: serial)
            session.propose(serial: serial, .copy)
            session.propose(serial: serial, .forbidden)
          case .perform(let serial, _):
            noise(serial)
            if let load = session.load(item: 0, type: "text/plain") {
              load.onEvent = { if case .delivery(.failed(let code, _)) = $0 { arrived = code == 6 } }
              loads.append(load)
            }
            session.performed(serial: serial)
            session.performed(serial: serial)
            early(session)
          default: break
          }
        }
      }
      #expect(
        Wait.until(seconds: 20, descriptor: wire.fileDescriptor) {
          try? wire.dispatch()
          return ended
        })
      #expect(arrived)
      // X2: before, and after performed: outside_perform.
      #expect(failures.count >= 3 && failures.allSatisfy { $0 == 1 })
      #expect(events(d.monitor.remainingLines()).collapsed.suffix(2) == ["dropped", "ended"])
    }
  }
}
