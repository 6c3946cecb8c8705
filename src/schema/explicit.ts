import { columnsOf, fixedIn, marked } from './columns'
import { computedNames } from './entity/derived'
import { fieldKind, formatOf } from './formats'
import type { EntityDocument, EntityField } from './generated/entity'
import type {
  Column,
  DetailPage,
  FieldItem,
  Filter,
  FormNode,
  FormPage,
  ListBody,
  ListPage,
  PageDocument,
} from './generated/page'
import { inOrderOfWorth } from './worth'

/** Id of the section and of the group that hold the fields which a page does not name. */
export const REST_ID = 'otherFields'

/** What a list says of the order of its columns once they were put into that of their worth. */
const BY_WORTH = 'x-worth'

const REST_TITLE = { zh: '其他信息', en: 'Other' }

type Entities = Readonly<Record<string, EntityDocument | undefined>>

/**
 * The page with everything written down that it leaves to its entities: default columns and filters, and the fields that
 * it does not name. So every part has an id that a change can be addressed to. What is explicit already stays as it is;
 * a page without a known entity too.
 */
export function explicitPage(page: PageDocument, entities: Entities): PageDocument {
  switch (page.kind) {
    case 'list':
      return explicitList(page, entities)
    case 'detail':
      return explicitDetail(page, entities)
    case 'form':
      return explicitForm(page, entities)
    default:
      return page
  }
}

/**
 * Own fields of the entity that a page does not name, in the order of the file: a new field shows everywhere without
 * another file being touched. Left out are internal and retired fields and those that say `x-rest: false`.
 */
const restOf = (
  entity: EntityDocument,
  named: ReadonlySet<string>,
  wanted: (field: EntityField, name: string) => boolean,
): string[] =>
  Object.entries(entity.properties)
    .filter(
      ([name, field]) =>
        !named.has(name) && field['x-rest'] !== false && !field['x-condition'] && !field['x-internal'] && !field['x-retired'],
    )
    .filter(([name, field]) => wanted(field, name))
    .map(([name]) => name)

const isFilterable = (entity: EntityDocument, field: EntityField, name: string): boolean =>
  !computedNames(entity).has(name) && !field['x-virtual'] && !field['x-lines'] && formatOf(fieldKind(field)).operators.length > 0

function explicitList<T extends ListBody | ListPage>(list: T, entities: Entities): T {
  const entity = entities[list.entity]
  if (!entity) return list
  const fixed = fixedIn(entity, list)
  const columns = [
    ...(list.columns ?? columnsOf(entity, list)),
    ...restOfList(entity, list, 'x-list', list.columns).map((field): Column => ({ field })),
  ]
  const filters = [
    ...(list.filters ??
      marked(entity, 'x-filter')
        .filter(({ name, field }) => isFilterable(entity, field, name) && !fixed.includes(name))
        .map(({ name }): Filter => ({ field: name }))),
    ...restOfList(entity, list, 'x-filter', list.filters).map((field): Filter => ({ field, more: true })),
  ]
  const { cells: _said, ...rest } = list
  return {
    ...{ ...rest, columns: inOrderOfWorth(entity, list, columns), filters, rest: false },
    // from here on the order is that of whoever changes the page
    ...(entity['x-worth'] ? { columnOrder: list.columnOrder ?? BY_WORTH } : {}),
  } as T
}

/** Further columns or filters of a list that says its own; what the row view hides or the list has fixed is none. */
function restOfList(
  entity: EntityDocument,
  list: ListBody | ListPage,
  mark: 'x-list' | 'x-filter',
  given: readonly { field?: string }[] | undefined,
): string[] {
  if (!given?.length || list.rest === false) return []
  const named = given.flatMap(({ field }) => (field === undefined ? [] : [field]))
  return restOf(
    entity,
    new Set([...named, ...leftOut(list, mark), ...hiddenIn(entity, list.view), ...fixedIn(entity, list)]),
    (field, name) => field[mark] === true && (mark === 'x-list' || isFilterable(entity, field, name)),
  )
}

/** Columns that the list says it has not, which were filled in before. */
const leftOut = ({ cells = {} }: ListBody | ListPage, mark: 'x-list' | 'x-filter'): string[] =>
  mark === 'x-list' ? Object.keys(cells) : []

const hiddenIn = (entity: EntityDocument, view: string | undefined): string[] =>
  Object.entries((entity['x-views'] ?? []).find(({ id }) => id === view)?.fieldRules ?? {}).flatMap(([name, rule]) =>
    rule === 'hide' ? [name] : [],
  )

/** A section at the end with the fields that nothing of the page names. */
function explicitDetail(page: DetailPage, entities: Entities): DetailPage {
  const tabs = page.tabs?.map((tab) => (tab.list ? { ...tab, list: explicitList(tab.list, entities) } : tab))
  const withTabs = tabs === undefined ? page : { ...page, tabs }
  const entity = entities[page.entity]
  if (!entity || page.rest === false) return withTabs
  const sections = [...(page.sections ?? []), ...(page.tabs ?? []).flatMap((tab) => tab.sections ?? [])]
  const items = [...(page.header?.figures ?? []), ...sections.flatMap((section) => section.fields ?? [])]
  const named = [
    entity.titleField,
    ...(page.header?.state ?? []),
    ...(page.attachments === undefined ? [] : [page.attachments]),
    ...items.flatMap(({ field }) => (field === undefined ? [] : [field])),
    ...hiddenIn(entity, page.view),
  ]
  const fields = restOf(entity, new Set(named), () => true).map((field): FieldItem => ({ field }))
  const rest = fields.length === 0 ? [] : [{ id: REST_ID, title: REST_TITLE, fields }]
  return { ...withTabs, sections: [...(page.sections ?? []), ...rest], rest: false }
}

/** Writable fields that a form over the whole entity does not name: a group of their own where it has groups. */
function explicitForm(page: FormPage, entities: Entities): FormPage {
  const { submit, rest, schema } = page
  const entity = page.entity === undefined ? undefined : entities[page.entity]
  if (!entity || rest === false || submit?.transition !== undefined || submit?.call !== undefined) return page
  const names = restOf(entity, namedFields(schema, entity.name), (field, name) => isWritable(entity, field, name))
  const fields = Object.fromEntries(names.map((name): [string, FormNode] => [name, { $field: `${entity.name}.${name}` }]))
  const grouped = Object.values(schema.properties ?? {}).some(({ type }) => type === 'void')
  const group = { [REST_ID]: { type: 'void', title: REST_TITLE, 'x-component': 'Group', properties: fields } }
  const further = grouped && names.length > 0 ? group : fields
  return { ...page, schema: { ...schema, properties: { ...schema.properties, ...further } }, rest: false }
}

/** Fields that the nodes of a form hold: by `$field`, or by a name of their own. */
function namedFields(node: FormNode, entity: string, names = new Set<string>()): Set<string> {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    names.add(name)
    if (child.$field?.startsWith(`${entity}.`)) names.add(child.$field.slice(entity.length + 1))
    namedFields(child, entity, names)
  }
  return names
}

/** Somebody may type it: it is no state, number, computed or read-only field. */
export const isWritable = (entity: EntityDocument, field: EntityField, name: string): boolean =>
  !field.readOnly &&
  field['x-derived'] === undefined &&
  field['x-rollup'] === undefined &&
  field['x-sequence'] === undefined &&
  !field['x-virtual'] &&
  !field['x-condition'] &&
  !(entity['x-states'] ?? []).some((state) => state.field === name)
