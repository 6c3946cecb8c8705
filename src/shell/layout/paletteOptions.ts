import type { FoundRecords } from '../../schema/model'
import type { Locale } from '../../schema/problem'
import { searchEntries, type MenuEntry } from './menu'
import type { StartAction } from './useRecordSearch'

/** A line of the palette that leads somewhere. */
export interface PaletteOption {
  path: string
  title: string
  /** What stands under or beside it. */
  more: string
  newWindow: boolean
  /** A record: it is kept among those that were opened lately. */
  isRecord: boolean
}

export interface PaletteGroup {
  key: string
  title: string
  options: readonly PaletteOption[]
  /** There are more than are shown. */
  more: boolean
}

interface Sources {
  text: string
  locale: Locale
  entries: readonly MenuEntry[]
  actions: readonly StartAction[]
  recent: readonly { path: string; title: string; more: string }[]
  found: FoundRecords | null
  say: (name: 'recent' | 'pages' | 'actions', values?: Record<string, string>) => string
  colon: string
}

const MOST_PAGES = 50
const MOST_PAGES_TYPED = 8
const MOST_ACTIONS_TYPED = 6

/** Records first, then pages, then what can be begun; a page that is called exactly as typed comes before them. */
export function paletteGroups({ text, locale, entries, actions, recent, found, say, colon }: Sources): readonly PaletteGroup[] {
  const typed = text.trim()
  const pages = searchEntries(entries, typed, locale).map((entry) => ({
    path: entry.path,
    title: entry.title[locale],
    more: entry.trail.map((title) => title[locale]).join(' / '),
    newWindow: entry.newWindow,
    isRecord: false,
  }))
  const begun = searchEntries(
    actions.map((action) => ({ ...action, trail: [], module: '', newWindow: false })),
    typed,
    locale,
  ).map(({ path, title }) => ({ path, title: title[locale], more: '', newWindow: false, isRecord: false }))
  const records = (found?.groups ?? []).map(({ entity, label, hits, more }) => ({
    key: entity,
    title: label,
    more,
    options: hits.map(({ open, title, line, why }) => ({
      path: open,
      title,
      more: [...(why ? [why.value === undefined ? why.label : `${why.label}${colon}${why.value}`] : []), line]
        .filter(Boolean)
        .join(' · '),
      newWindow: false,
      isRecord: true,
    })),
  }))
  const called = new Set(
    entries
      .filter(({ title }) => [title.zh, title.en].some((name) => name.toLocaleLowerCase() === typed.toLocaleLowerCase()))
      .map(({ path }) => path),
  )
  const same = pages.filter(({ path }) => called.has(path))
  const others = pages.filter((page) => !same.includes(page)).slice(0, typed === '' ? MOST_PAGES : MOST_PAGES_TYPED)
  const lately = typed === '' ? recent.map((one) => ({ ...one, newWindow: false, isRecord: true })) : []
  return [
    { key: 'recent', title: say('recent'), options: lately, more: false },
    { key: 'same', title: say('pages'), options: same, more: false },
    ...records,
    { key: 'pages', title: say('pages'), options: others, more: false },
    {
      key: 'actions',
      title: say('actions'),
      options: typed === '' ? begun : begun.slice(0, MOST_ACTIONS_TYPED),
      more: false,
    },
  ].filter(({ options }) => options.length > 0)
}

/** A title cut where what was typed stands in it: parts before, the part itself and what follows; the first place counts. */
export function markedParts(title: string, typed: string): readonly [string, string, string] {
  const wanted = typed.trim().toLowerCase()
  const at = wanted === '' ? -1 : title.toLowerCase().indexOf(wanted)
  return at < 0 ? [title, '', ''] : [title.slice(0, at), title.slice(at, at + wanted.length), title.slice(at + wanted.length)]
}
