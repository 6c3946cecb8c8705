import type { Assignee } from '../../../src/schema/generated/process'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
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
  if (ids.length === 0) return []
  const { rows } = await db.query<{ id: string; name: string; nameEn: string | null }>(
    `select id, name, name_en as "nameEn" from sys_staff
      where id = any($1::text[]) and deleted_at is null and status in ('active', 'probation') and sign_in_disabled is not true`,
    [[...new Set(ids)]],
  )
  const named = new Map(rows.map(({ id, name, nameEn }) => [id, locale === 'en' ? (nameEn ?? name) : name]))
  return [...new Set(ids)].flatMap((id) => (named.has(id) ? [{ id, name: named.get(id) ?? id }] : []))
}

/** Who leads somebody, the nearest first: the manager, then whoever leads the departments upwards. */
async function leadersOf(db: Executor, staffId: string): Promise<string[]> {
  const { rows } = await db.query<{ leader: string }>(
    `select above.leader from (
       select s.manager_id as leader, 100000 as near from sys_staff s where s.id = $1
       union all select d.leader_id, length(d.path) from sys_staff s join sys_department own on own.id = s.main_dept_id
         join sys_department d on own.path like d.path || '%' and d.deleted_at is null where s.id = $1
     ) above join sys_staff l on l.id = above.leader and l.deleted_at is null and l.status in ('active', 'probation') and l.sign_in_disabled is not true
     where above.leader <> $1 order by above.near desc`,
    [staffId],
  )
  return [...new Set(rows.map(({ leader }) => leader))]
}
