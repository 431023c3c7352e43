internal import News

@testable internal import Services

/// A change that a user has made, as the judge of a course knows it.
struct LogWish: Hashable {
  var register: LogRegister
  var value: String
  var stamp: Int64
  var machine: String
}

/// The values that records of several machines come to.
struct LogState: Hashable, Sendable {
  private(set) var records: [LogRegister: LogRecord] = [:]

  subscript(register: LogRegister) -> LogRecord? { records[register] }

  /// - Returns: whether the record counts from now on.
  @discardableResult
  mutating func merge(_ record: LogRecord) -> Bool {
    if let known = records[record.register], !record.wins(over: known) { return false }
    records[record.register] = record
    return true
  }
}

/// A machine of the user: its store and its copy of the folder, as values. What it writes and reads goes
/// through the code that reads and writes the files.
struct LogMachine {
  /// A change that waits to be written.
  struct Waiting: Hashable {
    var register: LogRegister
    var value: String
    /// By the machine's clock, in seconds.
    var time: Int64
    var wish: Int
  }

  /// Records that are being appended, and the wishes they stand for.
  struct Pending: Hashable {
    var records: [LogRecord]
    var wishes: [Int]
  }

  var clock: Int64
  var state = LogState()
  var log: OwnLog
  var outbox: [Waiting] = []
  var pending: Pending?
  var positions: [String: LogPosition] = [:]
  /// What the user sees, with the wish that it comes from.
  var view: [LogRegister: (value: String, wish: Int)] = [:]
  /// Its copy of the folder.
  var disk: [String: [UInt8]] = [:]
  /// Files that were removed, as they were: removals are carried as well.
  var removed: [String: [UInt8]] = [:]

  init(id: String, clock: Int64) {
    log = OwnLog(machine: id)
    self.clock = clock
  }
}

/// All machines of a course, and what the judge knows.
struct LogWorld {
  private(set) var machines: [LogMachine]
  private var time: Int64 = 1_773_000_000
  private var names = 0
  private var copies = 0
  /// The wishes that each wish has taken the place of: its user saw them.
  private var overwritten: [Set<Int>] = []
  private var registers: [LogRegister] = []
  /// The wish behind each record, whichever machine's name it bears by now.
  private var origins: [LogWish: Int] = [:]

  init(_ course: LogCourse) {
    machines = []
    for clock in course.clocks { machines.append(LogMachine(id: newName(), clock: clock)) }
  }

  private mutating func newName() -> String {
    names += 1
    // In no order of their own.
    let digits = String((names &* 7_919) % 9_973 + 10_000)
    return "machine" + digits
  }

  mutating func perform(_ step: LogStep) {
    func index(_ number: Int) -> Int { number % machines.count }
    switch step {
    case .change(let machine, let register, let value):
      change(index(machine), Self.register(register), value ? "1" : "0")
    case .wait(let seconds): time += seconds
    case .setClock(let machine, let clock): machines[index(machine)].clock = clock
    case .sync(let machine, let limit): sync(index(machine), killedAfter: limit)
    case .rewrite(let machine, let isKilled): rewrite(index(machine), isKilled: isKilled)
    case .carry(let from, let to, let file, let length):
      let (from, to) = (index(from), index(to))
      guard from != to else { return }
      let paths = Set(machines[from].disk.keys).union(machines[from].removed.keys).sorted()
      guard !paths.isEmpty else { return }
      carry(paths[file % paths.count], from: from, to: to, length: length)
    case .copyStore(let machine): machines.append(machines[index(machine)])
    }
  }

  private static func register(_ number: Int) -> LogRegister {
    switch number {
    case 0: LogRegister(LogRegister.feed, feed: "https://a.example/feed")
    case 1:
      LogRegister(
        LogRegister.tag, feed: "https://a.example/feed", article: "1\t\\n", detail: "a\nb\r")
    case 2: LogRegister(LogRegister.star, feed: "https://a.example/feed", article: "2")
    default:
      LogRegister(LogRegister.read, feed: "https://a.example/feed", article: "\(number)")
    }
  }

  // MARK: - The machine

  private mutating func change(_ machine: Int, _ register: LogRegister, _ value: String) {
    // The store writes nothing where nothing changes.
    guard (machines[machine].view[register]?.value ?? "0") != value else { return }
    let wish = overwritten.count
    let seen = machines[machine].view[register].map { [$0.wish] } ?? []
    overwritten.append(seen.reduce(into: Set(seen)) { $0.formUnion(overwritten[$1]) })
    registers.append(register)
    machines[machine].view[register] = (value, wish)
    machines[machine].outbox.append(
      LogMachine.Waiting(
        register: register, value: value, time: time + machines[machine].clock, wish: wish))
  }

  /// As `LogsEdit.beginWrite`.
  private mutating func begin(_ index: Int) -> Bool {
    var machine = machines[index]
    if machine.pending != nil { return true }
    guard !machine.outbox.isEmpty else { return false }
    var pending = LogMachine.Pending(records: [], wishes: [])
    for waiting in machine.outbox {
      let record = LogRecord(
        waiting.register, waiting.value,
        stamp: LogClock.stamp(
          at: waiting.time * 1_000_000, after: machine.state[waiting.register]?.stamp),
        machine: machine.log.machine)
      machine.state.merge(record)
      note(record, waiting.wish)
      pending.records.append(record)
      pending.wishes.append(waiting.wish)
    }
    machine.pending = pending
    machines[index] = machine
    return true
  }

  private mutating func note(_ record: LogRecord, _ wish: Int) {
    let key = LogWish(
      register: record.register, value: record.value, stamp: record.stamp, machine: record.machine)
    // Two copies of a store may say the same at the same moment.
    if origins[key] == nil { origins[key] = wish }
  }

  private func wish(of record: LogRecord) -> Int? {
    origins[
      LogWish(
        register: record.register, value: record.value, stamp: record.stamp,
        machine: record.machine)]
  }

  private mutating func finish(_ index: Int, _ log: OwnLog) {
    machines[index].log = log
    let done = Set(machines[index].pending?.wishes ?? [])
    machines[index].outbox.removeAll { done.contains($0.wish) }
    machines[index].pending = nil
    machines[index].positions[log.path] = log.position
  }

  private static func fingerprint(_ bytes: [UInt8]) -> Int64 { RunningDigest.of(bytes) ^ 1 }

  private mutating func deliver(_ index: Int, killedAfter limit: Int?) -> Bool {
    while begin(index) {
      let log = machines[index].log
      guard log.file > 0 else {
        rewrite(index, isKilled: false)
        continue
      }
      let lines = LogText.lines(machines[index].pending?.records ?? [])
      guard let found = machines[index].disk[log.path] else {
        displace(index)
        continue
      }
      var bytes = found
      switch LogAppending(lines, to: found, after: log) {
      case .displaced:
        displace(index)
        continue
      case .nothing: break
      case .write(let missing, let offset):
        bytes.removeSubrange(offset...)
        if let limit, limit < missing.count {
          machines[index].disk[log.path] = bytes + missing.prefix(limit)
          return false
        }
        bytes += missing
      }
      machines[index].disk[log.path] = bytes
      if limit != nil { return false }
      var written = log
      written.size = Int64(bytes.count)
      written.digest = RunningDigest.of(bytes)
      written.fingerprint = Self.fingerprint(bytes)
      finish(index, written)
    }
    return true
  }

  /// As `LogsEdit.renewMachine`.
  private mutating func displace(_ index: Int) {
    let (former, name) = (machines[index].log.machine, newName())
    var state = LogState()
    for record in machines[index].state.records.values {
      var record = record
      if record.machine == former {
        let wish = wish(of: record)
        record.machine = name
        if let wish { note(record, wish) }
      }
      state.merge(record)
    }
    machines[index].state = state
    machines[index].log = OwnLog(machine: name)
  }

  private mutating func rewrite(_ index: Int, isKilled: Bool) {
    var machine = machines[index]
    let own = machine.state.records.values.filter { $0.machine == machine.log.machine }
    guard !own.isEmpty else { return }
    var written = machine.log
    let folder = machine.log.machine + "/"
    let numbers = machine.disk.keys.filter { $0.hasPrefix(folder) }.compactMap { path in
      Int(path.dropFirst(folder.count).prefix { $0.isNumber })
    }
    written.file = max(written.file, numbers.max() ?? 0) + 1
    let bytes =
      LogText.header(of: written.machine)
      + LogText.lines(own.sorted { $1.wins(over: $0) })
    machine.disk[written.path] = bytes
    machines[index] = machine
    if isKilled { return }
    written.size = Int64(bytes.count)
    written.digest = RunningDigest.of(bytes)
    written.fingerprint = Self.fingerprint(bytes)
    finish(index, written)
    for (path, bytes) in machine.disk
    where path.hasPrefix(folder) && path != written.path
      && machines[index].positions[path]?.fingerprint == Self.fingerprint(bytes)
    {
      machines[index].disk[path] = nil
      machines[index].removed[path] = bytes
    }
  }

  private mutating func sync(_ index: Int, killedAfter limit: Int?) {
    guard deliver(index, killedAfter: limit) else { return }
    for (path, bytes) in machines[index].disk.sorted(by: { $0.key < $1.key }) {
      let position = machines[index].positions[path]
      let file = LogFile(path: path, fingerprint: Self.fingerprint(bytes))
      guard position?.fingerprint != file.fingerprint else { continue }
      let page = LogPage(of: file, bytes, after: position)
      for record in page.records where machines[index].state.merge(record) {
        let isHeld = machines[index].outbox.contains { $0.register == record.register }
        if !isHeld, let wish = wish(of: record) {
          machines[index].view[record.register] = (record.value, wish)
        }
      }
      machines[index].positions[path] = page.position
    }
    for path in machines[index].positions.keys where machines[index].disk[path] == nil {
      machines[index].positions[path] = nil
    }
  }

  // MARK: - Carrying

  private mutating func carry(_ path: String, from: Int, to: Int, length: Int?) {
    let there = machines[to].disk[path]
    guard let bytes = machines[from].disk[path] else {
      // A removal is carried where the file is what was removed.
      guard let former = machines[from].removed[path], let there, former.starts(with: there) else {
        return
      }
      machines[to].disk[path] = nil
      machines[to].removed[path] = former
      return
    }
    // Gone on purpose.
    if there == nil, machines[to].removed[path]?.starts(with: bytes) == true { return }
    let isOwn = path.hasPrefix(machines[to].log.machine + "/")
    guard isOwn, let there else {
      // Versions may come in the wrong order, and in part.
      machines[to].disk[path] = length.map { Array(bytes.prefix($0)) } ?? bytes
      return
    }
    // Nobody but its owner writes a log, unless the store was copied: both versions are kept then.
    guard !there.starts(with: bytes) else { return }
    machines[to].disk[path] = bytes
    guard !bytes.starts(with: there) else { return }
    copies += 1
    let name = String(path.dropLast(4)) + ".sync-conflict-\(copies).tsv"
    machines[to].disk[name] = there
  }

  /// Everything is carried everywhere, and each machine syncs, until nothing changes.
  ///
  /// - Returns: whether it came to that.
  mutating func settle() -> Bool {
    for _ in 0..<20 {
      let before = machines.map {
        "\($0.disk.mapValues(RunningDigest.of).sorted { $0.key < $1.key })"
      }
      for from in machines.indices {
        for to in machines.indices where to != from {
          let paths = Set(machines[from].disk.keys).union(machines[from].removed.keys).sorted()
          for path in paths {
            // The owner's version is the newest.
            let isTheirs = machines.indices.contains { other in
              other != from && path.hasPrefix(machines[other].log.machine + "/")
            }
            let isOwn = path.hasPrefix(machines[from].log.machine + "/")
            if isOwn || !isTheirs || machines[to].disk[path] == nil {
              carry(path, from: from, to: to, length: nil)
            }
          }
        }
      }
      for index in machines.indices { sync(index, killedAfter: nil) }
      let after = machines.map {
        "\($0.disk.mapValues(RunningDigest.of).sorted { $0.key < $1.key })"
      }
      if before == after, machines.allSatisfy({ $0.outbox.isEmpty && $0.pending == nil }) {
        return true
      }
    }
    return false
  }

  /// What is wrong with the world in the end; nil where nothing is.
  func problem() -> String? {
    for register in Set(registers) {
      let views = machines.map { $0.view[register]?.value ?? "0" }
      guard Set(views).count == 1 else { return "\(register.kind) \(register.article): \(views)" }
      for machine in machines where machine.state[register]?.value != views[0] {
        return "\(register.kind) \(register.article) shows \(views[0]), and its record says "
          + "\(machine.state[register]?.value ?? "nothing")"
      }
      guard let last = machines[0].view[register]?.wish else {
        return "\(register.kind) \(register.article) was changed, and nothing is left of it"
      }
      for wish in overwritten.indices where overwritten[wish].contains(last) {
        return "\(register.kind) \(register.article): wish \(last) came back over wish \(wish)"
      }
    }
    return nil
  }

  /// What a course comes to; nil where all is well.
  static func failure(of course: LogCourse) -> String? {
    var world = LogWorld(course)
    for step in course.steps { world.perform(step) }
    guard world.settle() else { return "it does not come to rest" }
    return world.problem()
  }
}
