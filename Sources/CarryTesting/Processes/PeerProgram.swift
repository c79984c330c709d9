import CLinux
import CarrySystem

/// A program in C or C++ that a test compiles for itself.
package enum PeerProgram {
  /// A program did not compile, with what the compiler said.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Compiles a program, unless it is there already.
  ///
  /// - Parameters:
  ///   - name: the program's file.
  ///   - folder: where it is put; made when it is not there.
  ///   - command: for a shell: the compiler with its flags, sources and libraries, and without where the program goes.
  /// - Returns: the path of the program.
  package static func build(_ name: String, in folder: String, _ command: String) throws -> String {
    let program = folder + "/" + name
    if Files.exists(program) { return program }
    mkdir(folder, 0o700)
    // Under a name of its own first: tests that run at the same time must not find half of it, nor write what another
    // one has just named.
    let new = program + ".\(UInt32.random(in: 0 ... .max))"
    let compiler = try ChildProcess(["sh", "-c", "\(command) -o '\(new)'"], output: .pipe)
    var words: [String] = []
    while let line = compiler.readLine(seconds: 180) { words.append(line) }
    guard compiler.waitForExit(seconds: 10) == 0 else {
      throw Failure(description: "\(name) did not compile:\n" + words.joined(separator: "\n"))
    }
    try check("rename", program) { rename(new, program) }
    return program
  }
}
