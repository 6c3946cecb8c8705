import { pointer } from '../diagnosis'
import { DEEPEST_GROUP, depthOf, groupOf, leavesOf, MOST_CONDITIONS, conditionsIn, type Condition } from '../where'
import type { Term } from '../generated/page'
import type { Checker } from './checker'

/** Checks how conditions are put together, and answers them with their places. */
export function checkTerms(
  checker: Checker,
  where: readonly Term[] | undefined,
  at: string,
): { condition: Condition; at: string }[] {
  checkMembers(checker, where ?? [], at)
  if (depthOf(where) > DEEPEST_GROUP)
    checker.add('cost-budget', at, {
      zh: `条件组最多嵌套 ${DEEPEST_GROUP} 层。`,
      en: `At most ${DEEPEST_GROUP} groups of conditions stand inside one another.`,
    })
  if (leavesOf(where).length > MOST_CONDITIONS)
    checker.add('cost-budget', at, {
      zh: `条件最多 ${MOST_CONDITIONS} 个。`,
      en: `There are at most ${MOST_CONDITIONS} conditions.`,
    })
  return conditionsIn(where, at)
}

function checkMembers(checker: Checker, where: readonly Term[], at: string): void {
  where.forEach((term, index) => {
    const here = pointer(at, index)
    const group = groupOf(term)
    const said = (['field', 'or', 'and'] as const).filter((word) => term[word] !== undefined)
    if (said.length !== 1 || (group && (term.operator !== undefined || term.value !== undefined))) {
      checker.add('invalid-shape', here, {
        zh: '一项条件须是 field（可带 operator、value），或者只写 or、只写 and。',
        en: 'A condition says a field (with operator and value), or it is a group and says or alone, or and alone.',
      })
    } else if (group?.terms.length === 0) {
      checker.add('invalid-shape', pointer(here, group.word), {
        zh: '条件组里至少要有一个条件。',
        en: 'A group holds at least one condition.',
      })
    }
    if (group) checkMembers(checker, group.terms, pointer(here, group.word))
  })
}
