import { pointer } from '../diagnosis'
import {
  computedNames,
  HEAD,
  headField,
  isReference,
  pathsOf,
  stepsOf,
  measureOf,
  splitRollup,
  type Rollup,
} from '../entity/derived'
import { allFields } from '../entity/fields'
import { namesAt } from '../entity/names'
import { dependencies, isExpression, parseExpression, type Expression } from '../expression'
import { joinPaths } from '../expression/paths'
import { fieldKind, formatOf } from '../formats'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { BilingualText } from '../problem'
import type { Catalog } from './catalog'
import type { Checker } from './checker'
import { findCycles } from './cycles'

/** Operators whose meaning a rollup keeps at every write. */
const KEPT_OPERATORS = ['eq', 'ne', 'in', 'notIn', 'empty', 'notEmpty']
const MEASURES = ['count', 'sum', 'min', 'max', 'last'] as const

type Fields = ReadonlyMap<string, EntityField>
type Derived = NonNullable<EntityField['x-derived']>

const fieldsOf = (entity: EntityDocument): Fields => new Map(allFields(entity).map(({ name, field }) => [name, field]))
const isStored = (entity: EntityDocument, name: string, field: EntityField): boolean =>
  !computedNames(entity).has(name) && !field['x-virtual'] && !field['x-condition']

/** Everything about values that follow others: what they read is there and stored, fits, and they do not need each other. */
export function checkDerived(checker: Checker, entity: EntityDocument): void {
  const fields = fieldsOf(entity)
  const own = namesAt('derived', entity)
  const names = headField(entity) === undefined ? own : [...own, HEAD]
  for (const [name, field] of Object.entries(entity.properties)) {
    const at = pointer('/properties', name)
    checker.expression(field['x-derived']?.value, pointer(at, 'x-derived', 'value'), names)
    if (field['x-derived']) checkValue(checker, entity, name, field['x-derived'], pointer(at, 'x-derived'))
    if (field['x-rollup']) checkRollup(checker, entity, fields, field, field['x-rollup'], at)
    if (typeof field['x-virtual'] === 'object') {
      const known = (entity['x-states'] ?? []).flatMap(({ transitions }) => transitions.map(({ id }) => id))
      const { refusal } = field['x-virtual']
      if (!known.includes(refusal))
        checker.add(
          'unknown-transition',
          pointer(at, 'x-virtual', 'refusal'),
          { zh: `没有流转“${refusal}”。`, en: `There is no transition "${refusal}".` },
          { value: refusal, known },
        )
    }
    if (field['x-derived'] && field['x-rollup'])
      wrong(
        checker,
        pointer(at, 'x-rollup'),
        '字段要么由表达式得出，要么由记录汇总，不能两者皆是。',
        'A field is either derived or a rollup, not both.',
      )
  }
  checkCycles(checker, entity)
}

const wrong = (checker: Checker, at: string, zh: string, en: string): void => checker.add('field-kind-mismatch', at, { zh, en })

function checkValue(checker: Checker, entity: EntityDocument, name: string, derived: Derived, at: string): void {
  if (derived.function !== undefined || derived.value === undefined) return checkFunction(checker, entity, derived, at)
  for (const word of ['reads', 'rules', 'refresh'] as const)
    if (derived[word] !== undefined)
      wrong(
        checker,
        pointer(at, word),
        `“${word}”只用于由函数得出的值。`,
        `"${word}" is only for a value that a function works out.`,
      )
  const expression = joined(entity, derived.value)
  if (!expression) return
  const paths = dependencies(expression).filter(pathsOf(entity))
  const valueAt = pointer(at, 'value')
  if (computedNames(entity).has(name)) {
    if (paths.length > 0)
      wrong(
        checker,
        valueAt,
        '读取当前时间、日期或查看者的值在读取时计算，不能经由引用读取其他记录。',
        'A value that reads the moment or the reader is worked out when it is read; it cannot go through references.',
      )
    if (derived.in)
      wrong(
        checker,
        pointer(at, 'in'),
        '在读取时计算的值不会停留在某个状态。',
        'A value that is worked out when it is read does not stay as it is.',
      )
    return
  }
  for (const name of dependencies(expression))
    if (entity.properties[name]?.['x-rollup']?.hot) checkPath(checker, entity, [name], valueAt)
  for (const path of paths) checkPath(checker, entity, stepsOf(entity, path), valueAt)
  checkStates(checker, entity, derived, at)
}

/** A value is said by an expression or by a function, and a function says what it reads. */
function checkFunction(checker: Checker, entity: EntityDocument, derived: Derived, at: string): void {
  if ((derived.function === undefined) === (derived.value === undefined))
    return wrong(
      checker,
      at,
      '派生值由表达式或函数之一得出，二者选一。',
      'A derived value is said either by an expression or by a function.',
    )
  if (!derived.reads)
    wrong(
      checker,
      at,
      `请在 reads 中写明函数“${derived.function}”读取的字段，值随之变化。`,
      `Say in "reads" which fields the function "${derived.function}" reads: the value follows them.`,
    )
  derived.reads?.forEach((name, index) => checkPath(checker, entity, [name], pointer(at, 'reads', index)))
  checkStates(checker, entity, derived, at)
}

function checkStates(checker: Checker, entity: EntityDocument, derived: Derived, at: string): void {
  const states = statesOf(checker.catalog, entity)
  derived.in?.forEach((state, index) => {
    if (!states || states.includes(state)) return
    checker.add(
      'unknown-state',
      pointer(at, 'in', index),
      { zh: `没有状态“${state}”。`, en: `There is no state "${state}".` },
      { value: state, known: states },
    )
  })
}

function checkPath(checker: Checker, entity: EntityDocument, steps: readonly string[], at: string): void {
  let owner: EntityDocument | undefined = entity
  for (const [index, name] of steps.entries()) {
    if (!owner) return
    const fields = fieldsOf(owner)
    if (!checker.field(fields, name, at, owner.name)) return
    const field: EntityField = fields.get(name)!
    if (!isStored(owner, name, field))
      return wrong(
        checker,
        at,
        `“${owner.name}”的“${name}”在读取时计算，不能由其他值跟随。`,
        `"${name}" of "${owner.name}" is worked out when it is read; no stored value can follow it.`,
      )
    if (field['x-rollup']?.hot)
      return wrong(
        checker,
        at,
        `热点合计“${name}”最后才更新，不能由其他值跟随。`,
        `The hot sum "${name}" changes last; no stored value can follow it.`,
      )
    if (index === steps.length - 1) return
    if (!isReference(field)) return wrong(checker, at, `“${name}”不是引用字段。`, `"${name}" is not a reference.`)
    owner = checker.catalog.entities.get(field['x-ref'] ?? '')
  }
}

/** States in which a record, or for a line its head, can be; undefined when they are not known here. */
function statesOf(catalog: Catalog, entity: EntityDocument): readonly string[] | undefined {
  const head = entity.properties[headField(entity) ?? '']?.['x-ref']
  const holder = (entity['x-states'] ?? []).length > 0 || head === undefined ? entity : catalog.entities.get(head)
  if (!holder) return undefined
  const dictionaries = (holder['x-states'] ?? []).map(({ field }) => holder.properties[field]?.['x-dictionary'])
  const found = dictionaries.map((name) => catalog.dictionaries.get(name ?? ''))
  return found.some((dictionary) => !dictionary)
    ? undefined
    : found.flatMap((dictionary) => dictionary!.items.map(({ code }) => code))
}

function checkRollup(
  checker: Checker,
  entity: EntityDocument,
  fields: Fields,
  field: EntityField,
  rollup: Rollup,
  pointerOfField: string,
): void {
  const at = pointer(pointerOfField, 'x-rollup')
  if (MEASURES.filter((name) => rollup[name] !== undefined && rollup[name] !== false).length !== 1)
    wrong(
      checker,
      at,
      'count、sum、min、max、last 须恰好写一个。',
      'Exactly one of count, sum, min, max and last has to be there.',
    )
  checkHot(checker, fields, field, rollup, pointerOfField)
  const { entity: name, reference } = splitRollup(rollup)
  checker.entity(name, pointer(at, 'of'))
  const child = checker.catalog.entities.get(name)
  if (!child) return
  const theirs = fieldsOf(child)
  if (!checker.field(theirs, reference, pointer(at, 'of'), name)) return
  if (theirs.get(reference)?.['x-ref'] !== entity.name || !isReference(theirs.get(reference)!))
    wrong(
      checker,
      pointer(at, 'of'),
      `“${rollup.of}”不引用“${entity.name}”。`,
      `"${rollup.of}" does not refer to "${entity.name}".`,
    )
  checkMeasure(checker, child, theirs, field, rollup, at)
  if (rollup.by !== undefined) {
    if (rollup.last === undefined) wrong(checker, pointer(at, 'by'), 'by 只用于 last。', 'Only last has an order (by).')
    checker.field(theirs, rollup.by, pointer(at, 'by'), name)
  }
  rollup.where?.forEach((condition, index) => checkCondition(checker, child, theirs, condition, pointer(at, 'where', index)))
}

function checkHot(checker: Checker, fields: Fields, field: EntityField, rollup: Rollup, pointerOfField: string): void {
  const at = pointer(pointerOfField, 'x-rollup')
  if (rollup.hot && rollup.sum === undefined) wrong(checker, pointer(at, 'hot'), '只有合计可以是热点。', 'Only a sum can be hot.')
  if (rollup.atLeast !== undefined && !rollup.hot)
    wrong(checker, pointer(at, 'atLeast'), '只有热点合计有下限。', 'Only a hot sum has a bound.')
  for (const word of ['x-index', 'x-unique', 'x-search'] as const)
    if (rollup.hot && field[word])
      wrong(
        checker,
        pointer(pointerOfField, word),
        '热点合计不在表的列中，不能建索引。',
        'A hot sum is no column of the table; it cannot be indexed.',
      )
  checker.expression(rollup.atLeast, pointer(at, 'atLeast'), [...fields.keys()])
}

function checkMeasure(
  checker: Checker,
  child: EntityDocument,
  theirs: Fields,
  field: EntityField,
  rollup: Rollup,
  at: string,
): void {
  const { function: measure, field: name } = measureOf(rollup)
  const kind = fieldKind(field)
  if (name === undefined) {
    if (kind !== 'integer') wrong(checker, at, '个数须为整数字段。', 'A count needs a field of whole numbers.')
    return
  }
  const here = pointer(at, measure)
  if (!checker.field(theirs, name, here, child.name)) return
  const source = theirs.get(name)!
  const theirKind = fieldKind(source)
  if (!isStored(child, name, source) || source['x-rollup']?.hot)
    return wrong(
      checker,
      here,
      `“${name}”没有存储的列，不能汇总。`,
      `"${name}" is not stored in a column; it cannot be rolled up.`,
    )
  const numbers = ['integer', 'decimal', 'money', 'percent']
  const ordered = formatOf(theirKind).operators.includes('gte')
  if (measure === 'sum' && !numbers.includes(theirKind))
    wrong(checker, here, `“${name}”不是数字，不能相加。`, `"${name}" is no number; it cannot be added up.`)
  else if ((measure === 'min' || measure === 'max') && !ordered)
    wrong(checker, here, `“${name}”没有大小。`, `"${name}" has no order.`)
  if (measure === 'sum' ? !numbers.includes(kind) : kind !== theirKind)
    wrong(checker, at, `“${name}”的值放不进这个字段。`, `The values of "${name}" do not fit this field.`)
  if (measure === 'sum') checkCurrency(checker, field, source, at)
}

/** Two currencies are never added: both sides say in which one they are, and fixed ones are the same. */
function checkCurrency(checker: Checker, field: EntityField, source: EntityField, at: string): void {
  if (fieldKind(source) !== 'money' && fieldKind(field) !== 'money') return
  const [own, theirs] = [field['x-money'], source['x-money']]
  const differ = /^[A-Z]{3}$/.test(own ?? '') && /^[A-Z]{3}$/.test(theirs ?? '') && own !== theirs
  if (own === undefined || theirs === undefined || fieldKind(source) !== fieldKind(field) || differ)
    wrong(
      checker,
      at,
      '金额只能合计到金额字段，且双方都须用 x-money 写明币种，固定币种须相同。',
      'Money is summed up in a field of money, and both say by x-money in which currency; fixed currencies have to be the same.',
    )
}

function checkCondition(
  checker: Checker,
  child: EntityDocument,
  theirs: Fields,
  condition: NonNullable<Rollup['where']>[number],
  at: string,
): void {
  if (!checker.field(theirs, condition.field, pointer(at, 'field'), child.name)) return
  if (!isStored(child, condition.field, theirs.get(condition.field)!) || theirs.get(condition.field)!.type === 'array')
    wrong(checker, pointer(at, 'field'), '汇总的条件须用存储的单值字段。', 'A rollup is narrowed by a stored field of one value.')
  if (condition.operator !== undefined && !KEPT_OPERATORS.includes(condition.operator))
    wrong(
      checker,
      pointer(at, 'operator'),
      `汇总的条件可用：${KEPT_OPERATORS.join('、')}。`,
      `A rollup is narrowed by: ${KEPT_OPERATORS.join(', ')}.`,
    )
  if ([condition.value].flat().some((value) => isExpression(value)))
    wrong(checker, pointer(at, 'value'), '汇总的条件须为固定值。', 'A rollup is narrowed by fixed values only.')
  const dictionary = theirs.get(condition.field)?.['x-dictionary']
  if (dictionary !== undefined)
    for (const code of [condition.value].flat()) checker.code(dictionary, code, pointer(at, 'value'), 'field-kind-mismatch')
}

function joined(entity: EntityDocument, text: string): Expression | undefined {
  if (!isExpression(text)) return undefined
  const parsed = parseExpression(text)
  return parsed.ok ? joinPaths(parsed.expression, pathsOf(entity)) : undefined
}

const graphs = new WeakMap<Catalog, ReadonlyMap<string, ReadonlySet<string>>>()

/** Which values need which others, over all entities. */
function graphOf(catalog: Catalog): ReadonlyMap<string, ReadonlySet<string>> {
  const known = graphs.get(catalog)
  if (known) return known
  const edges = new Map<string, Set<string>>()
  for (const entity of catalog.entities.values())
    for (const [name, field] of Object.entries(entity.properties))
      if (field['x-derived'] ?? field['x-rollup']) edges.set(`${entity.name}.${name}`, new Set(sourcesOf(catalog, entity, field)))
  for (const sources of edges.values()) for (const source of sources) if (!edges.has(source)) sources.delete(source)
  graphs.set(catalog, edges)
  return edges
}

function sourcesOf(catalog: Catalog, entity: EntityDocument, field: EntityField): string[] {
  const rollup = field['x-rollup']
  if (rollup) {
    const { entity: child, reference } = splitRollup(rollup)
    const { field: name } = measureOf(rollup)
    const named = [reference, name, rollup.by, ...(rollup.where ?? []).map((condition) => condition.field)]
    const money = name === undefined ? undefined : catalog.entities.get(child)?.properties[name]?.['x-money']
    const own = field['x-money'] === undefined ? [] : [`${entity.name}.${field['x-money']}`]
    return [...[...named, money].flatMap((part) => (part === undefined ? [] : [`${child}.${part}`])), ...own]
  }
  const { value = '', reads } = field['x-derived'] ?? {}
  if (reads) return reads.map((name) => `${entity.name}.${name}`)
  const expression = joined(entity, value)
  const isPath = pathsOf(entity)
  return (expression ? dependencies(expression) : []).flatMap((path) => {
    const found: string[] = []
    let owner: EntityDocument | undefined = entity
    for (const name of isPath(path) ? stepsOf(entity, path) : [path.split('.', 1)[0]!]) {
      if (!owner) break
      found.push(`${owner.name}.${name}`)
      owner = catalog.entities.get(owner.properties[name]?.['x-ref'] ?? '')
    }
    return found
  })
}

const circles = new WeakMap<Catalog, readonly string[][]>()

/** The circles of all entities, looked for once and not again for each of them. */
function circlesOf(catalog: Catalog): readonly string[][] {
  const known = circles.get(catalog) ?? findCycles(graphOf(catalog))
  circles.set(catalog, known)
  return known
}

/** A circle is told where it begins, with its whole path. */
function checkCycles(checker: Checker, entity: EntityDocument): void {
  // The form of a process is an entity of its own catalog: most have nothing to look for in all the others.
  if (!Object.values(entity.properties).some((field) => field['x-derived'] ?? field['x-rollup'])) return
  for (const cycle of circlesOf(checker.catalog)) {
    const first = cycle.find((key) => key.startsWith(`${entity.name}.`))
    const name = first?.slice(entity.name.length + 1)
    if (name === undefined || entity.properties[name] === undefined) continue
    const own = cycle.every((key) => key.startsWith(`${entity.name}.`))
    const turned = [...cycle.slice(cycle.indexOf(first!)), ...cycle.slice(0, cycle.indexOf(first!)), first!]
    const path = turned.map((key) => (own ? key.slice(entity.name.length + 1) : key)).join(' -> ')
    const words = entity.properties[name]['x-derived'] ? ['x-derived', 'value'] : ['x-rollup']
    const message: BilingualText = {
      zh: `计算字段互相依赖：${path}。`,
      en: `Computed fields need each other: ${path}.`,
    }
    checker.add('computed-cycle', pointer('/properties', name, ...words), message)
  }
}
