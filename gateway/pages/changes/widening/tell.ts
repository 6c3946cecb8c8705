import type { BilingualText } from '../../../../src/schema/problem'
import type { RowsOf } from '../../../entities'
import type { RoleHolder } from './holders'

export interface Counted {
  holder: RoleHolder
  /** Rows of one member, now and then; undefined where they cannot be counted. */
  rows: { before: number; after: number } | undefined
}

const NAMES: BilingualText = { zh: '没有角色的员工', en: 'staff without a role' }

/** What holders are called, those of one role first. */
export function namesOf(holders: readonly RoleHolder[]): BilingualText {
  const named = holders.map(nameOf)
  return { zh: named.map(({ zh }) => zh).join('、'), en: named.map(({ en }) => en).join(', ') }
}

function nameOf({ roles }: RoleHolder): BilingualText {
  if (roles.length === 0) return NAMES
  return { zh: roles.map(({ name }) => name.zh).join('＋'), en: roles.map(({ name }) => name.en).join(' + ') }
}

const ROWS: Readonly<Record<'seen' | 'changed', BilingualText>> = {
  seen: { zh: '可见', en: 'seen' },
  changed: { zh: '可修改', en: 'changed' },
}

/** More rows, and how many they are for one member of each role. Who gets none of them now is named where nobody does. */
export function tellRows(
  entity: BilingualText,
  rows: RowsOf,
  { view, counted }: { view: BilingualText | undefined; counted: readonly Counted[] },
): BilingualText {
  const same = ({ rows: found }: Counted): boolean => found !== undefined && found.after === found.before
  const differing = counted.some((one) => one.rows && !same(one)) ? counted.filter((one) => !same(one)) : counted
  const told = differing.map(({ holder, rows: found }) => {
    const name = nameOf(holder)
    if (!found && holder.member === null) return { zh: `${name.zh}（暂无成员）`, en: `${name.en} (held by nobody now)` }
    if (!found) return { zh: `${name.zh}（无法预先计数）`, en: `${name.en} (cannot be counted beforehand)` }
    const figures = `${figure(found.before)} → ${figure(found.after)}`
    return { zh: `${name.zh} ${figures} 行`, en: `${name.en} ${figures}` }
  })
  const what = rows === 'seen' || rows === 'changed' ? ROWS[rows] : ROWS.seen
  const place = view ? { zh: `在“${view.zh}”中`, en: ` in "${view.en}"` } : { zh: '', en: '' }
  return {
    zh: `“${entity.zh}”${place.zh}${what.zh}的行变多（每个角色以一名成员计）：${told.map(({ zh }) => zh).join('、')}`,
    en: `More rows of "${entity.en}" can be ${what.en}${place.en} (for one member of each role): ${told.map(({ en }) => en).join(', ')}`,
  }
}

const MOST_TOLD = 100_000
const figure = (rows: number): string => (rows > MOST_TOLD ? `${MOST_TOLD.toLocaleString('en')}+` : rows.toLocaleString('en'))

/** What becomes possible, visible or editable, and for whom. */
export function tellWidened(
  kind: 'permissionWidened' | 'becomesVisible' | 'becomesEditable',
  { entity, what, holders }: { entity: BilingualText; what: BilingualText; holders: readonly RoleHolder[] },
): BilingualText {
  const names = namesOf(holders)
  const [zh, en] = {
    permissionWidened: ['将可由以下角色使用', 'becomes possible for'],
    becomesVisible: ['将对以下角色可见', 'becomes visible to'],
    becomesEditable: ['将可由以下角色编辑', 'becomes editable for'],
  }[kind]
  return { zh: `“${entity.zh}”${what.zh}${zh}：${names.zh}`, en: `"${entity.en}", ${what.en} ${en} ${names.en}` }
}

/** A value that is closed to somebody is told where he reads. */
export function tellFlow(
  entity: BilingualText,
  { place, source, holders }: { place: BilingualText; source: BilingualText; holders: readonly RoleHolder[] },
): BilingualText {
  const names = namesOf(holders)
  return {
    zh: `“${entity.zh}”${place.zh}会带出“${source.zh}”，而以下角色看不到（或看不全）后者：${names.zh}`,
    en: `"${entity.en}", ${place.en} tells "${source.en}", which is not (or not all) to be seen by ${names.en}`,
  }
}
