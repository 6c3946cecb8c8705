import { pointer } from '../../diagnosis'
import { BASE_FIELDS, LINE_FIELDS } from '../../entity/fields'
import { dependencies, isExpression, parseExpression } from '../../expression'
import type { EntityDocument } from '../../generated/entity'
import type { FormField, ProcessDocument } from '../../generated/process'
import { isHeadField, PROCESS_ROOTS, rowEntityName } from '../../process'
import { Checker } from '../checker'
import { checkEntity } from '../entity'
import { RuleCheck } from '../rules'

/** Names that mean something else in expressions of a process. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.keys(BASE_FIELDS),
  ...PROCESS_ROOTS,
  ...['user', 'today', 'now', 'locale', 'query', 'record', 'values', 'before', 'input', 'head', 'row', 'refusal', 'leader'],
])
const TAKEN_IN_ROWS: ReadonlySet<string> = new Set([...Object.keys(BASE_FIELDS), ...Object.keys(LINE_FIELDS), 'head', 'formId'])

/**
 * The form as the entity that it is made into, told where the document says it. Answers a checker that knows that entity and those of its rows.
 */
export function checkForm(
  checker: Checker,
  process: ProcessDocument,
  entity: EntityDocument,
  rows: readonly EntityDocument[],
): Checker {
  const { form } = process
  const entities = new Map([...checker.catalog.entities, ...[entity, ...rows].map((one) => [one.name, one] as const)])
  const catalog = { ...checker.catalog, entities }
  const within = new Checker(checker.where, catalog, checker.problems)
  checkNames(checker, form.fields, '/form/fields', (name) => TAKEN.has(name) || isHeadField(name))
  // rules and look-ups are checked below, with what processes read besides
  const { 'x-rules': _rules, 'x-lookups': _lookups, ...plain } = entity
  told(checker, new Checker(checker.where, catalog), plain, (at) => formPlace(at))
  const rules = new RuleCheck(within, entity, undefined, undefined, PROCESS_ROOTS)
  const own = new Checker(checker.where, catalog)
  const lookups = new RuleCheck(own, entity, undefined, undefined, PROCESS_ROOTS)
  lookups.lookups()
  entity['x-rules']?.forEach((_, index) => lookups.invariant(form.rules![index]!, pointer('/x-rules', index)))
  for (const problem of own.problems) checker.problems.push({ ...problem, at: formPlace(problem.at) ?? problem.at })
  checker.unique(
    (form.rules ?? []).map(({ id }) => id),
    '/form/rules',
    'id',
  )
  form.rules?.forEach(({ field }, index) => {
    if (field !== undefined)
      checker.field(new Map(Object.entries(form.fields)), field, pointer('/form/rules', index, 'field'), entity.name)
  })
  checkGroups(checker, process, rules)
  for (const [name, field] of Object.entries(form.fields)) {
    const at = pointer('/form/fields', name)
    checkWords(rules, field, at)
    checkRows(checker, process, rules, name, field, at, catalog)
  }
  checkCircles(checker, form.fields)
  return within
}

/** Checks an entity that was made of the form; `place` says where the document has what is wrong, undefined: it is not of this document. */
function told(checker: Checker, inner: Checker, entity: EntityDocument, place: (at: string) => string | undefined): void {
  checkEntity(inner, entity)
  for (const problem of inner.problems) {
    const at = place(problem.at)
    if (at !== undefined) checker.problems.push({ ...problem, at })
  }
}

const PLACES: readonly [RegExp, string][] = [
  [/^\/properties(?=\/|$)/, '/form/fields'],
  [/^\/required(?=\/|$)/, '/form/required'],
  [/^\/x-lookups(?=\/|$)/, '/form/lookups'],
  [/^\/x-rules(?=\/|$)/, '/form/rules'],
]

function formPlace(at: string): string | undefined {
  const [, name = ''] = /^\/properties\/([^/]+)/.exec(at) ?? []
  if (isHeadField(name) || at.includes('/x-lines')) return undefined
  const found = PLACES.find(([pattern]) => pattern.test(at))
  return found ? at.replace(found[0], found[1]) : undefined
}

function checkNames(
  checker: Checker,
  fields: Readonly<Record<string, FormField>>,
  at: string,
  taken: (name: string) => boolean,
): void {
  for (const name of Object.keys(fields))
    if (taken(name))
      checker.add(
        'duplicate-id',
        pointer(at, name),
        {
          zh: `名称“${name}”已有含义（每张表单都有的字段，或表达式里的名称），请另取一个。`,
          en: `The name "${name}" has a meaning already (a field of every form, or a name in expressions): choose another.`,
        },
        { value: name },
      )
}

function checkGroups(checker: Checker, { name: process, form }: ProcessDocument, rules: RuleCheck): void {
  const { groups = [], fields } = form
  checker.unique(
    groups.map(({ id }) => id),
    '/form/groups',
    'id',
  )
  const known = new Map(Object.entries(fields))
  const seen = new Set<string>()
  groups.forEach((group, row) => {
    rules.reads(group.when, pointer('/form/groups', row, 'when'))
    group.fields.forEach((name, index) => {
      const at = pointer('/form/groups', row, 'fields', index)
      if (!checker.field(known, name, at, `form.${process}`)) return
      if (seen.has(name))
        checker.add(
          'duplicate-id',
          at,
          { zh: `字段“${name}”已在前面的分组里。`, en: `The field "${name}" stands in a group before this one.` },
          { value: name },
        )
      seen.add(name)
    })
  })
}

const WORDS = ['visible', 'requiredIf', 'value', 'suggest'] as const

function checkWords(rules: RuleCheck, field: FormField, at: string): void {
  for (const word of WORDS) rules.reads(field[word], pointer(at, word))
}

function checkRows(
  checker: Checker,
  process: ProcessDocument,
  rules: RuleCheck,
  name: string,
  field: FormField,
  at: string,
  catalog: Checker['catalog'],
): void {
  const { rows } = field
  if (!rows) return
  const here = pointer(at, 'rows')
  if (field.type !== 'array')
    checker.add('field-kind-mismatch', pointer(at, 'type'), {
      zh: '行字段的类型须为 array。',
      en: 'A field with rows is of type array.',
    })
  rules.reads(rows.from, pointer(here, 'from'))
  checkNames(checker, rows.fields, pointer(here, 'fields'), (cell) => TAKEN_IN_ROWS.has(cell))
  const entity = catalog.entities.get(rowEntityName(process, name))!
  const place = (inner: string): string | undefined =>
    inner.startsWith('/properties/formId')
      ? undefined
      : inner.startsWith('/properties/')
        ? inner.replace('/properties', pointer(here, 'fields'))
        : inner.startsWith('/required')
          ? here + inner
          : undefined
  told(checker, new Checker(checker.where, catalog), entity, place)
  const inner = new Checker(checker.where, catalog)
  // a cell reads its row by bare names, then the form
  const cells = new RuleCheck(inner, entity, undefined, undefined, [
    ...Object.keys(process.form.fields),
    ...Object.keys(process.form.lookups ?? {}),
    ...PROCESS_ROOTS,
  ])
  for (const [cell, one] of Object.entries(rows.fields)) {
    const there = pointer(here, 'fields', cell)
    if (one.rows)
      checker.add('field-kind-mismatch', pointer(there, 'rows'), {
        zh: '行里不能再有行。',
        en: 'Rows cannot have rows of their own.',
      })
    checkWords(cells, one, there)
  }
  checker.problems.push(...inner.problems)
  checkCircles(checker, rows.fields, here)
}

/** Fields that follow one another in a circle never come to rest. */
function checkCircles(checker: Checker, fields: Readonly<Record<string, FormField>>, under = '/form'): void {
  const reads = new Map(
    Object.entries(fields).flatMap(([name, { value }]) => {
      const parsed = isExpression(value) ? parseExpression(value) : undefined
      if (!parsed?.ok) return []
      return [[name, dependencies(parsed.expression).map((path) => path.split('.', 1)[0]!)] as const]
    }),
  )
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const circle = [...path.slice(path.indexOf(name)), name].join(' → ')
      if (!done.has(name))
        checker.add('computed-cycle', pointer(under, 'fields', name, 'value'), {
          zh: `字段互相推算，没有尽头：${circle}。`,
          en: `These fields follow one another without end: ${circle}.`,
        })
      path.slice(path.indexOf(name)).forEach((one) => done.add(one))
      return
    }
    if (done.has(name)) return
    for (const next of reads.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of reads.keys()) visit(name, [])
}
