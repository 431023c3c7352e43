internal import Screen

@testable import Reader

/// The open screens, by their kinds.
extension ReaderState {
  var prompt: Prompt? { stack[Prompt.self] }
  var choice: Choice? { stack[Choice.self] }
  var health: HealthState? { stack[HealthState.self] }
  var outbox: OutboxState? { stack[OutboxState.self] }

  var healthRows: [HealthRow] { HealthState.rows(in: self) }
  func healthLayout(_ rows: [HealthRow]) -> PageLayout { HealthState.layout(rows, size) }
}
