import { isExpression } from '../expression'
import type { EntityDocument } from '../generated/entity'
import type { Checker } from './checker'

/** What a document may cost before a warning asks whether it has to be so large. */
export const BUDGETS = {
  /** Columns of one list. */
  columns: 40,
  /** Fields of an entity or of a form. */
  fields: 500,
  /** How deep objects lie in one another. */
  depth: 20,
  /** The same for a process, whose branches have nodes with branches. */
  processDepth: 60,
  /** Characters of the document. */
  characters: 512 * 1024,
  /** Expressions in one document. */
  expressions: 500,
  /** Fields that one field of a form drives. */
  dependents: 50,
} as const

/** Budgets that hold for any document. */
export const checkDocumentCost = (
  checker: Checker,
  value: unknown,
  characters: number,
  deepest: number = BUDGETS.depth,
): void => {
  if (characters > BUDGETS.characters) {
    over(checker, '', `文档有 ${characters} 个字符`, `The document has ${characters} characters`, BUDGETS.characters)
  }
  const { expressions, depth } = measure(value)
  if (expressions > BUDGETS.expressions)
    over(checker, '', `文档有 ${expressions} 个表达式`, `The document has ${expressions} expressions`, BUDGETS.expressions)
  if (depth > deepest) over(checker, '', `文档嵌套 ${depth} 层`, `The document is nested ${depth} levels deep`, deepest)
}

export const checkEntityCost = (checker: Checker, entity: EntityDocument): void => {
  checkCount(checker, '/properties', Object.keys(entity.properties).length, 'fields')
}

/** Warns when there are more of something than its budget. */
export const checkCount = (checker: Checker, at: string, count: number, what: 'columns' | 'fields'): void => {
  const named = what === 'columns' ? { zh: '列', en: 'columns' } : { zh: '个字段', en: 'fields' }
  if (count > BUDGETS[what]) over(checker, at, `有 ${count} ${named.zh}`, `There are ${count} ${named.en}`, BUDGETS[what])
}

function over(checker: Checker, at: string, zh: string, en: string, budget: number): void {
  checker.warn('cost-budget', at, { zh: `${zh}，建议不超过 ${budget}。`, en: `${en}; more than ${budget} makes the page slow.` })
}

function measure(root: unknown): { expressions: number; depth: number } {
  let expressions = 0
  let deepest = 0
  const open: [unknown, number][] = [[root, 0]]
  for (let step = open.pop(); step; step = open.pop()) {
    const [value, depth] = step
    if (isExpression(value)) expressions += 1
    if (value === null || typeof value !== 'object') continue
    if (depth > deepest) deepest = depth
    for (const item of Object.values(value)) open.push([item, depth + 1])
  }
  return { expressions, depth: deepest }
}
