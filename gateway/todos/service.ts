import type { EntityEngine, TransitionHook } from '../entities'
import type { Text } from '../platform/http'

/** To-dos behind which somebody waits for an answer: they are over with the answer. */
export const WAITING_KINDS: readonly string[] = ['decide', 'appeal', 'handOver']

/** A person ticks a to-do off, and may take that back. */
export function registerTodos(engine: EntityEngine): void {
  engine.registerEntityService('sys.todo.done', {
    guard: (hook) => whileWaiting(engine, hook),
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

/** A decision that is still open is not done by saying so. */
async function whileWaiting(engine: EntityEngine, { before, entities }: TransitionHook): Promise<Text | null> {
  const { kind, subjectEntity, subjectId } = before
  if (!WAITING_KINDS.includes(String(kind)) || !engine.names().includes(String(subjectEntity))) return null
  const subject = await entities.find(String(subjectEntity), String(subjectId))
  return subject?.status === 'pending'
    ? {
        zh: '对方还在等待决定：请打开后处理，处理完毕待办自动完成。',
        en: 'Somebody waits for the decision: open it and decide; the to-do is done with that.',
      }
    : null
}
