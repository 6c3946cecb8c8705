import { columnsOf } from '../columns'
import { isWritable } from '../explicit'
import { fieldKind } from '../formats'
import type { EntityDocument } from '../generated/entity'
import type { Action, DetailPage, FieldItem, FormNode, FormPage, ListPage, PageDocument, Section } from '../generated/page'
import type { BilingualText } from '../problem'
import { addAction, byId, detailPathOf, formOf, movesOf, over, recordActions, rowActions, type Site } from './site'

type Tab = NonNullable<DetailPage['tabs']>[number]
type View = NonNullable<ListPage['views']>[number]

const ALL: BilingualText = { zh: '全部', en: 'All' }
const FACTS: BilingualText = { zh: '基本信息', en: 'Details' }

/**
 * The page with what it leaves to the default page of its entity: a list without columns, a detail without sections and tabs, a form
 * without properties, and a page that says `default`. What a page says itself lies over that, by id. Any other page stays as it is.
 */
export function withDefaults(page: PageDocument, site: Site): PageDocument {
  const entity = 'entity' in page && page.entity !== undefined ? site.entities.get(page.entity) : undefined
  if (!entity) return page
  if (page.kind === 'list' && (page.default ?? page.columns === undefined)) return defaultList(page, entity, site)
  if (page.kind === 'list' && page.columns === undefined)
    return { ...page, columns: columnsOf(entity, page, leadOf(entity, site)) }
  if (page.kind === 'detail' && (page.default ?? !(page.sections ?? page.tabs))) return defaultDetail(page, entity, site)
  if (page.kind === 'form' && Object.keys(page.schema.properties ?? {}).length === 0) return defaultForm(page, entity)
  return page
}

const idOf = ({ id }: { id?: string }): string | undefined => id
const fieldOf = ({ field, id }: { field?: string; id?: string }): string | undefined => id ?? field

function defaultList({ default: _default, ...page }: ListPage, entity: EntityDocument, site: Site): ListPage {
  const rest = page.rest !== false
  const keys = entity['x-permissions'] ?? {}
  const tools = (['import', 'export'] as const).filter((operation) => keys[operation] !== undefined)
  const moves = movesOf(entity).filter(
    ({ fields = [], inputs = {}, danger }) => fields.length === 0 && Object.keys(inputs).length === 0 && !danger,
  )
  const views = page.view === undefined ? viewsOf(entity) : []
  return {
    ...page,
    ...(views.length === 0 && !page.views ? {} : { views: over(page.views, views, idOf, rest) }),
    columns: over(page.columns, columnsOf(entity, page, leadOf(entity, site)), fieldOf, rest),
    actions: over(
      page.actions,
      [...addAction(site, entity), ...tools.map((operation): Action => ({ id: operation, operation }))],
      idOf,
      rest,
    ),
    rowActions: over(page.rowActions, rowActions(site, entity), idOf, rest),
    bulkActions: over(
      page.bulkActions,
      moves.map(({ id }): Action => ({ id })),
      idOf,
      rest,
    ),
  }
}

/** The title stands still and opens the record. */
function leadOf(entity: EntityDocument, site: Site): { pin: 'left'; open?: string } {
  const path = detailPathOf(site, entity.name)
  return { pin: 'left', ...(path === undefined ? {} : { open: `${path}?id={{ row.id }}` }) }
}

/** The row views as tabs, all rows last; nobody looks for his own among those of a pool. */
function viewsOf(entity: EntityDocument): View[] {
  const views = (entity['x-views'] ?? [])
    .filter(({ scope }) => scope !== 'pool')
    .map(({ id, label, permission }): View => ({
      ...{ id, title: label ?? { zh: id, en: id }, view: id },
      ...(permission === undefined ? {} : { permission }),
    }))
  return views.length === 0 ? [] : byId([...views, { id: 'all', title: ALL }])
}

function defaultDetail({ default: _default, ...page }: DetailPage, entity: EntityDocument, site: Site): DetailPage {
  const rest = page.rest !== false
  const keys = entity['x-permissions'] ?? {}
  const form = keys.edit === undefined ? undefined : (page.editForm ?? formOf(site, entity.name))
  const actions = recordActions(entity, form === undefined ? [] : [{ id: 'edit', operation: 'edit' }])
  const state = page.header?.state ?? (entity['x-states'] ?? []).map(({ field }) => field)
  const attachments =
    page.attachments ??
    Object.entries(entity.properties).find(([, field]) => fieldKind(field) === 'files' && !field['x-internal'])?.[0]
  const named = new Set([entity.titleField, ...state, ...(attachments === undefined ? [] : [attachments])])
  return {
    ...page,
    header: {
      ...page.header,
      ...(state.length > 0 ? { state } : {}),
      actions: over(page.header?.actions, actions, idOf, rest),
    },
    ...(form === undefined ? {} : { editForm: form }),
    sections: over(page.sections, sectionsOf(entity, named), idOf, rest),
    tabs: over(page.tabs, tabsOf(entity, site), idOf, rest),
    ...(attachments === undefined ? {} : { attachments }),
  }
}

/** The groups of the entity; without them one section with all fields. What no group holds stands in the section of the rest. */
function sectionsOf(entity: EntityDocument, named: ReadonlySet<string>): Section[] {
  const items = (names: readonly string[]): FieldItem[] => names.filter((name) => !named.has(name)).map((field) => ({ field }))
  const groups = entity['x-groups']
  if (groups) return groups.map(({ id, title, fields }) => ({ id, title, fields: items(fields) }))
  const shown = Object.entries(entity.properties).filter(
    ([, field]) => !field['x-internal'] && !field['x-retired'] && !field['x-condition'] && field['x-rest'] !== false,
  )
  return [{ id: 'facts', title: FACTS, fields: items(shown.map(([name]) => name)) }]
}

/** The records below it: those of every entity whose rows belong to it. */
function tabsOf(entity: EntityDocument, site: Site): Tab[] {
  return [...site.entities.values()].flatMap((child): Tab[] => {
    const scope = child['x-scope']
    if (typeof scope !== 'object' || !('parent' in scope) || scope.line) return []
    if (child.properties[scope.parent]?.['x-ref'] !== entity.name) return []
    const own = child.name.slice(child.name.indexOf('.') + 1)
    return [
      {
        id: own,
        title: child.label,
        list: {
          entity: child.name,
          where: [{ field: scope.parent, operator: 'eq', value: '{{ record.id }}' }],
          keyword: false,
          actions: addAction(site, child, { [scope.parent]: '{{ record.id }}' }),
          rowActions: rowActions(site, child),
        },
      },
    ]
  })
}

/** The groups of the entity with the fields that somebody may type; the others follow as the rest. */
function defaultForm(page: FormPage, entity: EntityDocument): FormPage {
  const writable = (name: string): boolean => {
    const field = entity.properties[name]
    return field !== undefined && !field['x-internal'] && !field['x-retired'] && isWritable(entity, field, name)
  }
  const groups = (entity['x-groups'] ?? []).flatMap(({ id, title, fields }): [string, FormNode][] => {
    const properties = Object.fromEntries(
      fields.filter(writable).map((name): [string, FormNode] => [name, { $field: `${entity.name}.${name}` }]),
    )
    return Object.keys(properties).length === 0 ? [] : [[id, { type: 'void', title, 'x-component': 'Group', properties }]]
  })
  return { ...page, schema: { ...page.schema, properties: Object.fromEntries(groups) } }
}
