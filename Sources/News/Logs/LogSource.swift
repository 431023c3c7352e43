internal import Text

/// Folder of the logs of the user's devices. Each device writes its own log and reads all.
package protocol LogSource: Sendable {
  /// All log files, those of this device included.
  ///
  /// - Throws: `SourceError` where the folder cannot be read.
  func files() async throws -> [LogFile]

  /// The records of a file beyond `position`; all where the file no longer begins with what was
  /// read.
  func read(_ file: LogFile, after position: LogPosition?) async throws -> LogPage

  /// Appends records to the log of this device; they are on the disk when it returns. A repetition
  /// after a kill completes the first call.
  func append(_ records: [LogRecord], to log: OwnLog) async throws -> LogWriteOutcome

  /// Writes a new file of this device's log.
  func rewrite(_ log: OwnLog, with records: [LogRecord]) async throws -> OwnLog

  /// Removes files of this device's log that a new one has replaced and that were read.
  func removeFormer(than log: OwnLog, read positions: [LogPosition]) async throws
}

package struct LogFile: Hashable, Sendable {
  /// Relative to the folder of the logs: the device's folder and the name, as in `5f0c/000001.tsv`.
  package var path: String
  /// Digest of size, time of modification and inode: changes with every write.
  package var fingerprint: Int64

  package init(path: String, fingerprint: Int64) {
    self.path = path
    self.fingerprint = fingerprint
  }
}

/// How far a file has been read.
package struct LogPosition: Hashable, Sendable {
  package var path: String
  /// In bytes, up to the end of the last complete line.
  package var size: Int64
  /// Of those bytes.
  package var digest: Int64
  package var fingerprint: Int64

  package init(path: String, size: Int64, digest: Int64, fingerprint: Int64) {
    self.path = path
    self.size = size
    self.digest = digest
    self.fingerprint = fingerprint
  }
}

package struct LogPage: Hashable, Sendable {
  package var records: [LogRecord]
  package var position: LogPosition
  /// Lines that could not be read.
  package var damaged: Int
  /// Whether a newer version wrote it, in an unknown form.
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

/// Log of this device as it was last written.
package struct OwnLog: Hashable, Sendable {
  /// Random, and not the name of the host.
  package var machine: String
  /// 0 before the first file.
  package var file: Int
  /// In bytes.
  package var size: Int64
  /// Of its bytes.
  package var digest: Int64
  /// Its size when it was last rewritten.
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

  /// Relative to the folder of the logs.
  package var path: String { Self.path(machine, file) }

  package static func path(_ machine: String, _ file: Int) -> String {
    "\(machine)/\(String(zeroPadded: file, to: 6)).tsv"
  }

  /// Whether so many records were replaced that it should be rewritten.
  package var wantsRewriting: Bool { file == 0 || size > max(64 << 10, 3 * base) }

  package var position: LogPosition {
    LogPosition(path: path, size: size, digest: digest, fingerprint: fingerprint)
  }
}

package enum LogWriteOutcome: Hashable, Sendable {
  case written(OwnLog)
  /// The file is not as this device has left it: a copy of this store writes under the same id, or
  /// somebody has removed or replaced it.
  case displaced
}
