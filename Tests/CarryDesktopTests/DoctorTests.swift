import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// `carry doctor` on a whole desktop, and on one with faults.
  @Suite(.serialized) struct Doctor {
    @Test func aWorkingDesktopIsWell() throws {
      let d = try Desktop()
      let doctor = try d.tool("doctor", "--json", "--config", "/dev/null/none")
      let lines = doctor.remainingLines()
      // The one thing that is wrong is the file that we named.
      #expect(doctor.waitForExit(seconds: 10) == 1)
      #expect(lines.filter { $0.contains("\"failed\"") }.count == 1)
      #expect(lines.contains { $0.contains("\"configuration\"") && $0.contains("/dev/null/none") })
      let well = try d.tool("doctor")
      let text = well.remainingLines()
      #expect(well.waitForExit(seconds: 10) == 0, "\(text)")
      for line in [
        "ok      display: display \(d.server.display) answers", "ok      compositor: a compositing manager runs",
        "ok      socket: \(d.socket) is yours alone, and answers",
        "ok      engine: carryd 0.1.0, pid \(d.engine.pid), serves display \(d.server.display)",
      ] { #expect(text.contains(line), "\(text)") }
    }

    @Test("G6: file systems that hang are a finding, and the other findings come") func G6_hangs() throws {
      guard let stuck = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file system that hangs") }
      let d = try Desktop(compositor: nil)
      let doctor = try d.tool("doctor", "--policy", stuck.silentPath, "--config", stuck.silentPath)
      for check in ["configuration", "policy"] {
        let finding = "failed  \(check): \(stuck.silentPath): its file system does not answer"
        #expect(doctor.readLine { $0.hasPrefix(finding) } != nil)
      }
      #expect(doctor.readLine { $0.contains("engine: carryd") } != nil)
      stuck.look()
      #expect(!stuck.cameTooLate)
      // The kernel does not end a process that waits for such a file system.
      stuck.answer()
      #expect(doctor.waitForExit(seconds: 10) == 1)
    }

    @Test("G6: the policy and the manifests are read as the engine reads them")
    func G6_aBrokenPolicyIsFound() throws {
      let place = try TestFolder("doctor")
      let folder = place.path
      try Files.write("# nothing\n[forbid]\ntpye = */*\n", to: folder + "/10.conf")
      let p = try ChildProcess(
        [try Checkout.program("carry"), "doctor", "--policy", folder, "--manifests", folder],
        environment: ["DISPLAY": ""], output: .pipe)
      let lines = p.remainingLines()
      #expect(p.waitForExit(seconds: 10) == 1)
      #expect(lines.contains { $0.hasPrefix("failed  policy: \(folder)/10.conf:3: unknown key 'tpye'") }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("warning manifests: \(folder)/10.conf:2: unknown section") }, "\(lines)")
    }

    @Test("F1, K6: programs and file providers of manifests that are not there, or cannot be run, are found")
    func F1_K6_missingProgramsAreFound() throws {
      let place = try TestFolder("doctor")
      let folder = place.path
      func manifests(_ text: String, in directory: String? = nil) throws -> String {
        remove(folder + "/a.conf")
        try Files.write(text, to: folder + "/a.conf")
        let p = try ChildProcess(
          [try Checkout.program("carry"), "doctor", "--manifests", directory ?? folder], environment: ["DISPLAY": ""],
          output: .pipe)
        let line = try #require(p.remainingLines().first { $0.contains(" manifests: ") })
        return line.replacing("warning manifests: \(folder)/a.conf: ", with: "")
      }
      let provided = "executable = /bin/ls\nfile-provider = \(folder)/provider\n"
      let advice = "install it there, or correct the manifest: carry-policy(5)"
      #expect(
        try manifests(provided) == "its file provider \(folder)/provider: No such file or directory; \(advice)")
      try Files.write("no program", to: folder + "/provider")
      #expect(
        try manifests(provided) == "its file provider \(folder)/provider is no program that you may run; \(advice)")
      chmod(folder + "/provider", 0o700)
      #expect(try manifests(provided) == "ok      manifests: 1 manifest")
      #expect(
        try manifests("executable = \(folder)/none\n")
          == "its executable \(folder)/none: No such file or directory; \(advice)")
      #expect(
        try manifests("script = \(folder)/script\n")
          == "its script \(folder)/script: No such file or directory; \(advice)")
      try Files.write("#!/bin/sh\n", to: folder + "/script")
      #expect(try manifests("script = \(folder)/script\n") == "ok      manifests: 1 manifest")
      #expect(
        try manifests("", in: folder + "/none").hasPrefix(
          "warning manifests: \(folder)/none: there is no such directory"))
    }

    @Test func whatIsWrongIsFound() throws {
      let d = try Desktop(compositor: nil)
      func doctor(_ arguments: String...) throws -> [String] {
        let p = try d.tool(["doctor"] + arguments)
        let lines = p.remainingLines()
        #expect(p.waitForExit(seconds: 10) == (lines.contains { $0.hasPrefix("failed") } ? 1 : 0))
        return lines
      }
      #expect(try doctor().contains { $0.hasPrefix("warning compositor:") })
      // Others could connect.
      chmod(d.socket, 0o666)
      #expect(try doctor().contains { $0.hasPrefix("failed  socket:") && $0.contains("chmod 600 \(d.socket)") })
      chmod(d.socket, 0o600)
      // The environment points elsewhere.
      let elsewhere = try doctor("--socket", d.folder + "/none")
      #expect(elsewhere.contains { $0.hasPrefix("failed  engine:") && $0.contains("CARRY_SOCKET=\(d.socket)") })
      // Stopped, it does not answer; dead, it is one failure.
      d.engine.signal(SIGSTOP)
      #expect(try doctor().contains { $0.hasPrefix("failed  socket:") && $0.contains("does not answer") })
      d.engine.stop(SIGKILL)
      let dead = try doctor()
      #expect(dead.filter { $0.hasPrefix("failed") }.count == 1, "\(dead)")
      #expect(dead.contains { $0.hasPrefix("failed  engine:") && $0.contains("no engine serves") })
    }
  }
}
