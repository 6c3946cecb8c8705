import type { EntityEngine } from '../entities'

/** A person ticks a to-do off, and may take that back. */
export function registerTodos(engine: EntityEngine): void {
  engine.registerEntityService('sys.todo.done', {
    effect: ({ record, now }) => {
      record.doneAt = now.toISOString()
    },
  })
  engine.registerEntityService('sys.todo.reopen', {
    effect: ({ record }) => {
      record.doneAt = null
    },
  })
}
