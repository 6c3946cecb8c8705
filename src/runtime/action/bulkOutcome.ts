/** Result of an action on several records. */
export interface BulkOutcome {
  done: readonly string[]
  refused: readonly { id: string; title: string; reason: string }[]
}
