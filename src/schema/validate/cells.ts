import { columnsOf } from '../columns'
import { pointer } from '../diagnosis'
import type { EntityDocument } from '../generated/entity'
import type { Column, ListBody, ListPage, PageDocument } from '../generated/page'
import type { Checker } from './checker'

const keyOf = ({ id, field }: Column): string => id ?? field ?? ''

/** What a list leaves out of its columns, and what its columns stand behind, is a column. */
export function checkCells(checker: Checker, list: ListBody | ListPage, entity: EntityDocument, at: string): void {
  const { cells = {}, ...plain } = list
  const own = columnsOf(entity, { ...plain, columns: [] }).map(keyOf)
  const known = [...new Set([...own, entity.titleField, ...Object.keys(cells).filter((key) => cells[key] !== false)])]
  const check = (name: string, here: string): void => {
    const message = { zh: `列表没有列“${name}”。`, en: `The list has no column "${name}".` }
    if (!known.includes(name)) checker.add('unknown-field', here, message, { value: name, known })
  }
  for (const [key, cell] of Object.entries(cells)) {
    if (cell === false) check(key, pointer(at, 'cells', key))
    else if (cell.after) check(cell.after, pointer(at, 'cells', key, 'after'))
  }
}

/** Where the file says what a column is: what is wrong with one that differs from the default is said of its cell. */
export function inCells(page: PageDocument, at: string, entities: ReadonlyMap<string, EntityDocument>): string {
  const [, before = '', index = '', after = ''] = /^((?:\/tabs\/\d+\/list)?)\/columns\/(\d+)(.*)$/s.exec(at) ?? []
  const tab = page.kind === 'detail' ? page.tabs?.[Number(before.split('/')[2])]?.list : undefined
  const list = page.kind === 'list' ? page : tab
  const entity = list && entities.get(list.entity)
  if (!list?.cells || !entity || index === '') return at
  const column = (list.columns ?? columnsOf(entity, list))[Number(index)]
  const key = column && keyOf(column)
  return key !== undefined && list.cells[key] ? `${pointer(before, 'cells', key)}${after}` : at
}
