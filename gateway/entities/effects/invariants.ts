import { entityExpression, entityScope, HEAD, type EntityModel, type Rule } from '../../../src/schema/entity'
import { ExpressionError } from '../../../src/schema/expression'
import { ServiceError } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { WriteContext } from '../core'
import type { InputProblem } from '../errors'
import { sameValue } from '../sameValue'
import { fieldsOfRules } from './lookups'
import { prepare } from './prepare'
import { evaluate, evaluateText, scopeOf, subjectOf, textsIn, type Subject } from './subject'

/** A record whose fields are decided, with what is wrong with it. */
interface Decided {
  before: EntityRecord | null
  record: EntityRecord
  problems: InputProblem[]
  /** Of a line that is written with what it belongs to: that record, before and now. */
  head?: { model: EntityModel; before: EntityRecord | null; record: EntityRecord }
}

/**
 * Adds to records what they break of the invariants that need the database (`x-rules` with look-ups, paths, `before`), for all of them
 * at once. Of a stored record only those that read something that changed. Answers the refusal of those that break one with a code.
 */
export async function askInvariants(
  write: WriteContext,
  decided: readonly Decided[],
): Promise<ReadonlyMap<EntityRecord, ServiceError>> {
  const coded = new Map<EntityRecord, ServiceError>()
  for (const rule of write.model.askedRules) {
    const subjects = new Map<Subject, Decided>()
    for (const one of decided) if (concerns(write.model, rule, one) && !coded.has(one.record)) subjects.set(subjectIn(one), one)
    await prepare(write, [...subjects.keys()], textsIn([rule.when, rule.message]))
    for (const [subject, { record, problems }] of subjects) {
      const message = broken(write, rule, subject)
      if (!message) continue
      if (rule.code === undefined) problems.push({ field: rule.field, rule: rule.id, message })
      else
        coded.set(
          record,
          new ServiceError('limitRefused', { message, data: { reason: rule.id }, code: rule.code, rule: rule.id }),
        )
    }
  }
  return coded
}

const subjectIn = ({ record, before, head }: Decided): Subject => {
  const subject = subjectOf(record, before)
  return head ? { ...subject, named: { [HEAD]: entityScope(head.model, head.record) } } : subject
}

function broken(write: WriteContext, { when, message }: Rule, subject: Subject) {
  const scope = scopeOf(write, subject)
  try {
    return evaluate(write, when, scope) ? evaluateText(write, message, scope) : undefined
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return error.problem.message
  }
}

/** The record is new, or something that the rule reads of it differs. A rule that reads nothing of it always counts. */
function concerns(model: EntityModel, rule: Rule, { before, record, head }: Decided): boolean {
  if (!before) return true
  const read = fieldsRead(model, rule)
  const ofHead = head ? headFieldsRead(model, rule).some((name) => !sameValue(head.before?.[name], head.record[name])) : false
  return read.length === 0 || ofHead || read.some((name) => !sameValue(before[name], record[name]))
}

/** Fields of the record that it belongs to, which a rule reads. */
const headFieldsRead = (model: EntityModel, { when }: Rule): string[] =>
  entityExpression(model, when).dependencies.flatMap((path) => {
    const [root, name] = path.split('.')
    return root === HEAD && name !== undefined ? [name] : []
  })

/** Fields that a rule reads itself and through its look-ups. */
function fieldsRead(model: EntityModel, { when }: Rule): string[] {
  const names = new Set<string>()
  const read = (text: string): void => {
    for (const path of entityExpression(model, text).dependencies) {
      const root = path.split('.', 1)[0]!
      if (names.has(root)) continue
      names.add(root)
      const lookup = model.document['x-lookups']?.[root]
      if (!lookup) continue
      if ('rules' in lookup) for (const field of fieldsOfRules(lookup)) names.add(field.split('.', 1)[0]!)
      textsIn(lookup).forEach(read)
    }
  }
  read(when)
  return [...names].filter((name) => model.fields.has(name))
}
