/// Folder in which each of the user's machines keeps a log of records. Each machine writes its own log and
/// reads all.
package protocol LogSource: Sendable {
  /// The log files that there are, those of this machine included.
  ///
  /// - Throws: `SourceError` where the folder cannot be read.
  func files() async throws -> [LogFile]

  /// The records of a file beyond what was read of it before.
  ///
  /// - Parameter position: what was read before; where the file no longer begins with that, all of it is
  ///   read.
  func read(_ file: LogFile, after position: LogPosition?) async throws -> LogPage

  /// Appends records to the log of this machine, and returns when they are on the disk. Asked once more
  /// after a kill, it completes what was begun.
  func append(_ records: [LogRecord], to log: OwnLog) async throws -> LogWriteOutcome

  /// Writes a new file of this machine's log with these records.
  func rewrite(_ log: OwnLog, with records: [LogRecord]) async throws -> OwnLog

  /// Removes the files of this machine's log that a new one has taken the place of, and that were read.
  func removeFormer(than log: OwnLog, read positions: [LogPosition]) async throws
}

/// File of a log as the folder lists it.
package struct LogFile: Hashable, Sendable {
  /// Below the folder of the logs: the machine's folder and the name, as in `5f0c/000001.tsv`.
  package var path: String
  /// Digest of size, time of modification and number of the file: the same for as long as nobody writes it.
  package var fingerprint: Int64

  package init(path: String, fingerprint: Int64) {
    self.path = path
    self.fingerprint = fingerprint
  }
}

/// How far a file has been read.
package struct LogPosition: Hashable, Sendable {
  package var path: String
  /// In bytes: the end of the last complete line.
  package var size: Int64
  /// Of the bytes up to there.
  package var digest: Int64
  package var fingerprint: Int64

  package init(path: String, size: Int64, digest: Int64, fingerprint: Int64) {
    self.path = path
    self.size = size
    self.digest = digest
    self.fingerprint = fingerprint
  }
}

/// Records of a file, and how far it has been read with them.
package struct LogPage: Hashable, Sendable {
  package var records: [LogRecord]
  package var position: LogPosition
  /// Lines that could not be read.
  package var damaged: Int
  /// Whether a newer version has written it, in a form that this one does not know.
  package var isNewer: Bool

  package init(
    records: [LogRecord], position: LogPosition, damaged: Int = 0, isNewer: Bool = false
  ) {
    self.records = records
    self.position = position
    self.damaged = damaged
    self.isNewer = isNewer
  }
}

/// Log of this machine as it was written last.
package struct OwnLog: Hashable, Sendable {
  /// Random, and not the name of the host.
  package var machine: String
  /// The number of its file; 0 where there is none yet.
  package var file: Int
  /// In bytes.
  package var size: Int64
  /// Of its bytes.
  package var digest: Int64
  /// Its size when it was last written anew.
  package var base: Int64
  package var fingerprint: Int64

  package init(
    machine: String, file: Int = 0, size: Int64 = 0, digest: Int64 = 0, base: Int64 = 0,
    fingerprint: Int64 = 0
  ) {
    self.machine = machine
    self.file = file
    self.size = size
    self.digest = digest
    self.base = base
    self.fingerprint = fingerprint
  }

  /// Below the folder of the logs.
  package var path: String { Self.path(machine, file) }

  package static func path(_ machine: String, _ file: Int) -> String {
    "\(machine)/\(String(zeroPadded: file, to: 6)).tsv"
  }

  /// Whether so many of its records have been replaced that it is worth writing it anew.
  package var wantsRewriting: Bool { file == 0 || size > max(64 << 10, 3 * base) }

  /// As a file that was read to its end.
  package var position: LogPosition {
    LogPosition(path: path, size: size, digest: digest, fingerprint: fingerprint)
  }
}

/// What came of appending to the log of this machine.
package enum LogWriteOutcome: Hashable, Sendable {
  case written(OwnLog)
  /// The file is not as this machine has left it: a copy of this store writes under the same id, or somebody
  /// has removed or replaced it.
  case displaced
}
