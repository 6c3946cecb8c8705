import type { BilingualText } from '../problem'
import type { EntityModel, StateMachine, StateTransition } from './model'

export interface FoundTransition {
  machine: StateMachine
  transition: StateTransition
}

/** All transitions of an entity, over all its state machines. */
export function transitionsOf(model: EntityModel): FoundTransition[] {
  return model.machines.flatMap((machine) => machine.transitions.map((transition) => ({ machine, transition })))
}

/** The transition of that id; `field` tells machines apart that use the same id. */
export function findTransition(model: EntityModel, id: string, field?: string): FoundTransition | undefined {
  return transitionsOf(model).find(
    (found) => found.transition.id === id && (field === undefined || found.machine.field === field),
  )
}

/** The field that a state machine moves, or undefined: it is never typed. */
export function machineOf(model: EntityModel, field: string): StateMachine | undefined {
  return model.machines.find((machine) => machine.field === field)
}

/** Why a transition is not possible in the record's state, or null. */
export function outOfState(
  { machine, transition }: FoundTransition,
  record: Readonly<Record<string, unknown>>,
  /** Label of a state in both languages. */
  stateLabel: (code: string) => BilingualText,
): BilingualText | null {
  const state = record[machine.field]
  if (typeof state === 'string' && transition.from.includes(state)) return null
  const label = typeof state === 'string' ? stateLabel(state) : { zh: '空', en: 'empty' }
  return {
    zh: `当前为“${label.zh}”，不能${transition.label.zh}。`,
    en: `It is "${label.en}" now; "${transition.label.en}" is not possible.`,
  }
}
