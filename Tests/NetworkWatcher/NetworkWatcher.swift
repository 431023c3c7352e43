// network-watcher: prints what the network monitor says, a line each, until standard input ends. Then
// it prints what is left open, and ends. Its first argument is what the network costs in the place
// of NetworkManager's answer: `metered`, `free`, `unknown`, or `ask` to ask NetworkManager.

internal import Foundation
internal import NetworkMonitor
internal import News

@main
struct NetworkWatcher {
  static func main() async {
    let observers = await withTaskGroup(of: Void.self) { group in
      let monitor = monitor(CommandLine.arguments.dropFirst().first ?? "ask")
      for observer in 1...2 {
        group.addTask {
          for await state in monitor.states() { write("\(observer) \(name(of: state))") }
        }
      }
      // Some look once, and some do not even that.
      for await _ in monitor.states() { break }
      _ = monitor.states()
      group.addTask { await endOfInput() }
      // The observers do not end by themselves.
      await group.next()
      group.cancelAll()
      await group.waitForAll()
      return 2
    }
    await leftOpen(observers)
  }

  static func monitor(_ cost: String) -> NetworkMonitor {
    switch cost {
    case "metered": NetworkMonitor { true }
    case "free": NetworkMonitor { false }
    case "unknown": NetworkMonitor { nil }
    default: NetworkMonitor()
    }
  }

  static func name(of state: Connectivity) -> String {
    switch state {
    case .unknown: "unknown"
    case .offline: "offline"
    case .online(isMetered: true): "metered"
    case .online(isMetered: false): "online"
    }
  }

  static func write(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  private static func endOfInput() async {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) > 0 {}
        done.resume()
      }
    }
  }

  /// Prints that no socket and no thread of the monitor's is left; waits for it for a while, since
  /// they end on their own.
  private static func leftOpen(_ observers: Int) async {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if sockets() == 0, threads() == 0 { return write("nothing left of \(observers)") }
      try? await Task.sleep(for: .milliseconds(5))
    }
    write("left: \(sockets()) sockets, \(threads()) threads")
  }

  private static func sockets() -> Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { Int32($0) }.count { descriptor in
      var address = sockaddr()
      var length = socklen_t(MemoryLayout.size(ofValue: address))
      guard getsockname(descriptor, &address, &length) == 0 else { return false }
      return address.sa_family == 16  // AF_NETLINK
    }
  }

  private static func threads() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      return name?.hasPrefix("telex.network") == true
    }
  }
}
