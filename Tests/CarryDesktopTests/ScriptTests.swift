import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// The command line as scripts use it.
  @Suite(.serialized) struct Scripts {
    @Test("Z20: a script drags data of a type to another, which saves it, and reads of it on the monitor")
    func Z20_aWholeScript() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let work = try d.engine.folder.makeFolder("script")
      let script = """
        set -u
        type=application/vnd.example.card
        mkdir saved
        printf 'card \\0 number 7' > card.bin
        carry monitor --json --with-engine > monitor.json 2> monitor.log & monitor=$!
        carry drop --once --with-engine --json --accept "$type" --to saved --geometry 300x300+850+250 > drop.json & drop=$!
        carry drag --once --with-engine --json --type "$type" --data card.bin --geometry 300x300+50+250 > drag.json
        echo "drag $?"
        wait $drop
        echo "drop $?"
        cmp card.bin saved/card.bin && echo same
        wait $monitor
        for event in began entered dropped received data-delivered ended; do
          grep -q "\\"event\\": \\"$event\\".*\\"types\\": \\[\\"$type\\"\\].*\\"source\\": \\"carry drag\\"" monitor.json && echo "$event"
        done
        grep -c "\\"event\\": \\"dropped\\".*\\"operation\\": \\"copy\\".*\\"target\\": \\"carry drop\\"" monitor.json
        grep -c "\\"event\\": \\"received\\".*\\"type\\": \\"$type\\".*\\"bytes\\": 15" drop.json
        grep -c "\\"event\\": \\"dropped\\".*\\"operation\\": \\"copy\\"" drag.json
        """
      let programs = try Checkout.program("carry").split(separator: "/").dropLast().joined(separator: "/")
      let shell = try ChildProcess(
        ["env", "-C", work, "sh", "-c", script],
        environment: [
          "DISPLAY": d.server.display, "CARRY_SOCKET": d.socket,
          "PATH": "/" + programs + ":" + (environment("PATH") ?? "/usr/bin:/bin"),
        ], output: .pipe)
      #expect(
        shell.remainingLines() == [
          "drag 0", "drop 0", "same", "began", "entered", "dropped", "received", "data-delivered", "ended", "1", "1",
          "1",
        ])
      #expect(shell.waitForExit(seconds: 10) == 0)
    }
  }
}
