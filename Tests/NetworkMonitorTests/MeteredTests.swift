#if os(Linux)
  import ChildProcess
  import Foundation
  import News
  import Requirements
  import Testing

  @testable import NetworkMonitor

  @Suite struct MeteredTests {
    @Test(
      arguments: [
        (0, nil), (1, true), (2, false), (3, true), (4, false), (5, nil), (-1, nil),
      ] as [(Int32, Bool?)])
    func `A guess that it costs counts as costing`(answer: Int32, meaning: Bool?) {
      #expect(NetworkManagerQuestion.meaning(of: answer) == meaning)
    }
  }

  /// The monitor asks a bus of the test's own through GLib, as it would ask the system's. It has a
  /// network of its own: without one it does not ask what one costs.
  @Suite(.needs(.networkNamespace), .needs(.glib), .serialized)
  struct SystemBusTests {
    @Test(arguments: [(1, "metered"), (2, "online"), (3, "metered"), (4, "online"), (0, "online")])
    func `What NetworkManager says is told`(answer: UInt32, state: String) async throws {
      try await expect(state, on: SystemBus(.says(answer)))
    }

    @Test func `What makes no sense is not believed`() async throws {
      try await expect("online", on: SystemBus(.saysText))
    }

    @Test func `A bus that greets and then says nothing is given up on`() async throws {
      try await expect("online", on: SystemBus(.keepsQuiet))
    }

    @Test func `A bus that leaves takes nothing with it`() async throws {
      try await expect("online", on: SystemBus(.leaves))
    }

    @Test func `Without a bus nobody knows`() async throws {
      let bus = try SystemBus(.says(1))
      let address = bus.address
      bus.end()
      try await expect("online", at: address)
    }

    private func expect(_ state: String, on bus: SystemBus) async throws {
      defer { bus.end() }
      try await expect(state, at: bus.address)
    }

    private func expect(_ state: String, at address: String) async throws {
      var environment = ProcessInfo.processInfo.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
      let line = """
        ip link add eth0 type veth peer name eth1 && ip addr add 192.0.2.5/24 dev eth0 &&
          ip link set eth1 up && ip link set eth0 up || exit 9
        until ip link show eth0 | grep -q LOWER_UP; do :; done
        exec "$0" ask
        """
      let watcher = try ChildProcess(
        "unshare", ["-rn", "sh", "-c", line, BuiltProduct.path(of: "network-watcher")],
        input: .held, environment: environment)
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end, Set(watcher.output.split(separator: "\n")).count < 2 {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(Set(watcher.output.split(separator: "\n")) == ["1 \(state)", "2 \(state)"])
      #expect(watcher.errors == "")
      watcher.closeInput()
      #expect(await watcher.end() == .exited(0))
    }
  }
#endif
