import { sql } from 'drizzle-orm'
import {
  brokenRules,
  entityExpression,
  entityScope,
  pathsIn,
  referenceOf,
  type EntityModel,
  type FieldModel,
  dependenciesOf,
} from '../../../src/schema/entity'
import { isExpression, type CompiledExpression } from '../../../src/schema/expression'
import type { QueryCondition } from '../../../src/schema/model'
import { leavesOf, queryOf } from '../../../src/schema/where'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { allOf, clauseSql, textArray, type Clause } from '../clause'
import { loadPaths } from '../derive/paths'
import { trusted } from '../effects/cause'
import { shorten, type InputProblem } from '../errors'
import { fieldProblem } from '../refusalTexts'
import { RowScope } from '../query/scope'
import { termSql } from '../query/where'
import type { Registry } from '../registry'
import type { EntityRecord } from '../calls'
import { columnSql, tableSql } from '../tables'

interface RecordCheck {
  registry: Registry
  db: Executor
  context: RequestContext
  model: EntityModel
  before: EntityRecord | null
  record: EntityRecord
  /** Fields whose value is new or different: only they can be wrong. */
  changed: ReadonlySet<string>
  /** Fields that the caller gave. What a service or the engine sets itself is not bound to the caller's scope. */
  given: ReadonlySet<string>
  /** What was looked up for many records at once: of the fields that the caller gave, and of the others. */
  chosen?: ChosenReferences
  existing?: ChosenReferences
  /** Fields that the caller did not give are left to `missingReferences`. */
  givenOnly?: boolean
  /** New records that are written together with this one and are not stored yet. */
  alongside?: ReadonlySet<string>
  /** Of a line: the record that it belongs to. */
  head?: EntityRecord
}

type ReferenceCheck = Pick<
  RecordCheck,
  'registry' | 'db' | 'context' | 'model' | 'record' | 'given' | 'chosen' | 'existing' | 'givenOnly' | 'alongside' | 'head'
>

/** By field: the ids that may be chosen; a field that is not there has to be asked for one by one. */
export type ChosenReferences = ReadonlyMap<string, ReadonlySet<string>>

/** Everything that a record has to fulfil beyond the shape of its values: required, dictionary codes, references, rules. */
export async function checkRecord(check: RecordCheck): Promise<InputProblem[]> {
  const { registry, context, model, record, changed } = check
  const problems: InputProblem[] = []
  for (const field of model.stored) {
    const value = record[field.name] ?? null
    if (isEmpty(value)) {
      if (field.required && (check.before === null || changed.has(field.name))) problems.push(fieldProblem('required', field))
      continue
    }
    if (changed.has(field.name)) problems.push(...wrongCodes(registry, field, value, check.before?.[field.name]))
  }
  problems.push(
    ...(await wrongReferences(
      check,
      model.stored.filter((field) => changed.has(field.name)),
    )),
  )
  const rules = brokenRules(
    model,
    record,
    { scope: { ...registry.expressionScope(context), head: check.head }, environment: registry.environment(context) },
    // what a rule of a line reads of the head may have changed as well
    check.before === null || readsHead(model.rules.map(({ broken }) => broken)) ? undefined : changed,
  )
  return [...problems, ...rules]
}

/** Is a problem only there because a value of a wrong shape is missing from the record? */
export function follows(model: EntityModel, problem: InputProblem, wrong: ReadonlySet<string | undefined>): boolean {
  if (problem.rule === 'required' && wrong.has(problem.field)) return true
  const rule = model.rules.find((each) => each.id === problem.rule)
  return rule !== undefined && dependenciesOf(rule.broken, model.fields).some((name) => wrong.has(name))
}

/** Whether one of the expressions of a line reads the record that it belongs to. */
export const readsHead = (expressions: readonly CompiledExpression[]): boolean =>
  expressions.some(({ dependencies }) => dependencies.some((path) => path === 'head' || path.startsWith('head.')))

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Codes that the dictionary does not have; a retired code may stay but not come new. */
export function wrongCodes(registry: Registry, field: FieldModel, value: unknown, stored: unknown): InputProblem[] {
  const name = field.kind === 'dictionary' || field.kind === 'dictionaries' ? field.field['x-dictionary'] : undefined
  if (name === undefined) return []
  const items = registry.dictionary(name)?.items ?? []
  const kept = new Set(Array.isArray(stored) ? stored : [stored])
  return (Array.isArray(value) ? value : [value]).flatMap((code): InputProblem[] => {
    const item = items.find((candidate) => candidate.code === code)
    if (item && (!item.retired || kept.has(code))) return []
    const shown = shorten(code)
    return [
      item
        ? fieldProblem('retired', field, item.label)
        : fieldProblem('dictionary', field, {
            zh: `“${shown}”，可选：${some(items.map((each) => each.label.zh))}`,
            en: `"${shown}"; possible: ${some(items.map((each) => each.label.en))}`,
          }),
    ]
  })
}

function some(labels: readonly string[]): string {
  return labels.length > 8 ? `${labels.slice(0, 8).join(', ')}, …` : labels.join(', ')
}

/** References to rows that do not exist, are deleted, outside the caller's scope, or not among those that may be chosen. */
export async function wrongReferences(check: ReferenceCheck, fields: Iterable<FieldModel>): Promise<InputProblem[]> {
  const problems: InputProblem[] = []
  // the caller himself and his departments, which the session has just read
  const certain = new Set([check.context.user.staffId, ...check.context.user.deptIds])
  for (const field of fields) {
    if (check.givenOnly && !check.given.has(field.name)) continue
    const entity = referenceOf(field)
    const target = entity === undefined ? undefined : check.registry.find(entity)
    const named = target ? [check.record[field.name]].flat() : []
    const free = (id: string): boolean =>
      !check.given.has(field.name) && (certain.has(id) || (target === check.model && check.alongside?.has(id) === true))
    const ids = named.filter((id): id is string => typeof id === 'string' && !free(id))
    if (!target || ids.length === 0) continue
    const known = (check.given.has(field.name) ? check.chosen : check.existing)?.get(field.name)
    const found = known ?? (await foundAmong(check, field, target, ids))
    if (ids.every((id) => found.has(id))) continue
    problems.push(fieldProblem('reference', field, target.label))
  }
  return problems
}

/** Ids in the given fields of many records that may be chosen: one statement a field. Filters that read the record are left out. */
export async function chosenReferences(
  check: Pick<RecordCheck, 'registry' | 'db' | 'context' | 'model'>,
  drafts: readonly { record: EntityRecord; given: ReadonlySet<string> }[],
): Promise<ChosenReferences> {
  const chosen = new Map<string, ReadonlySet<string>>()
  for (const field of check.model.stored) {
    const entity = referenceOf(field)
    const target = entity === undefined ? undefined : check.registry.find(entity)
    const givers = drafts.filter(({ given }) => given.has(field.name))
    if (!target || givers.length === 0 || leavesOf(field.field['x-refFilter']).some(({ value }) => isExpression(value))) continue
    const ids = new Set(givers.flatMap(({ record }) => [record[field.name]].flat()).filter((id) => typeof id === 'string'))
    const asGiven = { ...check, record: {}, given: new Set([field.name]) }
    chosen.set(field.name, ids.size === 0 ? ids : await foundAmong(asGiven, field, target, [...ids]))
  }
  return chosen
}

/** By record: references that its caller did not give and that do not exist, asked for all records at once. */
export async function missingReferences(
  check: Pick<RecordCheck, 'registry' | 'db' | 'context' | 'model' | 'alongside'>,
  drafts: readonly { record: EntityRecord; given: ReadonlySet<string> }[],
): Promise<ReadonlyMap<EntityRecord, InputProblem[]>> {
  const references = check.model.stored.filter((field) => referenceOf(field) !== undefined)
  const others = drafts.map(({ record, given }) => ({
    record,
    given: new Set(references.filter(({ name }) => !given.has(name) && !isEmpty(record[name])).map(({ name }) => name)),
  }))
  const existing = await chosenReferences({ ...check, context: trusted(check.context) }, others)
  const missing = new Map<EntityRecord, InputProblem[]>()
  for (const [index, { record, given }] of drafts.entries()) {
    const fields = references.filter(({ name }) => others[index]!.given.has(name))
    const problems = await wrongReferences({ ...check, record, given, existing }, fields)
    if (problems.length > 0) missing.set(record, problems)
  }
  return missing
}

async function foundAmong(
  check: ReferenceCheck,
  field: FieldModel,
  target: EntityModel,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const behind = await behindFilter(check, field)
  const { rows } = await check.db.query<{ id: string }>(
    sql`select ${columnSql('t', { column: 'id' })} as "id" from ${tableSql(target, 't')} where ${clauseSql(referable(check, field, target, ids, behind))}`,
  )
  return new Set(rows.map((row) => row.id))
}

/** What the filter of a field reads behind other references of the record. */
async function behindFilter({ db, model, record }: ReferenceCheck, { field }: FieldModel): Promise<EntityRecord> {
  const texts = leavesOf(field['x-refFilter']).flatMap(({ value }) => (isExpression(value) ? [value] : []))
  const paths = [...new Set(texts.flatMap((text) => pathsIn(model, text)))]
  return paths.length === 0 ? {} : (await loadPaths(db, model, [record], paths)).get(record)!
}

function referable(
  check: ReferenceCheck,
  field: FieldModel,
  target: EntityModel,
  ids: readonly string[],
  behind: EntityRecord,
): Clause {
  const { registry, context, model, record } = check
  const scope = new RowScope(registry, context)
  const asParent = model.scope.kind === 'parent' && model.scope.field === field.name
  const free = context.kind === 'system' || !check.given.has(field.name)
  const reach: Clause = free
    ? true
    : asParent
      ? scope.parentOf(model)(target, 't')
      : field.field['x-refAccess'] === 'edit'
        ? scope.writable(target, 't')
        : scope.readable(target, 't')
  const condition = {
    model: target,
    alias: 't',
    locale: context.locale,
    timeZone: registry.timeZone,
    searchable: () => true,
    internal: true,
  }
  const exact = entityScope(model, record)
  const names = { ...exact, ...registry.expressionScope(context), head: check.head }
  const filters = queryOf(free ? [] : field.field['x-refFilter'], ({ value: given, ...asked }) => {
    const value = isExpression(given)
      ? entityExpression(model, given)({ ...names, record: exact, values: exact, ...behind }, registry.environment(context))
      : given
    return value === null || value === undefined ? null : ({ ...asked, value } as QueryCondition)
  })
  return allOf([
    sql`${columnSql('t', { column: 'id' })} = any(${textArray(ids)})`,
    sql`${columnSql('t', { column: 'deleted_at' })} is null`,
    reach,
    ...filters.map((filter) => termSql(condition, filter)),
  ])
}
