import type { ModuleDocument } from '../../../src/schema/generated/module'
import type { PageDocument } from '../../../src/schema/generated/page'
import { diagnose } from '../../../src/schema/diagnosis'
import {
  addedId,
  isObject,
  addressOfChange,
  sameChange,
  sameContent,
  splitAddress,
  valueIn,
  type Change,
} from '../../../src/schema/overlay'
import type { BilingualText, Problem } from '../../../src/schema/problem'
import type { AcceptedSource } from '../registry'
import { baseOf, type Composed, type Overlay } from './compose'
import { flatten } from '../routes'
import { targetOf } from './target'

/** Changes that are in force and cannot be used with this release, each list with the reason. */
export interface LeftOut {
  /** As it was released. */
  overlay: Overlay
  changes: readonly Change[]
  problem: Problem
  /** The target whose changes had to be left out before: these lead to it. */
  follows?: string
  /** The release has the same by another definition; that of the admins stands, because rows hold values of it. */
  stands?: true
  /** The document that they change is not in this release. */
  gone?: true
  /** Nobody can even look at the document with them. */
  unreadable?: true
}

interface Unit {
  overlay: Overlay
  changes: readonly Change[]
}

interface Isolated {
  used: readonly Overlay[]
  leftOut: readonly LeftOut[]
}

/** What keeps documents from being used, with these overlays over the files. */
type FindErrors = (overlays: readonly Overlay[]) => readonly Fault[]
export interface Fault {
  problem: Problem
  /** Set when the problem stands in the page of a role. */
  variant?: Overlay
  /** The document cannot even be read with its changes. */
  unreadable?: true
}

/**
 * Finds the fewest changes that have to be left out for everything else to hold: what claims a name that the release has,
 * and what makes a document invalid (a document that an admin made goes as a whole, otherwise the single change).
 */
export function isolate(
  files: readonly AcceptedSource[],
  overlays: readonly Overlay[],
  errorsOf: FindErrors,
  before: readonly LeftOut[] = [],
): Isolated {
  const leftOut: LeftOut[] = []
  const ignored = new Set<string>()
  let used: readonly Overlay[] = overlays
  const leave = (units: readonly Unit[], problem: Problem): void => {
    for (const unit of [...units, ...units.flatMap((unit) => followers(unit, used))]) {
      const follows = units.includes(unit) ? undefined : units[0]!.overlay.target
      leftOut.push({ ...unit, problem, ...(follows === undefined ? {} : { follows }) })
    }
    used = without(
      used,
      leftOut.filter(({ stands }) => !stands).flatMap(({ changes }) => changes),
    )
  }
  for (const { unit, problem, stands } of taken(files, overlays)) {
    if (stands) leftOut.push({ ...unit, problem, stands })
    else leave([unit], problem)
  }
  if (before.length > 0) {
    // What was found before is not looked for again while it is there and says the same.
    const present = new Set(used.flatMap(({ changes }) => changes))
    const now = new Set(errorsOf(used).map(keyOf))
    for (const { overlay, changes, problem, follows } of before)
      if (follows === undefined && changes.every((change) => present.has(change)) && now.has(keyOf({ problem })))
        leave([{ overlay, changes }], problem)
  }
  for (;;) {
    const found = errorsOf(used).find((fault) => !ignored.has(keyOf(fault)))
    if (!found) return { used, leftOut: inReleased(overlays, leftOut) }
    const culprits = blame(found, used, files, errorsOf)
    if (culprits.length === 0) ignored.add(keyOf(found))
    else leave(culprits, found.problem)
  }
}

/** Changes of documents that this release does not have: a module was taken out, or a page has another name. They stand still until it is back. */
export function withoutDocument({ documents, outcomes }: Pick<Composed, 'documents' | 'outcomes'>): LeftOut[] {
  const present = new Set(documents.map(targetOf))
  return [...outcomes.keys()].flatMap((overlay): LeftOut[] => {
    const { target, changes } = overlay
    if (changes.length === 0 || present.has(target)) return []
    const module = target.split(/[:./]/)[1] ?? ''
    const known = present.has(`module:${module}`)
    const problem = diagnose(
      known ? (target.startsWith('page:') ? 'unknown-page' : 'unknown-entity') : 'missing-module',
      { where: target, at: '' },
      known
        ? { zh: `不再适用：此版本没有“${target}”。`, en: `It no longer applies: this release has no "${target}".` }
        : { zh: `不再适用：没有模块“${module}”。`, en: `It no longer applies: there is no module "${module}".` },
      { value: target },
    )
    return [{ overlay, changes, problem, gone: true }]
  })
}

/** Overlays lose changes while they are isolated; people know them as they were released. */
const inReleased = (overlays: readonly Overlay[], leftOut: readonly LeftOut[]): LeftOut[] =>
  leftOut.map((left) => ({
    ...left,
    overlay: overlays.find(({ target, role }) => target === left.overlay.target && role === left.overlay.role) ?? left.overlay,
  }))

/** Places shift when something before them goes: a problem is known by what it says. */
const keyOf = ({ problem, variant }: Fault): string =>
  [problem.code, problem.where, problem.message.en, variant?.target, variant?.role].join('\n')

const isMade = ({ changes }: Overlay): boolean => changes.some(({ at }) => at === '')

const unitsOf = (overlay: Overlay): Unit[] =>
  isMade(overlay) ? [{ overlay, changes: overlay.changes }] : overlay.changes.map((change) => ({ overlay, changes: [change] }))

/** Overlays on trial are not blamed again for what is left out of them already; they are for a document that is made. */
export const withoutKnown = (overlays: readonly Overlay[], leftOut: readonly LeftOut[]): readonly Overlay[] =>
  overlays.map((overlay) => {
    if (isMade(overlay)) return overlay
    const known = leftOut.filter(
      (left) => left.overlay.target === overlay.target && left.overlay.role === overlay.role && !left.stands,
    )
    const changes = overlay.changes.filter((change) => !known.some((left) => left.changes.some((one) => sameChange(one, change))))
    return changes.length === overlay.changes.length ? overlay : { ...overlay, changes }
  })

const without = (overlays: readonly Overlay[], gone: readonly Change[]): Overlay[] => {
  const left = new Set(gone)
  return overlays.flatMap((overlay) => {
    if (!overlay.changes.some((change) => left.has(change))) return [overlay]
    const changes = overlay.changes.filter((change) => !left.has(change))
    return changes.length === 0 ? [] : [{ ...overlay, changes }]
  })
}

/** The fewest changes without which the problem is gone: of the documents that it names if possible, else of any. */
function blame(fault: Fault, used: readonly Overlay[], files: readonly AcceptedSource[], errorsOf: FindErrors): Unit[] {
  const key = keyOf(fault)
  const heals = (units: readonly Unit[]): boolean =>
    !errorsOf(
      without(
        used,
        units.flatMap(({ changes }) => changes),
      ),
    ).some((one) => keyOf(one) === key)
  const { where, other } = fault.problem
  const targets = new Set([where, other, ...files.filter((file) => file.where === where || file.where === other).map(targetOf)])
  const named = fault.variant ? [fault.variant] : used.filter(({ target, role }) => role === '' && targets.has(target))
  for (const suspects of [named, used]) {
    const units = suspects.flatMap(unitsOf)
    if (units.length > 0 && heals(units)) return narrowed(units, heals)
  }
  return []
}

/** Halves as long as one half is enough, then leaves one after the other away. */
function narrowed(units: readonly Unit[], heals: (units: readonly Unit[]) => boolean): Unit[] {
  let left = [...units]
  while (left.length > 1) {
    const half = left.length >> 1
    const smaller = [left.slice(0, half), left.slice(half)].find(heals)
    if (!smaller) break
    left = smaller
  }
  for (const unit of left.length > 1 ? [...left] : []) {
    const rest = left.filter((one) => one !== unit)
    if (heals(rest)) left = rest
  }
  return left
}

/** Menu entries that admins made for a page of theirs go with it: they would lead elsewhere, and open it to others. */
function followers({ overlay, changes }: Unit, used: readonly Overlay[]): Unit[] {
  const path = overlay.target.startsWith('page:') ? madePage(changes)?.path : undefined
  if (path === undefined) return []
  return used.flatMap((other) =>
    other.target.startsWith('module:')
      ? unitsOf(other).filter((unit) =>
          unit.changes.some((change) => 'add' in change && isObject(change.add) && change.add.path === path),
        )
      : [],
  )
}

/** Lists whose items mean something by their id; the same column or field that both show is no contradiction. */
const NAMED: ReadonlySet<string> = new Set([
  ...['menu', 'children', 'buttons', 'routes', 'x-views', 'x-states', 'x-rules', 'transitions', 'inputs'],
  ...['views', 'actions', 'rowActions', 'bulkActions', 'sections', 'tabs', 'blocks', 'dimensions', 'measures'],
])

/** Additions of admins whose name the release has by now, for something else. */
function taken(
  files: readonly AcceptedSource[],
  overlays: readonly Overlay[],
): { unit: Unit; problem: Problem; stands?: true }[] {
  const byTarget = new Map(files.map((file) => [targetOf(file), file]))
  return overlays.flatMap((overlay) => {
    const file = byTarget.get(overlay.target)
    if (!file || overlay.role !== '') return []
    const locate = (at: string) => ({ where: file.where, at })
    const refuse = (at: string, id: string, message: BilingualText) =>
      diagnose('duplicate-id', locate(at), message, { value: id, other: overlay.target })
    if (isMade(overlay)) {
      const problem = refuse('', overlay.target, {
        zh: `此版本自带“${overlay.target}”，与自建的同名。`,
        en: `This release brings "${overlay.target}" along, and the one that was made here has the same name.`,
      })
      return [{ unit: { overlay, changes: overlay.changes }, problem }]
    }
    return overlay.changes.flatMap((change) => {
      if (!('add' in change)) return []
      const list = splitAddress(change.at).at(-1) ?? ''
      const field = file.type === 'entity' && change.at === 'properties'
      if (!field && !NAMED.has(list)) return []
      const id = addedId(change)
      const base = baseOf(file, new Map())
      const present =
        valueIn(base, addressOfChange(change)) ??
        (file.type === 'module' ? menuEntry(file.value as ModuleDocument, list, id) : undefined)
      if (present === undefined || sameContent(present, change.add, id)) return []
      const problem = refuse(`/${change.at}`, id, {
        zh: `此版本自带“${id}”，与这里添加的同名而内容不同。`,
        en: `This release brings "${id}" along, and the one that was added here has the same name and says something else.`,
      })
      return [{ unit: { overlay, changes: [change] }, problem, ...(field ? { stands: true as const } : {}) }]
    })
  })
}

/** An entry of a menu is known by its id, in whatever group it stands. */
const menuEntry = ({ menu }: ModuleDocument, list: string, id: string): unknown =>
  list === 'menu' || list === 'children' ? [...flatten(menu)].find((entry) => entry.id === id) : undefined

/** What is wrong, told to whoever made it: the check names whose file it read second, and that may be the release's. */
export function problemOf({ overlay, problem }: LeftOut): Problem {
  if (!isMade(overlay) || problem.code !== 'path-conflict') return problem
  const path = madePage(overlay.changes)?.path ?? ''
  const theirs = problem.where === overlay.target ? (problem.other ?? problem.where) : problem.where
  const message = {
    zh: `此版本（${theirs}）也使用路由“${path}”。`,
    en: `This release (${theirs}) uses the address "${path}", too.`,
  }
  return { ...problem, message }
}

/** What to do about it, in a sentence. */
export function adviceOf({ overlay, stands, follows, gone, problem }: LeftOut): BilingualText {
  if (gone)
    return {
      zh: '可以放弃它；否则它会在该内容恢复后重新生效。',
      en: 'Give it up, or leave it: it applies again when that is back.',
    }
  if (follows !== undefined)
    return {
      zh: '它随上面那一项停用；那一项解决后会恢复。',
      en: 'It is left out with what it leads to, and comes back when that is settled.',
    }
  if (stands)
    return {
      zh: '这里的字段仍然有效，因为已有数据。请移除这里的字段以采用此版本的字段。',
      en: 'The field of this place stands, because rows hold values of it. Remove it here to take that of the release.',
    }
  if (isMade(overlay) && problem.code === 'path-conflict')
    return {
      zh: '请为这个页面换一个路由，或放弃它并采用此版本的页面。',
      en: 'Give the page another address, or give it up and take that of the release.',
    }
  if (isMade(overlay))
    return {
      zh: '请换一个名称重建，或放弃它并采用此版本的内容。',
      en: 'Make it anew under another name, or give it up and take that of the release.',
    }
  return {
    zh: '请修改这处改动，或放弃它并采用此版本的内容。',
    en: 'Mend this change, or give it up and take what the release has.',
  }
}

/** The page that an admin made, when the changes are one. */
export const madePage = (changes: readonly Change[]): PageDocument | undefined => {
  const [made] = changes.flatMap((change) => ('set' in change && change.at === '' && isObject(change.set) ? [change.set] : []))
  return made as PageDocument | undefined
}
