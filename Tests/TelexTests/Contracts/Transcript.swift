import Foundation
import TestSupport

/// Commands with what they print, as text in a folder of `Fixtures/contracts`: `# ` begins a note, `$ ` a line of
/// shell, `! ` a fault of the servers, `= ` the exit status of the line before where it is not 0; indented lines are
/// its standard output.
struct Transcript {
  struct Step {
    var notes: [String] = []
    var command: String
    var result: [String] = []

    var status: Int32 {
      result.last.flatMap { $0.hasPrefix("= ") ? Int32($0.dropFirst(2)) : nil } ?? 0
    }

    /// The step with the result of a run.
    ///
    /// - Parameter names: texts of this run, such as addresses, with what stands for them.
    func with(_ outcome: TelexCommand.Outcome, _ names: [(String, String)]) -> Step {
      var output = Self.normalized(outcome.output, names).components(separatedBy: "\n")
      if output.last == "" { output.removeLast() }
      var step = self
      step.result =
        output.map { $0.isEmpty ? "" : "  " + $0 }
        + (outcome.status == 0 ? [] : ["= \(outcome.status)"])
      return step
    }

    /// The first place that differs from a former result; nil where both are equal.
    func difference(from former: Step) -> String? {
      guard result != former.result else { return nil }
      let lines = zip(result, former.result).first { $0 != $1 }
      guard let (now, then) = lines else {
        return "\(result.count) lines, and not \(former.result.count)"
      }
      let common = zip(now, then).prefix { $0 == $1 }.count
      let (new, old) = (now.dropFirst(max(0, common - 40)), then.dropFirst(max(0, common - 40)))
      return "is now  \(new.prefix(200))\nand was \(old.prefix(200))"
    }

    /// Replaces parts that differ from run to run by names. Dates in the files are before June 2026.
    private static func normalized(_ text: String, _ names: [(String, String)]) -> String {
      let text = names.reduce(text) { $0.replacing($1.0, with: $1.1) }
      return volatile.reduce(text) {
        $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression)
      }
    }

    private static let string = #""(?:[^"\\]|\\.)*""#

    private static let volatile = [
      // Times: ISO 8601, as mails have them, as the screen has them, microseconds and seconds since 1970.
      (#"20(26-(0[6-9]|1[0-2])|2[7-9]-\d\d|[3-9]\d-\d\d)-\d\d(T[0-9:]{8}Z| \d\d:\d\d)?"#, "TIME"),
      (#"\w{3} \d{1,2} \w{3} 20(2[6-9]|[3-9]\d), \d\d:\d\d"#, "TIME"),
      (#"\w{3}, \d\d \w{3} 20(2[6-9]|[3-9]\d) [0-9:]{8} [-+0-9]{5}"#, "TIME"),
      (#"\b1(7[89]|[89]\d)\d{7}(\d{6})?\b"#, "TIME"),
      // Of this build and this machine.
      (#""version":"\d+\.\d+\.\d+""#, #""version":"VERSION""#),
      (#""ok":(true|false),"version""#, #""ok":OK,"version""#),
      (
        #""state":"\w+","finding":\#(string),"details":\[(\#(string),?)*\],"next":(null|\#(string))"#,
        #""state":STATE,"finding":TEXT,"details":TEXTS,"next":TEXT"#
      ),
      // Measured.
      (
        #""(bytes|wholeBytes|file|free|removed|former|full|log|bytesReceived)":\d+(?!\d|,"total")"#,
        #""$1":SIZE"#
      ),
      (#""(dns|connect|tls|firstByte)":\d+"#, #""$1":TIME"#),
      (#"(?<="firstByte":TIME,"total":)\d+"#, "TIME"),
      (#"\[\d+(,\d+){9,}\]"#, "[NUMBERS]"),
      // Drawn, or made of addresses with their ports: machines, the check of their lines, books and mails.
      (#"127\.0\.0\.1:\d{4,5}"#, "ADDRESS"),
      (#"(?<==_|<)[0-9a-f]{32}"#, "ID"),
      (#"(?<=telex/|telex-log\t1\t)[0-9a-z]{16}\b"#, "MACHINE"),
      (#"(?<=\t)[0-9a-f]{8}(?=\n)"#, "CHECK"),
      (#"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"#, "UUID"),
    ]
  }

  let name: String
  var steps: [Step] = []
  /// Notes behind the last step.
  private var notes: [String] = []

  static let folder = "contracts"

  /// - Parameter name: the path in the folder, without its ending.
  init(_ name: String) throws {
    self.name = name
    let text = try String(contentsOf: Self.file(name), encoding: .utf8)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("# ") {
        notes.append(line)
      } else if line.hasPrefix("$ ") || line.hasPrefix("! ") {
        steps.append(Step(notes: notes, command: line))
        notes = []
      } else if !steps.isEmpty {
        steps[steps.count - 1].result.append(line)
      }
    }
    if steps.last?.result.last == "" { steps[steps.count - 1].result.removeLast() }
  }

  /// The names of the transcripts in a folder.
  static func names(in part: String) -> [String] {
    fixtureFiles(in: "\(folder)/\(part)").map { "\(part)/\($0.dropLast(".txt".count))" }
  }

  /// Writes the file anew with these steps.
  func record(_ steps: [Step]) throws {
    let lines = steps.flatMap { $0.notes + [$0.command] + $0.result } + notes
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file(name))
  }

  private static func file(_ name: String) -> URL {
    fixtures.appending(path: "\(folder)/\(name).txt")
  }
}
