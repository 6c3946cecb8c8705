import type { EntityDocument } from '../generated/entity'
import type { MenuEntry, ModuleDocument } from '../generated/module'
import type { PageDocument } from '../generated/page'
import type { BilingualText } from '../problem'
import { segmentOf, segmentOfPath } from '../routes'
import type { AcceptedDocument } from '../validate/accepted'
import { withNamedActions } from './actions'
import { withDefaults } from './page'
import { movesOf, pageNameOf, type Site } from './site'

export { withNamedActions }

type Page = Extract<AcceptedDocument, { type: 'page' }>

/**
 * The documents of the portal with what entities say of pages: those that leave parts to their entity are filled in, those that only an
 * entity asks for (`x-pages`) are made and get their entry in the menu of the module.
 */
export function withDefaultPages(own: readonly AcceptedDocument[]): AcceptedDocument[] {
  const documents = withPlaces(own)
  const entities = documents.flatMap((document) => (document.type === 'entity' ? [document.value] : []))
  const files = documents.flatMap((document) => (document.type === 'page' ? [document] : []))
  const written = new Set(files.map(({ name }) => name))
  const made = entities.flatMap((entity) => pagesOf(entity)).filter(({ name }) => !written.has(name))
  const site: Site = {
    entities: new Map(entities.map((entity) => [entity.name, entity])),
    pages: new Map([...files, ...made].map(({ name, where, value }) => [name ?? where, value])),
  }
  const keys = new Set(documents.flatMap((document) => (document.type === 'module' ? keysIn(document.value) : [])))
  const filled = [...documents, ...made].map((document): AcceptedDocument => {
    if (document.type === 'page') return { ...document, value: withNamedActions(withDefaults(document.value, site), site) }
    return document.type === 'module' ? { ...document, value: withEntries(document.value, entities, keys) } : document
  })
  return filled.map((document, index) => {
    const before = documents[index]
    // what nothing was added to stays the same object
    if (before && before.value === document.value) return before
    return { ...document, written: before?.value ?? null } as AcceptedDocument
  })
}

/** Modules with what others have in their menus (`places` of a module). */
function withPlaces(documents: readonly AcceptedDocument[]): readonly AcceptedDocument[] {
  const given = documents.flatMap(({ type, value }) => (type === 'module' ? (value.places ?? []) : []))
  if (given.length === 0) return documents
  return documents.map((document): AcceptedDocument => {
    if (document.type !== 'module') return document
    const { places, ...module } = document.value
    const wanted = given.filter((place) => place.module === module.name)
    if (wanted.length === 0) return places ? { ...document, value: module } : document
    const menu = wanted.reduce((entries, place) => {
      const at = entries.findIndex(({ id }) => id === place.before)
      return at < 0 ? [...entries, ...place.menu] : entries.toSpliced(at, 0, ...place.menu)
    }, module.menu)
    return { ...document, value: { ...module, menu, routes: [...module.routes, ...wanted.flatMap(({ routes }) => routes)] } }
  })
}

/** The documents as they were before their entities filled anything in. */
export const withoutDefaults = (documents: readonly AcceptedDocument[]): AcceptedDocument[] =>
  documents.flatMap((document) => {
    const { written, ...rest } = document
    if (written === undefined) return [document]
    return written === null ? [] : [{ ...rest, value: written } as AcceptedDocument]
  })

/** List, detail and form of an entity that asks for them. */
function pagesOf(entity: EntityDocument): Page[] {
  const { path } = entity['x-pages'] ?? {}
  if (path === undefined) return []
  const { name, label, 'x-permissions': keys = {} } = entity
  const head = { formatVersion: entity.formatVersion, entity: name }
  const permission = keys.read === undefined ? {} : { permission: keys.read }
  const saves = keys.add ?? keys.edit
  const pages: [string, PageDocument][] = [
    ['-list', { ...head, kind: 'list', path, title: label, ...permission }],
    [
      '-details',
      {
        ...{ ...head, kind: 'detail', path: `${path}/details`, title: { zh: `${label.zh}详情`, en: `${label.en}: details` } },
        ...{ activeMenu: path, detail: true, ...permission },
      },
    ],
    ...(saves === undefined
      ? []
      : [
          ['', { ...head, kind: 'form', title: label, permission: saves, schema: { type: 'object' } }] satisfies [
            string,
            PageDocument,
          ],
        ]),
  ]
  return pages.map(([suffix, value]) => {
    const page = `${pageNameOf(name)}${suffix}`
    return { type: 'page', name: page, where: `schemas/${page.replace('/', '/pages/')}.json`, value, characters: 0 }
  })
}

const OPERATIONS: Readonly<Record<string, BilingualText>> = {
  add: { zh: '新增', en: 'Add' },
  edit: { zh: '编辑', en: 'Edit' },
  delete: { zh: '删除', en: 'Delete' },
  restore: { zh: '恢复', en: 'Restore' },
  import: { zh: '导入', en: 'Import' },
  export: { zh: '导出', en: 'Export' },
  manage: { zh: '管理下属数据', en: 'Manage' },
}

/** The menu with the entries that entities ask for, each last in its group, with the keys that nothing else brings as buttons. */
function withEntries(module: ModuleDocument, entities: readonly EntityDocument[], known: ReadonlySet<string>): ModuleDocument {
  const wanted = entities.filter(
    ({ 'x-pages': pages }) => pages?.menu !== undefined && segmentOfPath(pages.path) === segmentOf(module),
  )
  return wanted.reduce((document, entity) => ({ ...document, menu: added(document.menu, entity, known) }), module)
}

function added(menu: readonly MenuEntry[], entity: EntityDocument, known: ReadonlySet<string>): MenuEntry[] {
  return menu.map((entry) => {
    if (entry.id !== entity['x-pages']?.menu)
      return entry.children ? { ...entry, children: added(entry.children, entity, known) } : entry
    return { ...entry, children: [...(entry.children ?? []), ...entryOf(entity, entry.id, known)] }
  })
}

function entryOf(entity: EntityDocument, group: string, known: ReadonlySet<string>): MenuEntry[] {
  const { read, ...keys } = entity['x-permissions'] ?? {}
  const path = entity['x-pages']?.path
  if (read === undefined || path === undefined) return []
  const asked = [
    ...Object.entries(keys).map(([operation, key]) => ({ key, title: OPERATIONS[operation]! })),
    ...movesOf(entity).flatMap(({ permission, label }) => (permission === undefined ? [] : [{ key: permission, title: label }])),
  ]
  const own = asked.filter(
    ({ key }, index) => key !== read && !known.has(key) && asked.findIndex((one) => one.key === key) === index,
  )
  const id = `${group}.${pageNameOf(entity.name).split('/')[1]}`
  return [{ id, title: entity.label, international: read, path, ...(own.length > 0 ? { buttons: own } : {}) }]
}

const keysIn = ({ menu }: ModuleDocument): string[] => menu.flatMap(keysOf)
const keysOf = ({ international, buttons = [], children = [] }: MenuEntry): string[] => [
  international,
  ...buttons.map(({ key }) => key),
  ...children.flatMap(keysOf),
]
