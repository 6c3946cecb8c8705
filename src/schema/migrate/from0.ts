import type { Json, MigratedType, Migration } from './migration'

/** Words of the pre-release format and what they are called now. They meant the same in every place. */
const RENAMED: Readonly<Record<string, string>> = {
  perm: 'permission',
  'x-perms': 'x-permissions',
  'x-dict': 'x-dictionary',
  'x-title-field': 'titleField',
}

/** Free values, in which a word is somebody else's. */
const OPAQUE: ReadonlySet<string> = new Set([
  'props',
  'values',
  'params',
  'initial',
  'attributes',
  'default',
  'enum',
  'x-component-props',
])

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function rename(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const word = named ? key : (RENAMED[key] ?? key)
      return [word, !named && OPAQUE.has(key) ? item : rename(item, !named && key === 'properties')]
    }),
  )
}

/** `lists` of a detail page (a list and its title in one object) became tabs of three kinds. */
function tabsFromLists(page: Json): Json {
  const { lists, ...rest } = page
  if (!Array.isArray(lists)) return page
  const tabs = lists.filter(isObject).map(({ id, title, permission, ...list }) => ({
    id,
    title,
    ...(permission === undefined ? {} : { permission }),
    list,
  }))
  return { ...rest, tabs: [...tabs, ...(Array.isArray(rest.tabs) ? (rest.tabs as unknown[]) : [])] }
}

/** Version 0 is the format before the first release. */
export const fromVersion0: Migration = {
  from: 0,
  summary: {
    zh: 'perm 改名 permission，x-perms 改名 x-permissions，x-dict 改名 x-dictionary，x-title-field 改名 titleField；详情页的 lists 改为 tabs。',
    en: 'perm is permission, x-perms is x-permissions, x-dict is x-dictionary, x-title-field is titleField; lists of detail pages are tabs.',
  },
  migrate: (type: MigratedType, document: Json): Json => {
    const renamed = rename(document) as Json
    return type === 'page' && renamed.kind === 'detail' ? tabsFromLists(renamed) : renamed
  },
}
