import { entityExpression, outOfState, type FoundTransition } from '../../../src/schema/entity'
import { ExpressionError } from '../../../src/schema/expression'
import type { Refusal } from '../../../src/schema/generated/entity'
import { codeNamed, type Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { WriteContext } from '../core'
import { failedRefusal, stepRefusal } from '../refusalTexts'
import { lockKeys } from '../write/keyLocks'
import { forbiddenTo, type Refused } from './forbids'
import { isOneOf, peopleInWords, peopleOf } from './people'
import { prepare } from './prepare'
import { evaluate, evaluateText, scopeOf, textsIn, type Subject } from './subject'

/**
 * Why records do not take a transition, as far as the schema says: their state, who asks, what runs on them, the refusals in their
 * order. For all records at once. `opening`: a form for it is about to open, so that nothing is said of inputs yet.
 */
export async function refusalsOf(
  write: WriteContext,
  found: FoundTransition,
  subjects: readonly Subject[],
  { opening = false }: { opening?: boolean } = {},
): Promise<ReadonlyMap<Subject, Refused>> {
  const refused = new Map<Subject, Refused>()
  const left = (): Subject[] => subjects.filter((subject) => !refused.has(subject))
  for (const subject of subjects) {
    const message = outOfState(found, subject.before ?? {}, (code) => stateLabel(write, found, code))
    if (message) refused.set(subject, { id: 'state', message, code: 'transitionRefused' })
  }
  await refuseByPeople(write, found, left(), refused)
  const running = await forbiddenTo(
    write,
    { transition: found.transition.id },
    left().map(({ record }) => record),
  )
  for (const subject of left()) {
    const forbidden = running.get(subject.record)
    if (forbidden) refused.set(subject, forbidden)
  }
  const asked = (found.transition.refuse ?? []).filter(({ when }) => !opening || !readsInput(write, when))
  await prepare(write, left(), textsIn(asked))
  for (const subject of left()) {
    const held = firstThatHolds(write, asked, subject, { adding: 1 })
    if (held) refused.set(subject, held)
  }
  return refused
}

/**
 * The refusals that count (`per`), once more when the records are written, with their keys held: what holds now holds against
 * everybody who writes at the same time, and for the records of one call together. Answers the first that does.
 */
export async function refusedByCount(
  write: WriteContext,
  { transition }: FoundTransition,
  subjects: readonly Subject[],
): Promise<Refused | undefined> {
  const counting = (transition.refuse ?? []).filter(({ per }) => per !== undefined)
  if (counting.length === 0) return undefined
  const keyOf =
    ({ id, per }: Refusal) =>
    (subject: Subject): string => {
      const key = evaluate(write, per, scopeOf(write, subject))
      return JSON.stringify([write.model.name, id, key])
    }
  await lockKeys(
    write.tx,
    counting.flatMap((refusal) => subjects.map(keyOf(refusal))),
  )
  await prepare(write, subjects, textsIn(counting))
  for (const subject of subjects) {
    const held = firstThatHolds(write, counting, subject, { adding: 0 })
    if (held) return held
  }
  return undefined
}

const readsInput = ({ model }: WriteContext, when: string): boolean =>
  entityExpression(model, when).dependencies.some((path) => path === 'input' || path.startsWith('input.'))

function firstThatHolds(
  write: WriteContext,
  refusals: readonly Refusal[],
  subject: Subject,
  more: EntityRecord,
): Refused | undefined {
  const scope = scopeOf(write, subject, more)
  try {
    const held = refusals.find(({ when }) => Boolean(evaluate(write, when, scope)))
    return (
      held && { id: held.id, message: evaluateText(write, held.message, scope), code: codeNamed(held.code, 'transitionRefused') }
    )
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { message } = error.problem
    return {
      id: 'expression',
      message: failedRefusal({ zh: '条件', en: 'A condition' }, message),
      code: 'transitionRefused',
    }
  }
}

async function refuseByPeople(
  write: WriteContext,
  { transition }: FoundTransition,
  subjects: readonly Subject[],
  refused: Map<Subject, Refused>,
): Promise<void> {
  const { by, not, label } = transition
  if (write.context.kind === 'system' || subjects.length === 0) return
  if (by) {
    const meant = await peopleOf(write, subjects, by)
    const words = peopleInWords(write.model, by)
    const message = stepRefusal(label, words, true)
    for (const subject of subjects)
      if (!isOneOf(write, meant.get(subject)!)) refused.set(subject, { id: 'by', message, code: 'transitionRefused' })
  }
  if (not) {
    const meant = await peopleOf(write, subjects, not)
    const words = peopleInWords(write.model, not)
    const message = stepRefusal(label, words, false)
    for (const subject of subjects)
      if (!refused.has(subject) && isOneOf(write, meant.get(subject)!))
        refused.set(subject, { id: 'not', message, code: 'transitionRefused' })
  }
}

function stateLabel({ core, model }: WriteContext, { machine }: FoundTransition, code: string): Text {
  const dictionary = model.fields.get(machine.field)?.field['x-dictionary'] ?? ''
  return core.registry.dictionary(dictionary)?.items.find((item) => item.code === code)?.label ?? { zh: code, en: code }
}
