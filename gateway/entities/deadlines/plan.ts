import { statesOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { Effect } from '../../../src/schema/generated/entity'
import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import { storageOf } from '../storage'

/** Where a batch is worked on. */
export interface DeadlineContext {
  core: Core
  tx: Transaction
  context: RequestContext
}

export type Deadline = NonNullable<EntityModel['document']['x-deadlines']>[number]

/** A deadline of an entity with the fields that it stands on. */
export interface DeadlinePlan {
  readonly model: EntityModel
  readonly deadline: Deadline
  /** The date or moment. */
  readonly at: FieldModel
  /** A date, not a moment. */
  readonly dated: boolean
  /** Null: it counts in any state. */
  readonly counted: { field: FieldModel; states: readonly string[] } | null
  /** What it does leaves the record where it counts: that it was done for a moment has to be remembered. */
  readonly stays: boolean
}

export interface Reminder {
  readonly id: string
  /** How long before the deadline, ISO 8601. */
  readonly before: string
  readonly effects: readonly Effect[]
}

/** A deadline with what rules say of it now. */
export interface SettledPlan extends DeadlinePlan {
  /** What is added to the date or moment, ISO 8601. */
  readonly plus: string | null
  /** Records of one night. */
  readonly most: number | null
  readonly reminders: readonly Reminder[]
}

const plans = new WeakMap<EntityModel, readonly DeadlinePlan[]>()

/** The deadlines of an entity. */
export function plansOf(model: EntityModel): readonly DeadlinePlan[] {
  const known = plans.get(model)
  if (known) return known
  const made = (model.document['x-deadlines'] ?? []).flatMap((deadline) => planOf(model, deadline) ?? [])
  plans.set(model, made)
  return made
}

function planOf(model: EntityModel, deadline: Deadline): DeadlinePlan | null {
  const at = model.fields.get(deadline.at)
  if (!at || at.storage !== 'stored') return null
  const found = statesOf(model.document, deadline)
  const field = found && model.fields.get(found.machine.field)
  const to = found?.machine.transitions.find(({ id }) => id === deadline.transition)?.to
  return {
    model,
    deadline,
    at,
    dated: storageOf(at) === 'date',
    counted: found && field ? { field, states: found.states } : null,
    stays: deadline.transition !== undefined && (to === undefined || found?.states.includes(to) === true),
  }
}
