import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { Text } from '../../platform/http'
import type { WritePlace } from '../core'
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
  place: WritePlace,
  word: GrantWord,
  subjects: readonly Subject[],
  changed?: readonly string[],
): Promise<ReadonlyMap<Subject, Text>> {
  const grants = place.model.document[word]
  const refused = new Map<Subject, Text>()
  if (!grants || place.context.kind === 'system' || subjects.length === 0) return refused
  await prepare(place, subjects, textsIn(grants))
  const granted = new Set<Subject>()
  for (const grant of grants) {
    const meant = grant.by && (await peopleOf(place, subjects, grant.by))
    for (const subject of subjects)
      if ((!meant || isOneOf(place, meant.get(subject)!)) && holds(place, grant, subject, changed)) granted.add(subject)
  }
  const message = grants.find((grant) => grant.message)?.message ?? usual(place, word)
  for (const subject of subjects) if (!granted.has(subject)) refused.set(subject, message)
  return refused
}

function holds(place: WritePlace, grant: Grant, subject: Subject, changed: readonly string[] | undefined): boolean {
  const state = place.model.machines[0]?.field
  const stored = subject.before ?? subject.record
  if (grant.in && (state === undefined || !grant.in.includes(String(stored[state])))) return false
  if (grant.fields && changed?.some((name) => !grant.fields!.includes(name))) return false
  return grant.while === undefined || Boolean(evaluate(place, grant.while, scopeOf(place, subject)))
}

function usual({ model }: WritePlace, word: GrantWord): Text {
  return word === 'x-editable'
    ? {
        zh: `您现在不能修改这条${model.label.zh}，或其中的这些字段。`,
        en: `You may not change this ${model.label.en.toLowerCase()} now, or not these fields of it.`,
      }
    : {
        zh: `您现在不能删除这条${model.label.zh}。`,
        en: `You may not delete this ${model.label.en.toLowerCase()} now.`,
      }
}
