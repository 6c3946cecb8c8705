import { pointer } from '../diagnosis'
import { allFields } from '../entity/fields'
import type { EntityField } from '../generated/entity'
import type { PaperDocument, PaperTable } from '../generated/paper'
import type { Checker } from './checker'

/** The entities and fields that a paper names. */
export function checkPaper(checker: Checker, paper: PaperDocument): void {
  checker.entity(paper.entity, '/entity')
  const path = (text: string | undefined, at: string): void => {
    if (text !== undefined) checkPath(checker, paper.entity, text, at)
  }
  const filled = (text: string, at: string): void => {
    for (const [, name] of text.matchAll(/\{\{ *([^ }]+) *\}\}/g)) path(name, at)
  }
  filled(paper.file, '/file')
  path(paper.letterhead, '/letterhead')
  path(paper.number, '/number')
  path(paper.bank?.company, '/bank/company')
  path(paper.bank?.currency, '/bank/currency')
  paper.parties?.forEach(({ lines }, index) => lines.forEach((line, row) => path(line, pointer('/parties', index, 'lines', row))))
  for (const word of ['facts', 'totals'] as const)
    paper[word]?.forEach(({ field }, index) => path(field, pointer('', word, index, 'field')))
  paper.notes?.forEach(({ zh, en }, index) => {
    filled(zh, pointer('/notes', index, 'zh'))
    filled(en, pointer('/notes', index, 'en'))
  })
  paper.tables?.forEach((table, index) => {
    path(table.of, pointer('/tables', index, 'of'))
    checkTable(checker, table, pointer('/tables', index))
  })
}

function checkTable(checker: Checker, { entity, by, where = {}, sort = [], group, columns }: PaperTable, at: string): void {
  checker.entity(entity, pointer(at, 'entity'))
  const one = (name: string | undefined, place: string): void => {
    if (name !== undefined) checkPath(checker, entity, name, place)
  }
  one(by, pointer(at, 'by'))
  one(group, pointer(at, 'group'))
  for (const name of Object.keys(where)) one(name, pointer(at, 'where', name))
  sort.forEach((name, index) => one(name, pointer(at, 'sort', index)))
  columns.forEach(({ field }, index) => one(field, pointer(at, 'columns', index, 'field')))
}

/** A field, or a path through references. */
function checkPath(checker: Checker, start: string, path: string, at: string): void {
  let name = start
  const steps = path.split('.')
  for (const [index, step] of steps.entries()) {
    const entity = checker.catalog.entities.get(name)
    if (!entity) return
    const fields = new Map<string, EntityField>([...allFields(entity)].map((found) => [found.name, found.field]))
    if (!checker.field(fields, step, at, name)) return
    const target = fields.get(step)?.['x-ref']
    if (index === steps.length - 1 || target === undefined) return
    name = target
  }
}
