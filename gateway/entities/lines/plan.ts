import { entityExpression, machineOf, type EntityModel, type LinesField, type FieldModel } from '../../../src/schema/entity'
import { newId, type Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core, WriteContext } from '../core'
import { askInvariants } from '../effects/invariants'
import { MOST_PROBLEMS, shorten, unknownName, type InputProblem } from '../errors'
import { fieldProblem } from '../refusalTexts'
import { sameValue } from '../sameValue'
import { checkRecord, chosenReferences, follows, readsHead } from '../write/check'
import { readInput } from '../write/input'
import { newRecord } from '../write/newRecord'
import { nextNumbers } from '../write/numbers'
import { knowsCountry } from '../write/phoneCountry'
import { splitLines } from './given'
import { differenceOf, isDifferent, type LinesDifference } from './difference'
import { byParent, lineModel, MOST_VIEWED, storedLines } from './stored'

export interface LinesContext {
  core: Core
  tx: Transaction
  context: RequestContext
  /** With the rights of the system. */
  trusted: boolean
}

/** A record whose lines are written with it. */
export interface HeadOfLines {
  before: EntityRecord | null
  record: EntityRecord
  /** The rows that were given, by field; those of a field that is not there stay as they are. */
  given: ReadonlyMap<string, readonly EntityRecord[]>
  /** Where it stands itself: empty, or `lines.3.` for a line that has lines. */
  path: string
  /** The rows are a part of a large sheet: the others stay, and what goes is named. New ones come after the last one. */
  part?: { removed: readonly string[]; last: number }
  /** Takes what is wrong in its lines, each with its place: `lines.3.quantity`. */
  problems: InputProblem[]
}

/** A line that was given. */
interface PlannedRow {
  head: HeadOfLines
  before: EntityRecord | null
  record: EntityRecord
  given: ReadonlySet<string>
  below: ReadonlyMap<string, readonly EntityRecord[]>
  path: string
  problems: InputProblem[]
}

/** What becomes of the lines that some records hold in one field. */
export interface PlannedLines {
  field: LinesField
  model: EntityModel
  rows: readonly PlannedRow[]
  /** Stored ones that were not given any more. */
  removed: readonly EntityRecord[]
  below: readonly PlannedLines[]
  /** By the id of the record that holds them; without those where nothing differs. */
  differences: ReadonlyMap<string, LinesDifference>
}

/**
 * Reads and checks the lines of some records of one entity, as they will be: every row by the rules of its own entity. The number of
 * statements does not grow with records or rows. Each record gets its lines under the field's name, for the rules that read them.
 */
export async function planLines(
  write: LinesContext,
  model: EntityModel,
  heads: readonly HeadOfLines[],
): Promise<readonly PlannedLines[]> {
  const planned: PlannedLines[] = []
  for (const field of model.lines) {
    const found = await planField(write, model, field, heads)
    if (found) planned.push(found)
  }
  return planned
}

/** The stored rows that a part concerns; undefined for a whole list. */
const partIds = (field: LinesField, heads: readonly HeadOfLines[]): string[] | undefined =>
  heads.some(({ part }) => part)
    ? heads.flatMap(({ given, part }) => [
        ...(given.get(field.name) ?? []).map(({ id }) => String(id ?? '')),
        ...(part?.removed ?? []),
      ])
    : undefined

async function planField(
  write: LinesContext,
  owner: EntityModel,
  field: LinesField,
  all: readonly HeadOfLines[],
): Promise<PlannedLines | undefined> {
  const { core, tx } = write
  const model = lineModel(core.registry, field)
  const follow = readsHead([
    ...model.rules.map(({ broken }) => broken),
    ...model.askedRules.map(({ when }) => entityExpression(model, when)),
    ...model.computed.map(({ computed }) => computed!),
  ])
  for (const head of all) {
    if (field.required && head.before === null && (head.given.get(field.name) ?? []).length === 0)
      head.problems.push({ ...fieldProblem('required', field), field: `${head.path}${field.name}` })
  }
  const heads = all.filter(({ given, before }) => given.has(field.name) || (follow && before !== null))
  if (heads.length === 0) return undefined
  const known = heads.flatMap(({ before }) => (before ? [String(before.id)] : []))
  const ids = partIds(field, heads)
  const stored = byParent(field, await storedLines(core.registry, tx, field, known, { lock: true, ids }))
  const rows: PlannedRow[] = []
  const removed: EntityRecord[] = []
  for (const head of heads) {
    const siblings = stored.get(String(head.record.id)) ?? []
    const given = head.given.get(field.name) ?? siblings.map(({ id }) => ({ id }))
    if (field.required && head.before !== null && given.length === 0)
      head.problems.push({ ...fieldProblem('required', field), field: `${head.path}${field.name}` })
    if (!write.trusted && siblings.length > MOST_VIEWED && !given.some(({ id }) => siblings.some((row) => row.id === id))) {
      head.problems.push({ ...fieldProblem('tooMany', field, siblings.length), field: `${head.path}${field.name}` })
      continue
    }
    const own = readRows(write, field, [owner, model], head, given, siblings)
    rows.push(...own)
    const kept = new Set(own.map(({ record }) => record.id))
    removed.push(...siblings.filter(({ id }) => (head.part ? head.part.removed.includes(String(id)) : !kept.has(id))))
  }
  await numberRows(write, model, rows)
  await checkRows(write, owner, field, model, rows)
  const below = await planLines(
    write,
    model,
    rows.map(({ below: given, ...row }) => ({ ...row, given })),
  )
  for (const { head, problems } of rows) head.problems.push(...problems)
  const planned = { field, model, rows, removed, below }
  return { ...planned, differences: differencesOf(planned, heads, stored) }
}

/** Fields of a line that a save cannot set: sent back as they were read, or copied with a row, they mean nothing. */
function isKept(model: EntityModel, field: FieldModel): boolean {
  const { readOnly, 'x-derived': derived, 'x-rollup': rollup } = field.field
  const system = field.origin === 'base' || readOnly === true || derived !== undefined || rollup !== undefined
  return system || field.sequence !== undefined || field.storage === 'virtual' || machineOf(model, field.name) !== undefined
}

function readRows(
  { core, context, trusted }: LinesContext,
  field: LinesField,
  [owner, model]: readonly [EntityModel, EntityModel],
  head: HeadOfLines,
  given: readonly EntityRecord[],
  siblings: readonly EntityRecord[],
): PlannedRow[] {
  const { registry } = core
  const known = new Map(siblings.map((row) => [row.id, row]))
  let added = head.part?.last ?? 0
  /** Names in all rows that no field has. */
  let unknown = 0
  return given.flatMap((raw, index): PlannedRow[] => {
    const path = `${head.path}${field.name}.${index}.`
    const problems: InputProblem[] = []
    const id = head.before === null ? undefined : raw.id
    const before = known.get(id) ?? null
    if (id !== undefined && id !== null && id !== '' && !before) {
      head.problems.push({
        field: `${path}${model.titleField}`,
        rule: 'line',
        message: {
          zh: `第 ${index + 1} 行已不存在，或重复出现。请重新打开后再保存。`,
          en: `Line ${index + 1} is not there any more, or stands twice. Open the record anew.`,
        },
      })
      return []
    }
    known.delete(id)
    const values: EntityRecord = {}
    for (const [name, value] of Object.entries(raw)) {
      const own = model.fields.get(name)
      if (name === 'id' || name === 'head' || name.startsWith('$') || name === field.rows.parent) continue
      if (own && !trusted && (own.internal || isKept(model, own))) continue
      if (own) values[name] = value
      else if (unknown < MOST_PROBLEMS)
        problems.push({
          field: `${path}${shorten(name)}`,
          rule: 'unknown',
          message: unknownName({ zh: '字段', en: 'field' }, name, [...model.fields.keys()], unknown++),
        })
    }
    const split = splitLines(context, model, values, (entity) => registry.model(entity), trusted)
    const phoneCountry = knowsCountry(registry, model)
      ? (countryOf(model, values) ?? countryOf(owner, head.record) ?? null)
      : undefined
    const read = readInput(context, model, split.values, before, { trusted, phoneCountry })
    const record = before ? { ...before } : newRecord(core, context, model, read.values, newId())
    const position = !head.part ? index + 1 : before ? before.position : (added += 1)
    Object.assign(record, read.values, { [field.rows.parent]: head.record.id, position })
    problems.push(...placed(path, [...split.problems, ...read.problems]))
    return [{ head, before, record, given: new Set(Object.keys(read.values)), below: split.lines, path, problems }]
  })
}

/** The country that a record says, by which its phone numbers are read. */
function countryOf(model: EntityModel, record: EntityRecord): string | undefined {
  const value = record[model.stored.find(({ kind }) => kind === 'country')?.name ?? '']
  return typeof value === 'string' ? value : undefined
}

/** Problems of a row with their place in the record; what names no field stands at what the row is called by. */
const placed = (path: string, problems: readonly InputProblem[], otherwise = ''): InputProblem[] =>
  problems.map((problem) => ({ ...problem, field: `${path}${problem.field ?? otherwise}` }))

/** Numbers for all new rows at once. */
async function numberRows({ core, tx, context }: LinesContext, model: EntityModel, rows: readonly PlannedRow[]): Promise<void> {
  for (const field of model.stored) {
    if (!field.sequence) continue
    const without = rows.filter(({ record }) => (record[field.name] ?? null) === null)
    const numbers = await nextNumbers(tx, model, field, core.registry.dayOf(context.now), without.length)
    for (const [index, { record }] of without.entries()) record[field.name] = numbers[index]
  }
}

async function checkRows(
  { core, tx: db, context }: LinesContext,
  owner: EntityModel,
  field: LinesField,
  model: EntityModel,
  rows: readonly PlannedRow[],
): Promise<void> {
  const { registry } = core
  const reading = { registry, db, context, model }
  const sound = rows.filter(({ problems }) => problems.length === 0)
  const chosen = await chosenReferences(reading, sound)
  for (const { head, before, record, given, path, problems } of rows) {
    const wrong = new Set(problems.map((problem) => problem.field?.slice(path.length)))
    // the record that it belongs to is the one that is being saved
    const changed = changedIn(model, before, record, field.rows.parent)
    const found = await checkRecord({ ...reading, before, record, changed, given, chosen, head: head.record })
    problems.push(
      ...placed(
        path,
        found.filter((problem) => !follows(model, problem, wrong)),
        model.titleField,
      ),
    )
  }
  await askRules({ core, tx: db, context, model }, owner, rows)
  againstEachOther(model, rows)
}

/** The rules of lines that need the database, of those that are right by themselves. */
async function askRules(write: WriteContext, owner: EntityModel, rows: readonly PlannedRow[]): Promise<void> {
  if (write.model.askedRules.length === 0) return
  const asked = rows
    .filter(({ problems }) => problems.length === 0)
    .map((row) => ({ row, decided: { ...row, head: { ...row.head, model: owner }, problems: [] as InputProblem[] } }))
  const coded = await askInvariants(
    write,
    asked.map(({ decided }) => decided),
  )
  for (const { row, decided } of asked) row.problems.push(...placed(row.path, decided.problems, write.model.titleField))
  if (rows.every(({ problems }) => problems.length === 0)) for (const error of coded.values()) throw error
}

/** Stored fields of a line that are new or different. */
export const changedIn = (model: EntityModel, before: EntityRecord | null, record: EntityRecord, parent: string): Set<string> =>
  new Set(model.stored.flatMap(({ name }) => (name === parent || sameValue(before?.[name], record[name]) ? [] : [name])))

/** Values that may stand only once, twice among the lines of a save: told at the second of them. */
function againstEachOther(model: EntityModel, rows: readonly PlannedRow[]): void {
  const single = model.stored.filter(({ field }) => field['x-unique']).map(({ name }) => [name])
  const several = (model.document['x-unique'] ?? []).filter(({ where }) => !where?.length).map(({ fields }) => fields)
  for (const parts of [...single, ...several]) {
    const seen = new Map<string, PlannedRow>()
    const own = parts.find((part) => part !== (model.scope.kind === 'parent' ? model.scope.field : '')) ?? parts[0]!
    for (const row of rows) {
      const values = parts.map((part) => row.record[part] ?? null)
      if (values.includes(null)) continue
      const key = JSON.stringify(values)
      const earlier = seen.get(key)
      if (!earlier) seen.set(key, row)
      else {
        const at = Number(earlier.record.position)
        const message = { zh: `与第 ${at} 行重复。`, en: `It is the same as in line ${at}.` }
        row.problems.push({ field: `${row.path}${own}`, rule: 'unique', message })
      }
    }
  }
}

/** The fields of a line that its head's history tells. */
export function toldFields(model: EntityModel) {
  const told = [...model.fields.values()].filter(
    ({ name, origin, storage }) =>
      origin !== 'base' &&
      (storage === 'stored' || storage === 'lines') &&
      !(model.scope.kind === 'parent' && name === model.scope.field),
  )
  return { names: told.map(({ name }) => name), title: model.titleField }
}

/** Gives the heads their lines and answers what differs in them. */
function differencesOf(
  { field, model, rows, below }: Omit<PlannedLines, 'differences'>,
  heads: readonly HeadOfLines[],
  stored: ReadonlyMap<string, EntityRecord[]>,
): Map<string, LinesDifference> {
  const own = new Map<HeadOfLines, PlannedRow[]>()
  for (const row of rows) {
    const siblings = own.get(row.head)
    if (siblings) siblings.push(row)
    else own.set(row.head, [row])
  }
  const told = toldFields(model)
  const differences = new Map<string, LinesDifference>()
  for (const head of heads) {
    const id = String(head.record.id)
    const planned = (own.get(head) ?? []).toSorted((a, b) => Number(a.record.position) - Number(b.record.position))
    head.record[field.name] = planned.map(({ record }) => record)
    // lines of lines are told as what differs in them
    const inner = (line: EntityRecord, side: 'before' | 'after'): EntityRecord =>
      below.length === 0
        ? line
        : {
            ...line,
            ...Object.fromEntries(
              below.map((lower) => [lower.field.name, lower.differences.get(String(line.id))?.[side] ?? null]),
            ),
          }
    const difference = differenceOf(
      told,
      (stored.get(id) ?? []).map((row) => inner(row, 'before')),
      planned.map(({ record }) => inner(record, 'after')),
    )
    if (isDifferent(difference)) differences.set(id, difference)
  }
  return differences
}
