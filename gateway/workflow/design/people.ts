import type { Assignee } from '../../../src/schema/generated/process'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { leadersOf, staffById } from '../flow'
import { membersOf } from '../roles/members'

/** A rule as far as it can be answered without an application. */
export type AskedRule = Pick<Assignee, 'rule' | 'staff' | 'role' | 'level' | 'chain'>

/** Whom a rule finds now. */
export interface PeopleNow {
  /** It follows from the application: nobody can be told before there is one. */
  depends: boolean
  people: { id: string; name: string }[]
}

/** Whom each rule finds now, in their order: of a role all members whatever their scope, of leaders those of the caller. */
export async function peopleNow(db: Executor, context: RequestContext, rules: readonly AskedRule[]): Promise<PeopleNow[]> {
  const answers: PeopleNow[] = []
  for (const rule of rules) {
    const ids = await idsOf(db, context, rule)
    answers.push(ids === null ? { depends: true, people: [] } : { depends: false, people: await present(db, ids, context) })
  }
  return answers
}

async function idsOf(db: Executor, { user }: RequestContext, rule: AskedRule): Promise<readonly string[] | null> {
  switch (rule.rule) {
    case 'staff':
      return rule.staff ?? []
    case 'role':
    case 'dutyRoster':
      return rule.role === undefined ? [] : membersOf(db, rule.role)
    case 'deptLeader': {
      const level = rule.level ?? 1
      const leaders = await leadersOf(db, user.staffId)
      return rule.chain === true ? leaders.slice(0, level) : leaders.slice(level - 1, level)
    }
    case 'applicant':
      return [user.staffId]
    default:
      return null
  }
}

/** Those who work now, in their order. */
async function present(db: Executor, ids: readonly string[], { locale }: RequestContext): Promise<PeopleNow['people']> {
  const staff = await staffById(db, ids, locale)
  return [...new Set(ids)].flatMap((id) => {
    const one = staff.get(id)
    return one?.present ? [{ id, name: one.name }] : []
  })
}
