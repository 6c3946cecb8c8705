import type { FieldModel } from '../../../src/schema/entity'
import { computedValue, currencyOf, toExact } from '../../../src/schema/formats'
import { Amount, isExpression } from '../../../src/schema/expression'
import type { FormField, Node, ProcessDocument } from '../../../src/schema/generated/process'
import { formEntity, formFields, rightsOf, rowEntities, tolerantText, type Rights } from '../../../src/schema/process'
import {
  MOST_PROBLEMS,
  sameValue,
  type DetachedCall,
  type DetachedRecords,
  type EntityEngine,
  type EntityRecord,
  type HeldRefusal,
  type InputProblem,
} from '../../entities'
import { dayOf } from '../../platform/calendar'
import { codeNamed, ServiceError, type Text } from '../../platform/http'
import { perEngine } from '../perEngine'
import { tooFine } from './tooFine'

/** One field that somebody changed. */
export interface FieldDiff {
  field: string
  label: Text
  before: unknown
  after: unknown
}

/** What an application amounts to. */
export interface Worth {
  amount: string | null
  currency: string | null
  amountCny: string | null
}

/** Rules, values and texts of one version of a process over what was filled in. */
export interface ProcessForm {
  readonly process: ProcessDocument
  readonly records: DetachedRecords
  readonly fields: Readonly<Record<string, FormField>>
  /** What may be done with each field at a node; null for an onlooker. */
  rightsAt(nodeId: string | null): Rights
  /** What somebody gives at a node, laid over what stands there. */
  take(call: DetachedCall, given: EntityRecord, at: TakeAt): Promise<Taken>
  worth(call: DetachedCall, values: EntityRecord, named: EntityRecord): Promise<Worth>
}

interface TakeAt {
  node: Node
  before: EntityRecord | null
  id: string
  named: EntityRecord
  /** What the caller may do with each field there; default what the step itself says. */
  rights?: Rights
  /** False: a draft; only the shape of values is checked. */
  complete: boolean
}

export interface Taken {
  values: EntityRecord
  changes: FieldDiff[]
  problems: InputProblem[]
}

/** Values that follow one another are worked out at most so often. */
const MOST_PASSES = 8

/** The form of a version; made once. @throws for a document that cannot be used */
export const processForm = perEngine(makeForm)

const remembered = new WeakMap<object, unknown>()

/** A part of a process whose expressions take what is empty as it comes: nothing is compared with it, nothing fails for it. */
export function tolerantly<Part>(part: Part): Part {
  if (typeof part === 'string') return (isExpression(part) ? tolerantText(part) : part) as Part
  if (typeof part !== 'object' || part === null) return part
  const known = remembered.get(part)
  if (known !== undefined) return known as Part
  const tolerant = Array.isArray(part)
    ? part.map((item: unknown) => tolerantly(item))
    : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, tolerantly<unknown>(value)]))
  remembered.set(part, tolerant)
  return tolerant as Part
}

/** Nobody types it: it is the system's, or follows others. */
const isKept = ({ readOnly, value }: FormField): boolean => readOnly === true || value !== undefined
const labelOf = (field: FormField | undefined, name: string): Text =>
  (field?.['x-label'] as Text | undefined) ?? { zh: name, en: name }
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function makeForm(engine: EntityEngine, process: ProcessDocument): ProcessForm {
  // its rules read the application too (instance, applicant), which an entity does not know: they are asked here
  const { 'x-rules': _rules, ...entity } = formEntity(process)
  const records = engine.detached(entity, rowEntities(process))
  const fields = formFields(process.form)
  const rights = new Map<string | null, Rights>()
  const rightsAt = (nodeId: string | null): Rights => {
    const known = rights.get(nodeId) ?? rightsOf(process, nodeId)
    rights.set(nodeId, known)
    return known
  }
  const named = Object.entries(fields)
  const following = named.filter(
    ([, { value, rows }]) => value !== undefined || Object.values(rows?.fields ?? {}).some((cell) => cell.value !== undefined),
  )
  const hiding = named.filter(([, { visible }]) => visible !== undefined)
  const groupOf = new Map(
    (process.form.groups ?? []).flatMap(({ fields: names, when }) =>
      when === undefined ? [] : names.map((name) => [name, when] as const),
    ),
  )

  /** A value that was worked out, as its field keeps it; money to the digits of its currency. */
  const stored = (field: FieldModel | undefined, value: unknown, record: EntityRecord): unknown =>
    value === null || value === undefined || !field
      ? (value ?? null)
      : computedValue(field, value, currencyOf(field.field, record))

  const settle = async (call: DetachedCall, record: EntityRecord, more: EntityRecord): Promise<void> => {
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      let moved = false
      const set = (to: EntityRecord, name: string, value: unknown): void => {
        if (sameValue(to[name] ?? null, value ?? null)) return
        to[name] = value ?? null
        moved = true
      }
      const shown = await records.evaluate(
        call,
        record,
        more,
        hiding.map(([, { visible }]) => tolerantly(visible as string)),
      )
      const unshown = new Set(hiding.flatMap(([name], index) => (shown[index] ? [] : [name])))
      for (const name of unshown) if (!isEmpty(record[name])) set(record, name, null)
      for (const [name, field] of following) {
        if (unshown.has(name)) continue
        if (field.value !== undefined) {
          const [value] = await records.evaluate(call, record, more, [tolerantly(field.value)])
          set(record, name, stored(records.model.fields.get(name), value, record))
        }
        const cells = Object.entries(field.rows?.fields ?? {}).filter(([, cell]) => cell.value !== undefined)
        if (cells.length === 0 || !Array.isArray(record[name])) continue
        const rows: EntityRecord[] = []
        for (const row of record[name] as EntityRecord[]) {
          const next = { ...row }
          const values = await records.evaluateRow(
            call,
            name,
            next,
            record,
            more,
            cells.map(([, cell]) => tolerantly(cell.value!)),
          )
          for (const [index, [cell]] of cells.entries())
            next[cell] = stored(records.rowsOf(name)?.fields.get(cell), values[index], next)
          rows.push(next)
        }
        set(record, name, rows)
      }
      if (!moved) return
    }
  }

  /** What fields hold until somebody types something else: defaults and suggestions of those that were not given. */
  const offer = async (
    call: DetachedCall,
    record: EntityRecord,
    more: EntityRecord,
    given: ReadonlySet<string>,
  ): Promise<void> => {
    const texts = (field: FormField): unknown => field.suggest ?? field.default
    const offered = named.filter(([name, field]) => !given.has(name) && isEmpty(record[name]) && isExpression(texts(field)))
    if (offered.length === 0) return
    await settle(call, record, more)
    const values = await records.evaluate(
      call,
      record,
      more,
      offered.map(([, field]) => tolerantly(texts(field) as string)),
    )
    for (const [index, [name]] of offered.entries()) record[name] = stored(records.model.fields.get(name), values[index], record)
  }

  /** Fields that nobody can fill now, since they are not shown. */
  const unseen = async (call: DetachedCall, record: EntityRecord, more: EntityRecord): Promise<Set<string>> => {
    const asked = [...hiding.map(([name, { visible }]) => [name, visible as string] as const), ...groupOf]
    const shown = await records.evaluate(
      call,
      record,
      more,
      asked.map(([, when]) => tolerantly(when)),
    )
    return new Set(asked.flatMap(([name], index) => (shown[index] ? [] : [name])))
  }

  /** An application is submitted without what stands in groups that are not shown: nobody would see what he asks for. */
  const clearUnshown = async (call: DetachedCall, record: EntityRecord, more: EntityRecord): Promise<void> => {
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const hidden = await unseen(call, record, more)
      const filled = [...groupOf.keys()].filter((name) => hidden.has(name) && !isKept(fields[name]!) && !isEmpty(record[name]))
      if (filled.length === 0) return
      for (const name of filled) record[name] = fields[name]?.rows ? [] : null
      await settle(call, record, more)
    }
  }

  const missing = async (call: DetachedCall, record: EntityRecord, at: TakeAt, right: Rights): Promise<InputProblem[]> => {
    const mine = named.filter(([name]) => right[name] === 'E' || right[name] === 'M')
    const hidden = await unseen(call, record, at.named)
    const asked = await records.evaluate(
      call,
      record,
      at.named,
      mine.map(([, { requiredIf }]) => tolerantly(requiredIf as string | undefined)),
    )
    const required = new Set(at.node.kind === 'start' ? (process.form.required ?? []) : [])
    return mine.flatMap(([name, field], index): InputProblem[] => {
      if (hidden.has(name) || !isEmpty(record[name])) return []
      if (right[name] !== 'M' && !asked[index] && !required.has(name)) return []
      const label = labelOf(field, name)
      return [{ field: name, rule: 'required', message: { zh: `请填写“${label.zh}”。`, en: `"${label.en}" is required.` } }]
    })
  }

  /** The cells of rows that people type. */
  const cellsOf = (name: string): string[] =>
    Object.entries(fields[name]?.rows?.fields ?? {}).flatMap(([cell, field]) => (isKept(field) ? [] : [cell]))

  return {
    process,
    records,
    fields,
    rightsAt,

    async take(call, given, at) {
      const { before, rights: right = rightsAt(at.node.id) } = at
      const record: EntityRecord = {
        ...Object.fromEntries(named.map(([name, field]) => [name, defaultOf(field)])),
        ...before,
        id: at.id,
      }
      const accepted: EntityRecord = {}
      const problems: InputProblem[] = []
      for (const [name, value] of Object.entries(given)) {
        if (problems.length >= MOST_PROBLEMS) break
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        if (name === 'id' || name === 'version' || name.startsWith('$')) continue
        if (!field || right[name] === 'H') problems.push(unknownField(name))
        else if (isKept(field)) continue
        else if (right[name] === 'E' || right[name] === 'M')
          accepted[name] = field.rows ? keptCells(name, field, value, record[name], right) : value
        else if (field.rows && Object.keys(field.rows.fields).some((cell) => isOpen(right[`${name}.${cell}`])))
          accepted[name] = keptCells(name, field, value, record[name], right)
        else if (!sameValue(record[name] ?? null, value ?? null)) {
          const label = labelOf(field, name)
          problems.push({
            field: name,
            rule: 'readOnly',
            message: { zh: `“${label.zh}”在本节点不能修改。`, en: `"${label.en}" cannot be changed at this step.` },
          })
        }
      }
      const read = records.read(call, accepted, before)
      problems.push(...read.problems)
      Object.assign(record, read.values)
      if (before === null) await offer(call, record, at.named, new Set(Object.keys(given)))
      const typed = Object.keys(read.values).some((name) => !sameValue(before?.[name] ?? null, record[name] ?? null))
      // what nobody touches stays as it was signed
      if (before === null || typed) await settle(call, record, at.named)
      // what was signed at an earlier step stays
      if (at.complete && at.node.kind === 'start') await clearUnshown(call, record, at.named)
      const changed = new Set(named.flatMap(([name]) => (sameValue(before?.[name] ?? null, record[name] ?? null) ? [] : [name])))
      if (at.complete && problems.length === 0) {
        const lacking = await missing(call, record, at, right)
        const wrong = await records.check(call, record, {
          before,
          changed: new Set([...(before ? changed : named.map(([name]) => name))].filter((name) => !isKept(fields[name]!))),
          named: at.named,
        })
        problems.push(...tooFine(records, record, Object.keys(read.values), cellsOf))
        problems.push(...lacking, ...wrong.filter(({ rule, field = '' }) => rule !== 'required' || field.includes('.')))
        const concerned = (when: string): boolean =>
          before === null || [...changed].some((name) => new RegExp(`\\b${name}\\b`).test(when))
        const rules = tolerantly([...(process.form.rules ?? []).filter(({ when }) => concerned(when)), ...(at.node.rules ?? [])])
        const held = await records.evaluate(
          call,
          record,
          at.named,
          rules.map(({ when }) => when),
        )
        for (const [index, { id, field, message, code }] of rules.entries()) {
          if (!held[index]) continue
          const text = await records.text(call, record, at.named, message)
          if (code !== undefined)
            throw new ServiceError(codeNamed(code, 'validationFailed'), { message: text, code, rule: id, data: { errors: [] } })
          problems.push({ ...(field === undefined ? {} : { field }), rule: id, message: text })
        }
      }
      const { id: _, ...values } = record
      const changes = [...changed]
        .filter((name) => !isKept(fields[name]!))
        .map((field): FieldDiff => ({
          field,
          label: labelOf(fields[field], field),
          before: before?.[field] ?? null,
          after: values[field] ?? null,
        }))
      return { values: Object.fromEntries(named.map(([name]) => [name, values[name] ?? null])), changes, problems }
    },

    async worth(call, values, more) {
      if (process.amount === undefined) return { amount: null, currency: null, amountCny: null }
      const [value, given] = await records.evaluate(call, values, more, [
        tolerantly(process.amount),
        tolerantly(process.currency),
      ])
      const exact = toExact(value)
      if (!exact) return { amount: null, currency: null, amountCny: null }
      const amount = String(value)
      const currency = typeof given === 'string' && given !== '' ? given : 'CNY'
      if (currency === 'CNY') return { amount, currency, amountCny: amount }
      const { now } = call.context
      const amountCny = await engine.convert(amount, currency, 'CNY', dayOf(now, call.tx.companyTimeZone))
      if (amountCny !== undefined) return { amount, currency, amountCny }
      throw new ServiceError('validationFailed', {
        message: {
          zh: `没有 ${currency} 对人民币的汇率，无法判断审批路径。请财务先维护汇率。`,
          en: `There is no exchange rate from ${currency} to CNY, so the way of approval cannot be told. Ask finance to enter the rate.`,
        },
        data: { errors: [] },
      })
    },
  }
}

const isOpen = (right: string | undefined): boolean => right === 'E' || right === 'M'

const defaultOf = ({ default: fallback, rows }: FormField): unknown =>
  rows ? [] : fallback === undefined || isExpression(fallback) ? null : fallback

/** Rows as they were given, with the cells that may not be typed as they were. Where the rows themselves may not change, only cells do. */
function keptCells(name: string, { rows }: FormField, given: unknown, before: unknown, right: Rights): unknown {
  if (!Array.isArray(given)) return given
  const old = Array.isArray(before) ? (before as EntityRecord[]) : []
  const list = isOpen(right[name]) ? (given as unknown[]) : old.map((row, index): unknown => (given as unknown[])[index] ?? row)
  return list.map((row, index) => {
    if (typeof row !== 'object' || row === null) return row
    const cells = Object.keys(rows?.fields ?? {}).map((cell) => {
      const value = (row as EntityRecord)[cell]
      const free = isOpen(right[`${name}.${cell}`]) || (isOpen(right[name]) && right[`${name}.${cell}`] === undefined)
      return [cell, free ? value : (old[index]?.[cell] ?? null)] as const
    })
    return Object.fromEntries(cells.filter(([, value]) => value !== undefined))
  })
}

const unknownField = (name: string): InputProblem => ({
  field: name.slice(0, 60),
  rule: 'unknown',
  message: {
    zh: `表单没有字段“${name.slice(0, 60)}”，或您不能填写它。`,
    en: `The form has no field "${name.slice(0, 60)}", or it is not yours to fill.`,
  },
})

/** The refusal that a check of the process makes. */
export const heldBack = ({ id, code, number, message }: HeldRefusal): ServiceError =>
  new ServiceError(code, { message, ...(number === undefined ? {} : { code: number }), data: { reason: id }, rule: id })

/** Ids of the files that values name, rows included. */
export function filesIn(values: unknown): string[] {
  if (Array.isArray(values)) return values.flatMap(filesIn)
  if (typeof values !== 'object' || values === null) return []
  const { id, name, size } = values as EntityRecord
  if (typeof id === 'string' && typeof name === 'string' && size !== undefined) return [id]
  return Object.values(values).flatMap(filesIn)
}

/** An exact amount, as expressions reckon with it; null for none. */
export const exactCny = (amount: string | null): Amount | null => {
  const exact = toExact(amount)
  return exact ? new Amount(exact, 'CNY', amount ?? undefined) : null
}

/** What people may read of values with some rights. */
export const readableOf = (values: EntityRecord, rights: Rights): EntityRecord =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (rights[name] === 'H') return []
      if (!Array.isArray(value)) return [[name, value]]
      const hidden = Object.keys(rights)
        .filter((key) => key.startsWith(`${name}.`) && rights[key] === 'H')
        .map((key) => key.slice(name.length + 1))
      if (hidden.length === 0) return [[name, value]]
      return [
        [
          name,
          value.map((row: unknown) =>
            typeof row === 'object' && row !== null
              ? Object.fromEntries(Object.entries(row).filter(([cell]) => !hidden.includes(cell)))
              : row,
          ),
        ],
      ]
    }),
  )
