import { pointer } from '../diagnosis'
import { inColumn, titleWithUnit } from '../formats'
import type { ListBody, ListPage, Term } from '../generated/page'
import { groupedAs } from '../grouped'
import type {
  ActionModel,
  BoardModel,
  CalendarModel,
  ColumnModel,
  Evaluate,
  FieldKind,
  PageField,
  ListBodyModel,
  ListViewModel,
  QuerySort,
  QueryWhere,
  Tone,
} from '../model'
import { leavesOf, conditionsIn, mayHave, queryOf, type Condition } from '../where'
import { compileActions, parseCall } from './action'
import type { EntityReader } from './entityReader'
import { findField, FURTHEST, readableAt, refuseRepeated } from './fieldPath'
import { compileFilters, furtherFilters } from './listFilters'
import { ROOTS } from './roots'
import { headerWidth, tagWidth } from './textWidth'
import type { Workspace } from './workspace'

const DEFAULT_PAGE_SIZE = 20
/** Tens of millions and their currency stand in one line, px. */
const SUM_WIDTH = 150
const EXPRESSION_WIDTH = 160
/** Lists of values and what needs room. */
const NOT_IN_A_CELL: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['dictionaries', 'refs', 'countries', 'strings', 'lines', 'file', 'files', 'json', 'richText', 'text'] as const),
])
const TONES: ReadonlySet<unknown> = new Set(['success', 'processing', 'warning', 'error'])

/** A list, as a page of its own or inside another page; `outer` are the roots that the page around it adds. */
/** The first lines of an entity that the viewer may read. */
const linesOf = (entity: EntityReader, view: string | undefined): Pick<ListBodyModel, 'lines'> => {
  const lines = [...entity.fieldNames]
    .filter((name) => entity.definition(name)?.['x-lines'] && entity.readable(name, view))
    .map((name) => entity.field(name, ''))
    .find((field) => (field.lines?.columns.length ?? 0) > 0)
  return lines ? { lines } : {}
}

export const compileListBody = (
  work: Workspace,
  document: ListBody | ListPage,
  at: string,
  outer: readonly string[] = [],
): ListBodyModel => {
  const entity = work.entity(document.entity, pointer(at, 'entity'))
  if (document.view !== undefined) checkView(work, entity, document.view, pointer(at, 'view'))
  const blind = blindCondition(work, entity, document)
  if (blind) refuseBlind(work, findField(work, entity, blind.field, at, undefined, FURTHEST).field, pointer(at, 'where'))
  const roots = (names: readonly string[]): readonly string[] => [...names, ...outer]
  const scope = (names: readonly string[]) => ({ roots: roots(names), entity })
  const calls = document.calls ?? {}
  // Nobody adds to a pool by hand: rows get there by losing their owner.
  const pool = (entity.document['x-views'] ?? []).some(({ id, scope }) => id === document.view && scope === 'pool')
  // A list that stands behind another page of the menu shows rows of it: what is imported belongs into the list of the menu.
  const behind = 'activeMenu' in document && document.activeMenu !== undefined
  // What the page offers to the holders of another key comes to nobody by the tools of the list.
  const withheld = (operation: 'import' | 'export'): boolean =>
    (document.actions ?? []).some((action) => action.operation === operation && !work.allowed(action.permission))
  const importable = !pool && !behind && entity.may('import') && !withheld('import')
  const rowActions = compileActions(work, document.rowActions, pointer(at, 'rowActions'), { ...scope(ROOTS.row), about: 'row' })
  const board = compileBoard(entity, document, at, rowActions)
  return {
    entity: entity.name,
    entityLabel: entity.label,
    path: entity.path,
    calls: {
      query: calls.query === undefined ? entity.call('queryPage') : parseCall(calls.query),
      export: calls.export === undefined ? entity.call('export') : parseCall(calls.export),
      ...(calls.query === undefined ? { aggregate: entity.call('aggregate') } : {}),
      ...(importable || calls.importPreview !== undefined
        ? { importPreview: calls.importPreview === undefined ? entity.call('import/preview') : parseCall(calls.importPreview) }
        : {}),
      ...(importable || calls.importCommit !== undefined
        ? { importCommit: calls.importCommit === undefined ? entity.call('import/commit') : parseCall(calls.importCommit) }
        : {}),
    },
    ...(document.view === undefined ? {} : { view: document.view }),
    where: compileWhere(work, entity, document.where, pointer(at, 'where'), roots(ROOTS.page)),
    compared: [document, ...shownViews(work, entity, document)].flatMap(({ where }) => leavesOf(where).map(({ field }) => field)),
    views: compileViews(work, entity, document, at, roots(ROOTS.page)),
    columns: compileColumns(work, entity, document, pointer(at, 'columns'), roots(ROOTS.cell)),
    filters: compileFilters(work, entity, document.filters, pointer(at, 'filters'), roots(ROOTS.page), document.view),
    ...linesOf(entity, document.view),
    further: furtherFilters(work, entity, document.view),
    keyword:
      document.keyword === false ? [] : entity.marked('x-search', document.view).map((name) => entity.field(name, at).label),
    sort: compileSort(work, entity, document, at),
    pageSize: document.pageSize ?? DEFAULT_PAGE_SIZE,
    paging: document.paging ?? 'pages',
    rowKey: document.rowKey ?? 'id',
    layout: document.layout ?? 'table',
    ...defined({
      board,
      calendar: compileCalendar(entity, document, at),
      group: compileGroup(work, entity, document.group, document.view, pointer(at, 'group')),
    }),
    actions: compileActions(work, document.actions, pointer(at, 'actions'), scope(ROOTS.page)),
    rowActions,
    bulkActions: compileActions(work, document.bulkActions, pointer(at, 'bulkActions'), { ...scope(ROOTS.rows), about: 'rows' }),
    summary: document.summary ?? (document.columns ?? []).some((column) => column.summary !== undefined),
    ...(document.empty
      ? {
          empty: {
            text: work.text(document.empty.text),
            ...(document.empty.action === undefined ? {} : { action: document.empty.action }),
          },
        }
      : {}),
    ...compileHeader(work, document, at),
    operations: {
      add: !pool && entity.may('add'),
      edit: entity.may('edit'),
      delete: entity.may('delete'),
      import: importable,
      export: entity.may('export') && !withheld('export'),
      restore: entity.may('restore'),
    },
    source: work.source(at),
  }
}

/** Less states than that, like on and off, need no board unless the page says so. */
const STATES_OF_BOARD = 3

/** The field that the page names, else the state that actions of a row change; only one that the viewer reads. */
function compileBoard(
  entity: EntityReader,
  { board, view }: ListBody | ListPage,
  at: string,
  rowActions: readonly ActionModel[],
): BoardModel | undefined {
  const moved = rowActions.flatMap(({ effect }) =>
    effect.type === 'transition' && effect.transition.to !== undefined ? [effect.transition.field] : [],
  )
  const name = board === false ? undefined : (board ?? moved[0])
  if (name === undefined || !entity.readable(name, view)) return undefined
  const field = entity.field(name, pointer(at, 'board'))
  if (field.kind !== 'dictionary' || !field.dictionary) return undefined
  const { where = [] } = entity.document['x-views']?.find(({ id }) => id === view) ?? {}
  const columns = field.dictionary.options.filter(({ code, retired }) => !retired && mayHave(where, name, code))
  if (board === undefined && columns.length < STATES_OF_BOARD) return undefined
  return { field, columns: columns.map(({ code, label, color }) => ({ code, label, ...(color === undefined ? {} : { color }) })) }
}

/** The day that the page names; only one that the viewer reads and the gateway can compare. */
function compileCalendar(entity: EntityReader, { calendar, view }: ListBody | ListPage, at: string): CalendarModel | undefined {
  if (calendar === undefined || !entity.readable(calendar, view)) return undefined
  const field = entity.field(calendar, pointer(at, 'calendar'))
  return groupedAs(field.kind) === 'month' && field.operators.includes('between') ? { field } : undefined
}

/** The field that rows are grouped by, unless the viewer may not read it. What has no column has no name in the heads. */
function compileGroup(
  work: Workspace,
  entity: EntityReader,
  name: string | undefined,
  view: string | undefined,
  at: string,
): string | undefined {
  if (name === undefined) return undefined
  const { kind } = entity.field(name, at)
  if (groupedAs(kind) === undefined) {
    work.refuse(
      'field-kind-mismatch',
      at,
      { zh: `不能按字段“${name}”分组。`, en: `Rows cannot be grouped by the field "${name}".` },
      { value: name },
    )
  }
  return entity.readable(name, view) ? name : undefined
}

function checkView(work: Workspace, entity: EntityReader, view: string, at: string): void {
  const known = (entity.document['x-views'] ?? []).map(({ id }) => id)
  if (known.includes(view)) return
  work.refuse(
    'unknown-view',
    at,
    { zh: `实体“${entity.name}”没有名为“${view}”的视图。`, en: `The entity "${entity.name}" has no view "${view}".` },
    { value: view, known },
  )
}

function compileHeader(work: Workspace, document: ListBody | ListPage, at: string): Pick<ListBodyModel, 'header'> {
  const { header } = document
  if (!header) return {}
  const widget = work.block(() => work.widget(header.widget, pointer(at, 'header', 'widget')))
  return widget === undefined ? {} : { header: { widget, props: header.props ?? {} } }
}

/** Conditions as a function: values may be expressions. A wrong one refuses the block: without it too many rows would show. */
export const compileWhere = (
  work: Workspace,
  entity: EntityReader,
  where: readonly Term[] | undefined,
  at: string,
  roots: readonly string[],
): Evaluate<readonly QueryWhere[]> => {
  const compiled = new Map(
    conditionsIn(where, at).map(({ condition, at: here }) => {
      const { field } = findField(work, entity, condition.field, pointer(here, 'field'), undefined, FURTHEST)
      const operator = condition.operator ?? field.operators[0] ?? 'eq'
      const value = condition.value === undefined ? undefined : work.values(condition.value, pointer(here, 'value'), roots)
      return [here, { field: condition.field, operator, value }] as const
    }),
  )
  return (scope) =>
    queryOf(
      where,
      (_, here) => {
        const { field, operator, value } = compiled.get(here)!
        return { field, operator, ...(value === undefined ? {} : { value: value(scope) }) }
      },
      at,
    )
}

/** A fixed condition of the list on a field that the viewer may not read: the gateway answers no row by it. */
const blindCondition = (work: Workspace, entity: EntityReader, { where, view }: ListBody | ListPage): Condition | undefined =>
  leavesOf(where).find(({ field }) => !readableAt(work, entity, field, view))

function refuseBlind(work: Workspace, { name, label }: PageField, at: string): never {
  return work.refuse(
    'unknown-field',
    at,
    {
      zh: `这个列表按“${label}”取数，而字段规则不允许您查看它。请联系系统管理员。`,
      en: `The rows of this list are chosen by "${label}", which a field rule keeps from you. Ask an administrator.`,
    },
    { severity: 'warning', value: name },
  )
}

/** The list can be made for the viewer: nothing that he may not read decides about its rows. */
export const isListable = (work: Workspace, list: ListBody): boolean =>
  work.entityIfKnown(list.entity) === undefined || blindCondition(work, work.entity(list.entity, ''), list) === undefined

/** Tabs that the viewer may open; one that compares what he may not read would only be refused by the gateway. */
const shownViews = (work: Workspace, entity: EntityReader, document: ListBody | ListPage) =>
  (document.views ?? []).filter(
    ({ permission, view = document.view, where }) =>
      work.allowed(permission) && leavesOf(where).every(({ field }) => readableAt(work, entity, field, view)),
  )

function compileViews(
  work: Workspace,
  entity: EntityReader,
  document: ListBody | ListPage,
  at: string,
  roots: readonly string[],
): ListViewModel[] {
  const shown = new Set(shownViews(work, entity, document))
  return work.blocks(document.views, pointer(at, 'views'), (view, here): ListViewModel | undefined => {
    if (!shown.has(view)) return undefined
    if (view.view !== undefined) checkView(work, entity, view.view, pointer(here, 'view'))
    return {
      id: view.id,
      title: work.text(view.title),
      ...(view.view === undefined ? {} : { view: view.view }),
      where: compileWhere(work, entity, view.where, pointer(here, 'where'), roots),
      ...(view.sort ? { sort: sortable(work, entity, view.sort, view.view ?? document.view) } : {}),
      count: view.count ?? false,
      ...defined({
        show: view.show,
        hide: view.hide,
        layout: view.layout,
        group: compileGroup(work, entity, view.group, view.view ?? document.view, pointer(here, 'group')),
      }),
    }
  })
}

function compileColumns(
  work: Workspace,
  entity: EntityReader,
  { columns, view }: ListBody | ListPage,
  at: string,
  roots: readonly string[],
): ColumnModel[] {
  const seen = new Set<string>()
  return work.blocks(columns, at, (column, here): ColumnModel | undefined => {
    if (!work.allowed(column.permission)) return undefined
    const found = column.field === undefined ? undefined : findField(work, entity, column.field, pointer(here, 'field'), view)
    if (!found && column.value === undefined) {
      return work.refuse('invalid-shape', here, { zh: '列须有 field 或 value。', en: 'A column needs a field or a value.' })
    }
    const id = column.id ?? column.field
    if (id === undefined) {
      return work.refuse('invalid-shape', here, { zh: '没有字段的列须有 id。', en: 'A column without a field needs an id.' })
    }
    refuseRepeated(work, seen, id, here)
    if (found?.access === 'hide') return undefined
    const { field } = found ?? {}
    const step = found !== undefined && found.path.length > 1
    const masked = found?.access === 'mask'
    const optional = {
      open: column.open === undefined ? undefined : work.address(column.open, pointer(here, 'open'), roots),
      tone: column.tone === undefined ? undefined : toneOf(work.expression(column.tone, pointer(here, 'tone'), roots)),
      tooltip: column.tooltip === undefined ? undefined : work.textual(column.tooltip, pointer(here, 'tooltip'), roots),
      value: column.value === undefined ? undefined : work.expression(column.value, pointer(here, 'value'), roots),
    }
    const title = titleWithUnit(work.text(column.title) ?? found?.title ?? id, field?.unit)
    return {
      id,
      title,
      ...(field ? { field: inColumn(field) } : {}),
      path: found?.path ?? [],
      ...defined(optional),
      cell: column.widget === undefined ? (field?.kind ?? 'string') : work.widget(column.widget, pointer(here, 'widget')),
      ...(column.props ? { props: column.props } : {}),
      width: Math.max(
        column.width ?? field?.width ?? EXPRESSION_WIDTH,
        headerWidth(title),
        column.summary !== undefined && field?.kind === 'money' ? SUM_WIDTH : 0,
        // A width is said for one language; the words of a dictionary stand whole in both.
        field?.kind === 'dictionary' ? tagWidth(field.dictionary?.options ?? []) : 0,
      ),
      ...(column.pin ? { pin: column.pin } : {}),
      hidden: column.hidden ?? false,
      align: field?.align ?? 'left',
      sortable:
        // what lies behind a reference costs a join of all rows: a page says it
        (column.sortable ?? !step) && field !== undefined && field.sortable && !masked && column.value === undefined,
      ...(column.summary && !masked ? { summary: column.summary } : {}),
      ...(column.edit === true && !step && found?.access === 'write' && isEditedInPlace(entity, found.field)
        ? { edit: true }
        : {}),
      source: work.source(here),
    }
  })
}

/** What one control in a cell can hold, and the viewer may change in a record that is there. */
const isEditedInPlace = (entity: EntityReader, { kind, readOnly, computed, immutable }: PageField): boolean =>
  entity.may('edit') && !readOnly && !computed && !immutable && !NOT_IN_A_CELL.has(kind)

/** A tone of the four; everything else is no tone. */
export const toneOf =
  (run: Evaluate<unknown>): Evaluate<Tone> =>
  (scope) => {
    const tone = run(scope)
    return TONES.has(tone) ? (tone as Tone) : null
  }

/** Without the entries that are undefined. */
export const defined = <T extends object>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

function compileSort(work: Workspace, entity: EntityReader, document: ListBody | ListPage, at: string): ListBodyModel['sort'] {
  const given = document.sort
  if (!given) return sortable(work, entity, entity.document['x-sort'] ?? [{ field: 'createdAt', order: 'desc' }], document.view)
  const checked = work.blocks(given, pointer(at, 'sort'), (sort, here) => {
    const { field } = findField(work, entity, sort.field, pointer(here, 'field'), document.view, FURTHEST)
    if (!field.sortable) {
      work.refuse(
        'field-kind-mismatch',
        pointer(here, 'field'),
        { zh: `字段“${field.name}”不能排序。`, en: `The field "${field.name}" cannot be sorted.` },
        { value: sort.field },
      )
    }
    return sort
  })
  return sortable(work, entity, checked, document.view)
}

/** Without what the viewer may not read: the gateway sorts by nothing that it masks. */
const sortable = (work: Workspace, entity: EntityReader, sorts: readonly QuerySort[], view: string | undefined): QuerySort[] =>
  sorts.filter(({ field }) => readableAt(work, entity, field, view))
