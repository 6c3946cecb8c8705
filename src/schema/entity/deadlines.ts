import type { EntityDocument } from '../generated/entity'

type Deadline = NonNullable<EntityDocument['x-deadlines']>[number]
type Machine = NonNullable<EntityDocument['x-states']>[number]

/** The states in which a deadline counts: those that it names, else those that its transition leaves; null: it counts in any. */
export function statesOf(document: EntityDocument, deadline: Deadline): { machine: Machine; states: readonly string[] } | null {
  const machines = document['x-states'] ?? []
  const named = deadline.state === undefined ? undefined : machines.find(({ field }) => field === deadline.state)
  const taken =
    deadline.transition === undefined
      ? undefined
      : machines
          .filter((machine) => named === undefined || machine === named)
          .flatMap((machine) => machine.transitions.map((transition) => ({ machine, transition })))
          .find(({ transition }) => transition.id === deadline.transition)
  const machine = named ?? taken?.machine ?? machines[0]
  const states = deadline.in ?? taken?.transition.from
  return machine && states ? { machine, states } : null
}

/**
 * The fields over which an index serves each deadline, the moment last. Retention looks at deleted rows, too: an index over live rows
 * alone does not serve it.
 */
export const deadlineIndexes = (document: EntityDocument): readonly { fields: readonly string[]; live: boolean }[] =>
  (document['x-deadlines'] ?? []).map((deadline) => {
    const counted = statesOf(document, deadline)
    return { fields: [...(counted ? [counted.machine.field] : []), deadline.at], live: deadline.delete !== true }
  })
