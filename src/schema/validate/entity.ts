import { pointer } from '../diagnosis'
import { sourcesOf, splitSource } from '../entity/access'
import { allFields } from '../entity/fields'
import { namesAt } from '../entity/names'
import { segmentOfPath } from '../routes'
import { fieldKind, formatOf } from '../formats'
import type { EntityDocument, EntityField, Transition } from '../generated/entity'
import type { FieldKind } from '../model'
import { checkActions } from './actions'
import { checkCharge } from './charge'
import type { Checker } from './checker'
import { checkLines } from './lines'
import { checkEntityCost } from './cost'
import { checkEffectCycles } from './effectCycles'
import { checkSequence } from './sequences'
import { checkTerms } from './where'
import { checkDuplicates } from './duplicates'
import { checkEffective } from './effective'
import { checkPartition } from './partition'
import { checkExamples } from './examples'
import { checkLimits } from './limits'
import { checkMerge } from './merge'
import { checkParticipants } from './participants'
import { checkAlone } from './place'
import { checkOnDelete } from './references'
import { checkRules } from './rules'
import { checkUnique } from './unique'
import { checkFieldUnit } from './units'
import { checkDeadlines } from './deadlines'
import { checkDerived } from './derived'

const CURRENCY = /^[A-Z]{3}$/

/** Everything in an entity that names something else, and what does not fit together. */
export const checkEntity = (checker: Checker, entity: EntityDocument): void => {
  const fields = new Map(allFields(entity).map(({ name, field }) => [name, field]))
  const isField = (name: string, at: string): boolean => checker.field(fields, name, at, entity.name)

  isField(entity.titleField, '/titleField')
  checkAlone(checker, entity, 'title', entity['x-title'], '/x-title')
  entity.required?.forEach((name, index) => isField(name, pointer('/required', index)))
  for (const [name, field] of Object.entries(entity.properties)) {
    checkField(checker, entity, field, pointer('/properties', name), fields)
    checkSequence(checker, entity, field, pointer('/properties', name), fields)
    checkOnDelete(checker, field, entity.required?.includes(name) === true, pointer('/properties', name))
  }
  checkScope(checker, entity, fields)
  for (const [operation, key] of Object.entries(entity['x-permissions'] ?? {}))
    checker.permission(key, pointer('/x-permissions', operation))
  checkViews(checker, entity, fields)
  checkStates(checker, entity, fields)
  checker.unique(
    (entity['x-rules'] ?? []).map(({ id }) => id),
    '/x-rules',
    'id',
  )
  entity['x-rules']?.forEach(({ field }, index) => {
    if (field !== undefined) isField(field, pointer('/x-rules', index, 'field'))
  })
  entity['x-indexes']?.forEach((names, row) =>
    names.forEach((name, index) => isField(name.replace(/^-/, ''), pointer('/x-indexes', row, index))),
  )
  checkUnique(checker, entity, fields)
  checkLimits(checker, entity, fields)
  checkEffective(checker, entity, fields)
  checkPartition(checker, entity, fields)
  checkCharge(checker, entity, fields)
  checkMerge(checker, entity, fields)
  checkDuplicates(checker, entity, fields)
  checkParticipants(checker, entity, fields)
  entity['x-sort']?.forEach(({ field }, index) => isField(field, pointer('/x-sort', index, 'field')))
  checkDeadlines(checker, entity, fields)
  checker.service(entity['x-service'], '/x-service')
  checkRules(checker, entity, fields)
  checkEffectCycles(checker, entity)
  checkExamples(checker, entity)
  checkDefaultPages(checker, entity, isField)
  checkActions(checker, entity)
  checkLines(checker, entity)
  checkDerived(checker, entity)
  checkEntityCost(checker, entity)
}

/** What the default pages of an entity stand on. */
function checkDefaultPages(checker: Checker, entity: EntityDocument, isField: (name: string, at: string) => boolean): void {
  const groups = entity['x-groups'] ?? []
  checker.unique(
    groups.map(({ id }) => id),
    '/x-groups',
    'id',
  )
  groups.forEach(({ fields }, row) => fields.forEach((name, index) => isField(name, pointer('/x-groups', row, 'fields', index))))
  const worth = Object.entries(entity['x-worth'] ?? {})
  worth.forEach(([word, names]) => names.forEach((name, index) => isField(name, pointer('/x-worth', word, index))))
  checker.unique(
    worth.flatMap(([, names]) => names),
    '/x-worth',
    'field',
  )
  const { path = '', menu } = entity['x-pages'] ?? {}
  if (menu === undefined) return
  const known = checker.catalog.menuGroups.get(segmentOfPath(path))
  if (known && !known.has(menu))
    checker.add(
      'unknown-page',
      '/x-pages/menu',
      { zh: `模块的菜单里没有分组“${menu}”。`, en: `The menu of the module has no group "${menu}".` },
      { value: menu, known },
    )
  if (entity['x-permissions']?.read === undefined)
    checker.add('unknown-permission', '/x-pages/menu', {
      zh: '菜单需要权限键：请给出 x-permissions.read。',
      en: 'An entry of the menu needs a key: give x-permissions.read.',
    })
}

function checkField(
  checker: Checker,
  entity: EntityDocument,
  field: EntityField,
  at: string,
  fields: ReadonlyMap<string, EntityField>,
): void {
  const kind = fieldKind(field)
  if (field['x-dictionary'] !== undefined) {
    checker.dictionary(field['x-dictionary'], pointer(at, 'x-dictionary'))
    checker.code(field['x-dictionary'], field.default, pointer(at, 'default'), 'field-kind-mismatch')
    checker.code(field['x-dictionary'], field['x-backfill'], pointer(at, 'x-backfill'), 'field-kind-mismatch')
  }
  if (field['x-ref'] !== undefined) checker.entity(field['x-ref'], pointer(at, 'x-ref'))
  checkReferenceFilter(checker, entity, field, at)
  checker.permission(field['x-sensitive'], pointer(at, 'x-sensitive'))
  checker.expression(field.default, pointer(at, 'default'), namesAt('default', entity))
  checker.expression(field['x-exportText'], pointer(at, 'x-exportText'), namesAt('exportText', entity))
  checkExisting(checker, field, kind, at)
  checkMoney(checker, field, at, fields)
  checkCopy(checker, field, at)
  const string = field.type === 'string' && kind !== 'money' && kind !== 'decimal' && kind !== 'percent'
  if (field['x-sequence'] !== undefined && !string)
    mismatch(checker, pointer(at, 'x-sequence'), '编号只能用于文本字段。', 'Only a text field can be a sequence.')
  if (field['x-dictionary'] !== undefined && !['string', 'array'].includes(field.type)) {
    mismatch(
      checker,
      pointer(at, 'x-dictionary'),
      '字典只能用于文本或列表字段。',
      'Only a text or a list can hold codes of a dictionary.',
    )
  }
  if (field['x-ahead'] && kind !== 'date' && kind !== 'dateTime') {
    mismatch(checker, pointer(at, 'x-ahead'), 'x-ahead 只能用于日期和时间。', 'Only a date or a moment lies ahead.')
  }
  if (field['x-precision'] !== undefined && kind !== 'date') {
    mismatch(checker, pointer(at, 'x-precision'), 'x-precision 只能用于日期。', 'Only a date has a precision.')
  }
  if (field['x-scale'] !== undefined && !['money', 'decimal', 'percent'].includes(kind)) {
    mismatch(checker, pointer(at, 'x-scale'), 'x-scale 只能用于小数。', 'Only an exact number has a scale.')
  }
  checkFieldUnit(checker, field, at)
  if (field['x-filter'] && !field['x-derived'] && formatOf(kind).operators.length === 0) {
    mismatch(checker, pointer(at, 'x-filter'), '这种字段不能筛选。', 'A field of this kind cannot be filtered.')
  }
  checker.control(field['x-control'], pointer(at, 'x-control'))
  checker.pattern(field.pattern, pointer(at, 'pattern'))
}

/** What all rows get has to be a value that each of them could have. */
function checkExisting(checker: Checker, field: EntityField, kind: FieldKind, at: string): void {
  const value = field['x-backfill']
  if (value === undefined || value === null) return
  const wrong = formatOf(kind).validate(value, field, { locale: 'zh', timeZone: 'UTC' })
  if (wrong) checker.add('field-kind-mismatch', pointer(at, 'x-backfill'), wrong)
}

function mismatch(checker: Checker, at: string, zh: string, en: string): void {
  checker.add('field-kind-mismatch', at, { zh, en })
}

function checkReferenceFilter(checker: Checker, entity: EntityDocument, field: EntityField, at: string): void {
  const target = field['x-ref'] === undefined ? undefined : checker.catalog.entities.get(field['x-ref'])
  for (const { condition, at: here } of checkTerms(checker, field['x-refFilter'], pointer(at, 'x-refFilter'))) {
    if (target)
      checker.field(
        new Map(allFields(target).map(({ name, field: own }) => [name, own])),
        condition.field,
        pointer(here, 'field'),
        target.name,
      )
    checker.expression(condition.value, pointer(here, 'value'), namesAt('reference', entity))
  }
}

/** A row of a form names a field of the form around it. */
const OF_FORM = 'head.'
const ofForm = (checker: Checker, fields: ReadonlyMap<string, EntityField>, name: string): EntityField | undefined =>
  checker.catalog.entities.get(fields.get('formId')?.['x-ref'] ?? '')?.properties[name.slice(OF_FORM.length)]

function checkMoney(checker: Checker, field: EntityField, at: string, fields: ReadonlyMap<string, EntityField>): void {
  const currency = field['x-money']
  if (currency === undefined || CURRENCY.test(currency)) return
  const here = pointer(at, 'x-money')
  const holder = currency.startsWith(OF_FORM) ? ofForm(checker, fields, currency) : fields.get(currency)
  if (!holder) {
    checker.add(
      'unknown-field',
      here,
      {
        zh: `“${currency}”既不是本实体的字段，也不是币种代码。`,
        en: `"${currency}" is neither a field of this entity nor a currency code.`,
      },
      { value: currency, known: fields.keys() },
    )
  } else if (fieldKind(holder) !== 'currency' && fieldKind(holder) !== 'string' && fieldKind(holder) !== 'dictionary') {
    mismatch(checker, here, `字段“${currency}”不能保存币种。`, `The field "${currency}" cannot hold a currency.`)
  }
}

function checkCopy(checker: Checker, field: EntityField, at: string): void {
  const single = typeof field['x-copyOf'] === 'string'
  for (const [index, source] of sourcesOf(field).entries()) {
    const [entity, name] = splitSource(source)
    const here = single ? pointer(at, 'x-copyOf') : pointer(at, 'x-copyOf', index)
    checker.entity(entity, here)
    const target = checker.catalog.entities.get(entity)
    if (target) checker.field(new Map(allFields(target).map((each) => [each.name, each.field])), name, here, entity)
  }
}

function checkScope(checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void {
  const scope = entity['x-scope']
  if (typeof scope !== 'object') return
  const [word, name] = 'parent' in scope ? (['parent', scope.parent] as const) : (['staff', scope.staff] as const)
  if (!checker.field(fields, name, `/x-scope/${word}`, entity.name)) return
  if (fields.get(name)?.['x-ref'] === undefined) {
    mismatch(checker, `/x-scope/${word}`, `“${name}”不是引用字段。`, `"${name}" is not a reference.`)
  }
}

function checkViews(checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void {
  checker.unique(
    (entity['x-views'] ?? []).map(({ id }) => id),
    '/x-views',
    'id',
  )
  entity['x-views']?.forEach((view, index) => {
    const at = pointer('/x-views', index)
    checker.permission(view.permission, pointer(at, 'permission'))
    for (const { condition, at: here } of checkTerms(checker, view.where, pointer(at, 'where'))) {
      if (!checker.field(fields, condition.field, pointer(here, 'field'), entity.name)) continue
      checker.expression(condition.value, pointer(here, 'value'), namesAt('view', entity))
      const dictionary = fields.get(condition.field)?.['x-dictionary']
      if (dictionary !== undefined)
        for (const code of [condition.value].flat()) checker.code(dictionary, code, pointer(here, 'value'), 'field-kind-mismatch')
    }
    const entries = entity['x-participants'] ?? []
    if (view.participant !== undefined && !entries.some(({ id }) => id === view.participant))
      checker.add('unknown-view', pointer(at, 'participant'), {
        zh: `x-participants 中没有“${view.participant}”。`,
        en: `x-participants has no "${view.participant}".`,
      })
    for (const name of Object.keys(view.fieldRules ?? {}))
      checker.field(fields, name, pointer(at, 'fieldRules', name), entity.name)
  })
}

function checkStates(checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void {
  const machines = entity['x-states'] ?? []
  const ids = new Set<string>()
  machines.forEach((machine, index) => {
    const at = pointer('/x-states', index)
    if (!checker.field(fields, machine.field, pointer(at, 'field'), entity.name)) return
    const dictionary = fields.get(machine.field)?.['x-dictionary']
    if (dictionary === undefined)
      mismatch(checker, pointer(at, 'field'), '状态字段须有字典。', 'A field of states needs a dictionary.')
    else checker.code(dictionary, machine.initial, pointer(at, 'initial'), 'unknown-state')
    machine.transitions.forEach((transition, row) => {
      const here = pointer(at, 'transitions', row)
      if (ids.has(transition.id)) {
        checker.add(
          'duplicate-id',
          pointer(here, 'id'),
          { zh: `流转“${transition.id}”重复。`, en: `The transition "${transition.id}" is there twice.` },
          { value: transition.id },
        )
      }
      ids.add(transition.id)
      if (dictionary !== undefined) {
        transition.from.forEach((code, step) => checker.code(dictionary, code, pointer(here, 'from', step), 'unknown-state'))
        if (transition.to !== undefined) checker.code(dictionary, transition.to, pointer(here, 'to'), 'unknown-state')
      }
      checkTransition(checker, entity, transition, here, fields)
    })
  })
}

function checkTransition(
  checker: Checker,
  entity: EntityDocument,
  transition: Transition,
  at: string,
  fields: ReadonlyMap<string, EntityField>,
): void {
  const inputs = transition.inputs ?? {}
  checker.permission(transition.permission, pointer(at, 'permission'))
  checker.service(transition.service, pointer(at, 'service'))
  transition.fields?.forEach((name, index) => checker.field(fields, name, pointer(at, 'fields', index), entity.name))
  const asked = new Map([...(transition.fields ?? []), ...Object.keys(inputs)].map((name) => [name, true]))
  transition.required?.forEach((name, index) =>
    checker.field(asked, name, pointer(at, 'required', index), `${entity.name}.${transition.id}`),
  )
  if (transition.reason !== undefined)
    checker.field(
      new Map([...fields, ...Object.entries(inputs)]),
      transition.reason,
      pointer(at, 'reason'),
      `${entity.name}.${transition.id}`,
    )
  for (const [name, field] of Object.entries(inputs)) checkField(checker, entity, field, pointer(at, 'inputs', name), fields)
}
