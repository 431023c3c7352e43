internal import News
internal import Store

/// Findings about the store: its folder, the room on the disk, the database, and what was set aside.
struct StoreFindings {
  let folder: String
  let health: StoreHealth

  var findings: [Finding] {
    guard let mode = health.folderMode else {
      return [
        .ok("store", "Store", "none yet at \(folder.abbreviated): it is made when it is needed")
      ]
    }
    var findings = [folderFinding(mode)]
    if let space = spaceFinding { findings.append(space) }
    if health.hasDatabase { findings.append(databaseFinding) }
    if !health.setAside.isEmpty {
      findings.append(
        .attention(
          "setAside", "Set aside", "a damaged database was put aside",
          health.setAside.map(\.abbreviated), next: "remove it once nothing is missed"))
    }
    return findings
  }

  private func folderFinding(_ mode: Int) -> Finding {
    let path = folder.abbreviated
    if !health.isFolder {
      return .failed(
        "store", "Store", "\(path) is no folder", next: "choose another with --store")
    }
    if !health.isWritable {
      return .failed(
        "store", "Store", "\(path) cannot be written",
        next: health.isOwn ? "chmod -R u+rwX \(folder)" : "choose another with --store")
    }
    if !health.isOwn {
      return .attention(
        "store", "Store", "\(path) belongs to somebody else", next: "choose another with --store")
    }
    if mode & 0o077 != 0 {
      return .attention(
        "store", "Store", "others may look into \(path)", next: "chmod 700 \(folder)")
    }
    if let file = health.databaseMode, file & 0o077 != 0 {
      return .attention(
        "store", "Store", "others may read the database in \(path)",
        next: "chmod 600 \(folder)/telex.sqlite*")
    }
    return .ok("store", "Store", "\(path), yours alone")
  }

  private var spaceFinding: Finding? {
    guard let free = health.bytesFree else { return nil }
    let text = "\(Measures.bytes(free)) free"
    switch free {
    case ..<10_000_000:
      return .failed("space", "Space", "only \(text)", next: "make room on the disk")
    case ..<200_000_000:
      return .attention("space", "Space", "only \(text)", next: "make room on the disk")
    default: return .ok("space", "Space", text)
    }
  }

  private var databaseFinding: Finding {
    if let error = health.error {
      return .failed("database", "Database", error.message, next: error.next)
    }
    if health.isEmpty {
      return .failed(
        "database", "Database", "telex.sqlite is empty: it was emptied, or its first start failed",
        next: health.bytesOnDisk > 0
          ? "telex doctor --repair saves what its log has"
          : "put a copy of it back; without one the next start begins a new database")
    }
    let schema = health.schema ?? 0
    let size = Measures.bytes(health.bytesOnDisk)
    if !health.damage.isEmpty {
      return Finding(
        name: "database", label: "Database", state: .failed, text: "damaged, \(size)",
        details: health.damage,
        next: "telex doctor --repair saves what can be read, with all marks")
    }
    if schema > StoreHealth.currentSchema {
      return .failed(
        "database", "Database", "written by a newer Telex (schema \(schema))",
        next: "install the newer Telex, or choose another folder with --store")
    }
    if schema < StoreHealth.firstSchema {
      return .failed(
        "database", "Database",
        "written by a Telex from before the first release (schema \(schema))",
        next: StoreHealth.adviceOnFormerSchemas)
    }
    if schema < StoreHealth.currentSchema {
      return .ok(
        "database", "Database", "\(size), schema \(schema): the next start brings it up to date")
    }
    let checked =
      !health.isChecked
      ? "not checked to its end, for it is large"
      : health.isIndexChecked ? "sound" : "sound; its search index was busy"
    return .ok("database", "Database", "\(checked), \(size), schema \(schema)")
  }
}
