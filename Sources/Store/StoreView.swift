internal import GRDB

/// Read access to one consistent snapshot of the store, valid inside the closure that received it.
package struct StoreView {
  let db: Database
}
