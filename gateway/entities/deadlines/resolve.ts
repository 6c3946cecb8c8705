import { isExpression } from '../../../src/schema/expression'
import { prepare } from '../effects/prepare'
import { evaluate, scopeOf, subjectOf } from '../effects/subject'
import type { DeadlineContext, DeadlinePlan, SettledPlan } from './plan'

const LENGTH = /^P(?=.)(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,4}W)?(?:\d{1,5}D)?(?:T(?=.)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,7}S)?)?$/

/** A deadline with its lengths of time and its limit as they are now: they may stand in rules. @throws Error for what is none */
export async function settled(work: DeadlineContext, plan: DeadlinePlan): Promise<SettledPlan> {
  const { model, deadline } = plan
  const within = { ...work, model }
  const subject = subjectOf({})
  const texts = [deadline.plus, deadline.most, ...(deadline.remind ?? []).map(({ before }) => before)].filter(isExpression)
  if (texts.length > 0) await prepare(within, [subject], texts)
  const valueOf = (value: unknown): unknown => evaluate(within, value, scopeOf(within, subject))
  const length = (value: string): string => {
    const text = String(valueOf(value))
    if (LENGTH.test(text)) return text
    throw new Error(`${model.name}.${deadline.id}: "${text}" is no length of time.`)
  }
  const most = deadline.most === undefined ? null : Number(valueOf(deadline.most))
  if (most !== null && !Number.isInteger(most)) throw new Error(`${model.name}.${deadline.id}: "most" is no whole number.`)
  const lengths = (value: string): string[] => {
    const said = valueOf(value)
    return Array.isArray(said) ? [...new Set(said.map((days) => length(`P${String(days)}D`)))] : [length(value)]
  }
  return {
    ...plan,
    plus: deadline.plus === undefined ? null : length(deadline.plus),
    most,
    reminders: (deadline.remind ?? []).flatMap(({ id, before, effects }) =>
      lengths(before).map((one, index) => ({ id: index === 0 ? id : `${id}/${one}`, before: one, effects })),
    ),
  }
}
