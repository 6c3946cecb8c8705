import { compileFresh, ROOTS, splitField, type CompileBundle } from '../compile'
import { plainSchema } from '../compile/definitions'
import { pointer } from '../diagnosis'
import { isExpression } from '../expression'
import type { Action, DetailPage, FormNode, FormPage, ListBody, ListPage, PageDocument } from '../generated/page'
import { checkCells } from './cells'
import { normalizeCall, readableFields, type Catalog } from './catalog'
import type { Checker } from './checker'
import { checkCount } from './cost'
import { checkComponents } from './components'
import { checkFunctions, withWay } from './functions'
import { checkLinkages, collectFields } from './linkage'
import { checkNodeRules } from './nodeRules'
import { checkOptions } from './options'
import { checkRestated } from './restated'
import { checkNodeUnit } from './units'
import { checkTerms } from './where'

/** Everything in a page that names something else, and what does not fit together. */
export const checkPage = (checker: Checker, page: PageDocument): void => {
  dryRun(checker, page)
  checkNames(checker, page)
  checkAddress(checker, page.titleFrom, '/titleFrom')
  checker.expression(page.titleFrom, '/titleFrom', ROOTS.page)
  if (page.activeMenu !== undefined) checker.route(page.activeMenu, '/activeMenu')
  switch (page.kind) {
    case 'list':
      checkList(checker, page, '')
      break
    case 'detail':
      checkDetail(checker, page)
      break
    case 'form':
      checkForm(checker, page)
      break
    case 'widget':
      checkWidgetProps(checker, page.widget, page.props, '/props')
      break
    default:
  }
}

type Named = Pick<CompileBundle, 'entities' | 'dictionaries'>
const named = new WeakMap<Catalog, Named>()

/** What pages name, as a bundle has it: the same for every page of a catalog. */
function namedIn(catalog: Catalog): Named {
  const known = named.get(catalog)
  if (known) return known
  const made = {
    entities: Object.fromEntries(catalog.entities),
    dictionaries: Object.fromEntries(catalog.dictionaries),
  }
  named.set(catalog, made)
  return made
}

/** The page with the columns where its file has them, so that what is wrong with one is said of its place there. */
function inOrderOfFile(page: PageDocument): PageDocument {
  const kept = <T extends ListBody | ListPage>(list: T): T => ({ columnOrder: 'file', ...list })
  if (page.kind === 'list') return kept(page)
  if (page.kind !== 'detail' || !page.tabs) return page
  return { ...page, tabs: page.tabs.map((tab) => (tab.list ? { ...tab, list: kept(tab.list) } : tab)) }
}

/**
 * Compiles the page with every permission, in both languages: unknown fields, entities, views, transitions and wrong
 * expressions are found by the very code that uses them.
 */
function dryRun(checker: Checker, page: PageDocument): void {
  const { widgets, faulty } = checker.catalog
  const bundle = { page: inOrderOfFile(page), where: checker.where, revision: '', ...namedIn(checker.catalog) }
  const seen = new Set<string>()
  for (const locale of ['zh', 'en'] as const) {
    const result = compileFresh(bundle, {
      locale,
      permissions: { has: () => true },
      companyTimeZone: 'UTC',
      ...(widgets ? { knownWidgets: widgets } : {}),
    })
    for (const problem of result.ok ? result.model.problems : result.problems) {
      // what is wrong with an entity is said of it
      if (problem.code === 'unknown-entity' && faulty.has(String(problem.value))) continue
      const key = `${problem.code} ${problem.at}`
      if (!seen.has(key)) checker.problems.push(withWay(problem))
      seen.add(key)
    }
  }
}

/** Free values, in which a key has no meaning of ours. */
const OPAQUE: ReadonlySet<string> = new Set([
  'props',
  'initial',
  'enum',
  'default',
  'x-component-props',
  'x-decorator-props',
  'x-data',
])

/** Permission keys, calls, names of pages and addresses, wherever they stand. */
function checkNames(checker: Checker, page: PageDocument): void {
  const visit = (value: unknown, at: string, named: boolean): void => {
    if (typeof value === 'string') {
      for (const [, key] of value.matchAll(/\bcan\s*\(\s*['"]([^'"]+)['"]\s*\)/g))
        if (value.includes('{{')) checker.permission(key, at)
      return
    }
    if (value === null || typeof value !== 'object') return
    for (const [key, item] of Object.entries(value)) {
      const here = pointer(at, key)
      if (!named && OPAQUE.has(key)) continue
      if (!named && typeof item === 'string') checkName(checker, key, item, here)
      const free = !named && (key === 'values' || key === 'params')
      if (free) visitTexts(item, here, visit)
      else visit(item, here, !named && key === 'properties')
    }
  }
  visit(page, '', false)
}

function visitTexts(value: unknown, at: string, visit: (value: unknown, at: string, named: boolean) => void): void {
  if (value === null || typeof value !== 'object') visit(value, at, true)
  else for (const [key, item] of Object.entries(value)) visitTexts(item, pointer(at, key), visit)
}

const ONE_CONTROL = {
  zh: '控件不随其他字段变化：请写两个字段，各用一种控件，再用 x-visible 选择显示哪一个；设置可以变化，写在 x-component-props。',
  en: 'A control does not follow other fields: write two fields, each with its control, and show one of them with x-visible. Settings may follow, in x-component-props.',
}

function checkName(checker: Checker, key: string, text: string, at: string): void {
  if (key === 'permission' || key === 'x-permission') checker.permission(text, at)
  else if (key === 'open') checkAddress(checker, text, at)
  else if (key === 'form' || key === 'edit' || key === 'editForm' || key === 'entry') checker.formPage(text, at)
  else if (key === 'x-component' && isExpression(text)) checker.add('unknown-control', at, ONE_CONTROL, { value: text })
  else if (key === 'control' || key === 'x-component') checker.control(text, at)
  else if (/^(?:GET|POST|PUT|PATCH|DELETE) \//.test(text)) checkCall(checker, text, at)
}

/** The fixed part of an address has to be a route; addresses of other sites and computed ones are not checked. */
function checkAddress(checker: Checker, text: string | undefined, at: string): void {
  if (text === undefined || !text.startsWith('/') || text.startsWith('//')) return
  const path = text.split(/[?#]/, 1)[0] ?? ''
  if (!path.includes('{{')) checker.route(path, at)
}

function checkCall(checker: Checker, call: string, at: string): void {
  const { calls } = checker.catalog
  if (!calls || calls.has(normalizeCall(call))) return
  checker.add(
    'unknown-call',
    at,
    { zh: `网关没有调用“${call}”。`, en: `The gateway has no call "${call}".` },
    { value: call, known: calls },
  )
}

function checkList(checker: Checker, list: ListBody | ListPage, at: string): void {
  const entity = checker.catalog.entities.get(list.entity)
  checkCount(checker, pointer(at, 'columns'), list.columns?.length ?? 0, 'columns')
  checkUniqueActions(checker, list, at)
  for (const part of ['rowActions', 'bulkActions'] as const) checkRestated(checker, list[part], pointer(at, part), entity)
  checker.unique(
    (list.views ?? []).map(({ id }) => id),
    pointer(at, 'views'),
    'id',
  )
  checkShown(checker, list, at)
  const { empty } = list
  const actions = (list.actions ?? []).map(({ id }) => id)
  if (empty?.action !== undefined && !actions.includes(empty.action)) {
    checker.add(
      'unknown-action',
      pointer(at, 'empty', 'action'),
      { zh: `列表没有操作“${empty.action}”。`, en: `The list has no action "${empty.action}".` },
      { value: empty.action, known: actions },
    )
  }
  if (list.header) checkWidgetProps(checker, list.header.widget, list.header.props, pointer(at, 'header', 'props'))
  if (!entity) return
  checkCells(checker, list, entity, at)
  const fields = readableFields(entity)
  const checkCodes = (where: ListBody['where'], under: string): void => {
    for (const { condition, at: here } of checkTerms(checker, where, under)) {
      const dictionary = fields.get(condition.field)?.['x-dictionary']
      if (dictionary === undefined) continue
      for (const code of [condition.value].flat()) checker.code(dictionary, code, pointer(here, 'value'), 'field-kind-mismatch')
    }
  }
  checkCodes(list.where, pointer(at, 'where'))
  list.views?.forEach((view, index) => checkCodes(view.where, pointer(at, 'views', index, 'where')))
}

/** The columns that a tab shows or hides are columns of the list. */
function checkShown(checker: Checker, { columns, views }: ListBody | ListPage, at: string): void {
  if (!columns) return
  const known = columns.map(({ id, field }) => id ?? field ?? '')
  views?.forEach((view, index) => {
    for (const key of ['show', 'hide'] as const) {
      view[key]?.forEach((column, position) => {
        const message = { zh: `列表没有列“${column}”。`, en: `The list has no column "${column}".` }
        if (!known.includes(column))
          checker.add('unknown-field', pointer(at, 'views', index, key, position), message, { value: column, known })
      })
    }
  })
}

function checkUniqueActions(checker: Checker, list: Pick<ListBody, 'actions' | 'rowActions' | 'bulkActions'>, at: string): void {
  for (const part of ['actions', 'rowActions', 'bulkActions'] as const) {
    checker.unique(
      (list[part] ?? []).map(({ id }: Action) => id),
      pointer(at, part),
      'id',
    )
  }
}

function checkDetail(checker: Checker, page: DetailPage): void {
  checker.unique(
    (page.header?.actions ?? []).map(({ id }) => id),
    '/header/actions',
    'id',
  )
  checkRestated(checker, page.header?.actions, '/header/actions', checker.catalog.entities.get(page.entity))
  checker.unique(
    (page.header?.warnings ?? []).map(({ id }) => id),
    '/header/warnings',
    'id',
  )
  page.sections?.forEach(({ widget, props }, index) =>
    checkWidgetProps(checker, widget, props, pointer('/sections', index, 'props')),
  )
  page.tabs?.forEach((tab, index) => {
    const at = pointer('/tabs', index)
    if (tab.list) checkList(checker, tab.list, pointer(at, 'list'))
    checkWidgetProps(checker, tab.widget, tab.props, pointer(at, 'props'))
  })
}

function checkWidgetProps(
  checker: Checker,
  widget: string | undefined,
  props: Readonly<Record<string, unknown>> | undefined,
  at: string,
): void {
  if (widget === undefined) return
  for (const { at: inside, message } of checker.catalog.context.checkWidgetProps?.(widget, props ?? {}) ?? []) {
    checker.add('invalid-widget-props', at + inside, {
      zh: `组件“${widget}”的属性不正确：${message.zh}`,
      en: `The props of the widget "${widget}" are wrong: ${message.en}`,
    })
  }
}

function checkForm(checker: Checker, page: FormPage): void {
  const schema = plainSchema(page.schema)
  const fields = collectFields(schema)
  checkCount(checker, '/schema', fields.length, 'fields')
  checkLinkages(checker, schema)
  checkComponents(checker, schema)
  checkFunctions(checker, schema)
  checkOptions(checker, fields)
  const known = savedNames(checker, page)
  for (const { path, at, node } of fields) {
    checkNodeUnit(checker, node, at)
    const shownOnly = node['x-pattern'] === 'readPretty' && node.$field === undefined
    if (known && !/[.$]/.test(path) && !shownOnly && !known.names.has(path)) {
      checker.add(
        'unknown-field',
        at,
        {
          zh: `“${known.of}”没有字段“${path}”，保存会被拒绝。请为实体添加字段，或用 submit.params 说明提交什么。`,
          en: `"${known.of}" has no field "${path}": saving would be refused. Add the field to the entity, or say with submit.params what is sent.`,
        },
        { value: path, known: known.names },
      )
    }
    checkHiddenRequired(checker, page, node, path, at)
  }
  checkNodeRules(checker, schema, '/schema')
}

/** What the gateway takes from a form that sends its values as they are; undefined where the page says itself what it sends. */
function savedNames(
  checker: Checker,
  { entity: name, submit }: FormPage,
): { of: string; names: ReadonlySet<string> } | undefined {
  const { entities, services } = checker.catalog
  const entity = name === undefined ? undefined : entities.get(name)
  if (!entity || !services || submit?.call !== undefined || submit?.params !== undefined) return undefined
  if (submit?.transition === undefined)
    return {
      of: entity.name,
      names: new Set([...readableFields(entity).keys(), ...(services.get(entity['x-service'] ?? '') ?? [])]),
    }
  const transition = (entity['x-states'] ?? [])
    .flatMap((machine) => machine.transitions)
    .find(({ id }) => id === submit.transition)
  if (!transition) return undefined
  const names = new Set([...(transition.fields ?? []), ...Object.keys(transition.inputs ?? {})])
  return { of: `${entity.name}.${transition.id}`, names }
}

/** A field that nobody sees and that has to be filled would keep the form from ever being sent. */
function checkHiddenRequired(checker: Checker, page: FormPage, node: FormNode, path: string, at: string): void {
  const hidden =
    node['x-hidden'] === true || node['x-visible'] === false || node['x-display'] === 'none' || node['x-display'] === 'hidden'
  if (!hidden || node['x-value'] !== undefined || node.default !== undefined || hasInitial(page.initial, path)) return
  const { entity: name, field } = splitField(node.$field ?? '')
  const entity = checker.catalog.entities.get(name)
  const required = node.required ?? (entity?.required?.includes(field) === true && node['x-required'] === undefined)
  if (required !== true || entity?.properties[field]?.default !== undefined || node['x-reactions'] !== undefined) return
  checker.add('hidden-required-without-default', at, {
    zh: `“${path}”隐藏且必填，却没有默认值：表单将永远无法提交。`,
    en: `"${path}" is hidden and required but has no default: the form could never be sent.`,
  })
}

function hasInitial(initial: Readonly<Record<string, unknown>> | undefined, path: string): boolean {
  let value: unknown = initial
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value !== undefined
}
