import { compileEntity, entityScope, type EntityModel } from '../../src/schema/entity'
import { Amount, ExpressionError, isExpression } from '../../src/schema/expression'
import type { Effect, EntityDocument } from '../../src/schema/generated/entity'
import { codeNamed, ServiceError } from '../platform/http'
import { PROCESS_ROOTS } from '../../src/schema/process'
import type { EntityRecord } from './calls'
import type { Core, WriteContext } from './core'
import { causedBy } from './effects/cause'
import { askInvariants } from './effects/invariants'
import { prepare } from './effects/prepare'
import { runEffects } from './effects/run'
import { evaluate, evaluateText, scopeOf, subjectOf, textsIn } from './effects/subject'
import { fieldProblem, failedRefusal } from './refusalTexts'
import type { DetachedCall, DetachedRecords, Subject } from './types'
import type { InputProblem } from './errors'
import { checkRecord, wrongReferences } from './write/check'
import { readInput } from './write/input'

/** An exact value as JSON keeps it. */
const plain = (value: unknown): unknown =>
  value instanceof Amount ? value.text : Array.isArray(value) ? value.map(plain) : value

/** @throws ExpressionError or Error for a document that cannot be used */
export function detachedRecords(core: Core, document: EntityDocument, lines: readonly EntityDocument[] = []): DetachedRecords {
  const own = new Map<string, EntityModel>()
  const find = (name: string): EntityModel | undefined => own.get(name) ?? core.registry.find(name)
  for (const each of [document, ...lines]) own.set(each.name, compileEntity(each, find, PROCESS_ROOTS))
  const model = own.get(document.name)!
  const rowsOf = (field: string): EntityModel | undefined => {
    const found = model.lines.find(({ name }) => name === field)
    return found && own.get(found.rows.entity)
  }
  const at = ({ tx, context }: DetachedCall): WriteContext => ({ core, tx, context, model })

  const subjectIn = async (call: DetachedCall, record: EntityRecord, named: EntityRecord, texts: readonly string[]) => {
    const subject: Subject = { ...subjectOf(record), named: { ...named } }
    await core.registry.ready(call.tx, texts)
    await prepare(at(call), [subject], texts)
    return subject
  }

  return {
    model,
    rowsOf,

    read(call, values, before) {
      const given: EntityRecord = {}
      const rows: EntityRecord = {}
      for (const [name, value] of Object.entries(values)) (rowsOf(name) ? rows : given)[name] = value
      const read = readInput(call.context, model, given, before, { trusted: false })
      for (const [name, value] of Object.entries(rows)) {
        const field = model.fields.get(name)!
        const row = rowsOf(name)!
        if (value === null || value === undefined) read.values[name] = []
        else if (!Array.isArray(value) || value.some((one) => typeof one !== 'object' || one === null))
          read.problems.push(fieldProblem('format', field))
        else {
          const most = Number(field.field.maxItems ?? 500)
          if (value.length > most) read.problems.push(fieldProblem('maxItems', field, most))
          read.values[name] = (value as EntityRecord[]).slice(0, most).map((one, index) => {
            const known = Object.fromEntries(
              Object.entries(one).filter(([cell]) => row.fields.has(cell) && !row.fields.get(cell)!.field.readOnly),
            )
            const cells = readInput(call.context, row, known, null, { trusted: false })
            read.problems.push(
              ...cells.problems.map((problem) => ({ ...problem, field: `${name}.${index}.${problem.field ?? ''}` })),
            )
            return cells.values
          })
        }
      }
      return read
    },

    async outside(call, values) {
      const { registry } = core
      const beyond = (among: EntityModel, record: EntityRecord): Promise<InputProblem[]> => {
        const given = new Set(Object.keys(record))
        // which of them may be chosen is another question, that is answered with the rest
        const fields = among.stored
          .filter(({ name }) => given.has(name))
          .map((field) => ({ ...field, field: { ...field.field, 'x-refFilter': undefined } }))
        return wrongReferences({ registry, db: call.tx, context: call.context, model: among, record, given }, fields)
      }
      const problems = await beyond(model, values)
      for (const { name } of model.lines) {
        const row = rowsOf(name)
        const rows: unknown = values[name]
        if (!row || !Array.isArray(rows)) continue
        for (const [index, one] of (rows as unknown[]).entries()) {
          if (typeof one !== 'object' || one === null) continue
          const wrong = await beyond(row, one as EntityRecord)
          problems.push(...wrong.map((problem) => ({ ...problem, field: `${name}.${index}.${problem.field ?? ''}` })))
        }
      }
      return problems
    },

    async check(call, record, { before, changed, named = {} }) {
      const { registry } = core
      const { tx: db, context } = call
      const problems = await checkRecord({ registry, db, context, model, before, record, changed, given: changed })
      for (const { name } of model.lines) {
        const row = rowsOf(name)
        const given = record[name]
        if (!row || !Array.isArray(given) || !changed.has(name)) continue
        for (const [index, cells] of (given as EntityRecord[]).entries()) {
          const all = new Set(Object.keys(cells))
          const known = { ...Object.fromEntries(row.stored.map((field) => [field.name, null])), ...cells }
          const wrong = await checkRecord({
            registry,
            db,
            context,
            model: row,
            before: null,
            record: known,
            changed: all,
            given: all,
            head: entityScope(model, record),
          })
          problems.push(
            ...wrong
              .filter(({ field }) => field === undefined || !row.fields.get(field)?.internal)
              .map((problem) => ({ ...problem, field: `${name}.${index}.${problem.field ?? ''}` })),
          )
        }
      }
      // names of the process are read like look-ups
      const write = at(call)
      const record2 = Object.keys(named).length > 0 ? { ...named, ...record } : record
      const coded = await askInvariants(write, [{ before: null, record: record2, problems }])
      if (problems.length === 0) for (const error of coded.values()) throw error
      return problems
    },

    async evaluate(call, record, named, texts) {
      const asked = texts.filter((text) => text !== undefined)
      const subject = await subjectIn(call, record, named, asked.filter(isExpression))
      const write = at(call)
      const scope = scopeOf(write, subject)
      return texts.map((text) => (text === undefined ? null : plain(evaluate(write, text, scope))))
    },

    async evaluateRow(call, field, row, head, named, texts) {
      const write = { ...at(call), model: rowsOf(field)! }
      const subject: Subject = { ...subjectOf(row), named: { head: entityScope(model, head) } }
      await core.registry.ready(call.tx, texts.filter(isExpression))
      await prepare(write, [subject], texts.filter(isExpression))
      const scope = { ...entityScope(model, head), ...named, ...scopeOf(write, subject) }
      return texts.map((text) => plain(evaluate(write, text, scope)))
    },

    async text(call, record, named, text) {
      const subject = await subjectIn(call, record, named, textsIn(text))
      return evaluateText(at(call), text, scopeOf(at(call), subject))
    },

    async refused(call, record, named, refusals) {
      if (refusals.length === 0) return undefined
      const subject = await subjectIn(call, record, named, textsIn(refusals))
      const write = at(call)
      const scope = scopeOf(write, subject, { adding: 1 })
      for (const { id, when, message, code } of refusals) {
        try {
          if (!evaluate(write, when, scope)) continue
          return {
            id,
            message: evaluateText(write, message, scope),
            code: codeNamed(code, 'factsChanged'),
            ...(code === undefined ? {} : { number: code }),
          }
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error
          return { id, message: failedRefusal({ zh: '条件', en: 'A condition' }, error.problem.message), code: 'factsChanged' }
        }
      }
      return undefined
    },

    async run(call, record, named, effects, cause) {
      const write = at(call)
      const subject: Subject = { ...subjectOf(record), named: { ...named } }
      await core.registry.ready(call.tx, textsIn(effects))
      const causeOf = ({ id }: Effect): WriteContext => ({
        ...write,
        context: causedBy(write.context, { entity: 'wf.instance', ids: [cause.id], transition: cause.step, effect: id }),
      })
      try {
        await runEffects(write, [subject], effects, causeOf)
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error
        throw new ServiceError('validationFailed', {
          message: failedRefusal({ zh: '生效动作', en: 'An effect' }, error.problem.message),
          data: { errors: [] },
        })
      }
      return Object.fromEntries(effects.flatMap(({ as }) => (as === undefined ? [] : [[as, subject.named[as]]])))
    },
  }
}
