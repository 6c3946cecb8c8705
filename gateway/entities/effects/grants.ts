import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { Text } from '../../platform/http'
import type { WriteContext } from '../core'
import { recordRefusal } from '../refusalTexts'
import { isOneOf, peopleOf } from './people'
import { prepare } from './prepare'
import { evaluate, scopeOf, textsIn, type Subject } from './subject'

/** What is granted: `x-editable`, `x-deletable`. */
type GrantWord = 'x-editable' | 'x-deletable'
type Grant = NonNullable<EntityDocument[GrantWord]>[number]

/**
 * Why the caller may not change or delete records now: none of the grants of the entity holds. `changed` names the fields that he
 * changes; without it, whether he may change anything at all. The system is granted everything.
 */
export async function refusedByGrants(
  write: WriteContext,
  word: GrantWord,
  subjects: readonly Subject[],
  changed?: readonly string[],
): Promise<ReadonlyMap<Subject, Text>> {
  const grants = write.model.document[word]
  const refused = new Map<Subject, Text>()
  if (!grants || write.context.kind === 'system' || subjects.length === 0) return refused
  await prepare(write, subjects, textsIn(grants))
  const granted = new Set<Subject>()
  for (const grant of grants) {
    const meant = grant.by && (await peopleOf(write, subjects, grant.by))
    for (const subject of subjects)
      if ((!meant || isOneOf(write, meant.get(subject)!)) && holds(write, grant, subject, changed)) granted.add(subject)
  }
  const message =
    grants.find((grant) => grant.message)?.message ?? recordRefusal(write.model, word === 'x-editable' ? 'edit' : 'delete')
  for (const subject of subjects) if (!granted.has(subject)) refused.set(subject, message)
  return refused
}

function holds(write: WriteContext, grant: Grant, subject: Subject, changed: readonly string[] | undefined): boolean {
  const state = write.model.machines[0]?.field
  const stored = subject.before ?? subject.record
  if (grant.in && (state === undefined || !grant.in.includes(String(stored[state])))) return false
  if (grant.fields && changed?.some((name) => !grant.fields!.includes(name))) return false
  return grant.while === undefined || Boolean(evaluate(write, grant.while, scopeOf(write, subject)))
}
