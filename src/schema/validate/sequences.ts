import { pointer } from '../diagnosis'
import { parseSequence, PERIODS } from '../entity/sequence'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'

/** A number that the portal gives: its pattern, the fields of its series, the transition with which it is given. */
export function checkSequence(
  checker: Checker,
  entity: EntityDocument,
  field: EntityField,
  at: string,
  fields: ReadonlyMap<string, EntityField>,
): void {
  const defined = field['x-sequence']
  if (defined === undefined) return
  const here = pointer(at, 'x-sequence')
  const { pattern, per = [], at: transition } = typeof defined === 'string' ? { pattern: defined } : defined
  const wrong = (where: string, zh: string, en: string): void => checker.add('field-kind-mismatch', where, { zh, en })
  if (!parseSequence(pattern)) {
    wrong(
      typeof defined === 'string' ? here : pointer(here, 'pattern'),
      '编号格式须恰有一个流水号，如 CU{yy}{n:5}；日期可用 {yyyy}、{yy}、{mm}、{dd}。',
      'The pattern of a number needs exactly one counter, like CU{yy}{n:5}; {yyyy}, {yy}, {mm} and {dd} are parts of the day.',
    )
  }
  per.forEach((part, index) => {
    const under = pointer(here, 'per', index)
    if (!PERIODS.has(part)) {
      checker.field(fields, part, under, entity.name)
      return
    }
    const told = /\{yy(?:yy)?\}/.test(pattern) && (part === 'year' || pattern.includes('{mm}'))
    if (told) return
    const needed = part === 'year' ? '{yyyy}' : '{yyyy}{mm}'
    wrong(
      under,
      `编号按${part === 'year' ? '年' : '月'}重新计数，格式中须有 ${needed}，否则会重复。`,
      `A series that starts anew every ${part} needs ${needed} in its pattern, or numbers are given twice.`,
    )
  })
  const known = (entity['x-states'] ?? []).flatMap(({ transitions }) => transitions.map(({ id }) => id))
  if (transition !== undefined && !known.includes(transition)) {
    checker.add(
      'unknown-transition',
      pointer(here, 'at'),
      {
        zh: `实体“${entity.name}”没有操作“${transition}”。`,
        en: `The entity "${entity.name}" has no transition "${transition}".`,
      },
      { value: transition, known },
    )
  }
}
