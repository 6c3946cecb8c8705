import type { Executor } from '../../platform/database'
import type { Locale, Text } from '../../platform/http'
import { staffName } from '../names'

/** What is asked of members of staff who may get tasks. */
export interface StaffFacts {
  id: string
  name: string
  nameEn: string | null
  deptId: string | null
  /** Works now: has not left, is not away, may sign in. */
  present: boolean
}

/** Members of staff by id; those who are not there are left out. `name` is that of the language, by default the own one. */
export async function staffById(
  db: Executor,
  ids: readonly string[],
  locale: Locale = 'zh',
): Promise<ReadonlyMap<string, StaffFacts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<StaffFacts>(
    `select id, ${staffName(locale, 'sys_staff')} as name, name_en as "nameEn", main_dept_id as "deptId",
       status in ('active', 'probation') and sign_in_disabled is not true as present
     from sys_staff where id = any($1::text[]) and deleted_at is null`,
    [[...new Set(ids)]],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** What somebody is called in both languages, for what is kept or said to several people; read with the own name (`staffById`). */
export const namesOf = ({ name, nameEn }: Pick<StaffFacts, 'name' | 'nameEn'>): Text => ({
  zh: name,
  en: nameEn === null || nameEn === '' ? name : nameEn,
})

/** Who leads somebody, the nearest first: the manager, then whoever leads the departments upwards. Nobody who is away, and not himself. */
export async function leadersOf(db: Executor, staffId: string): Promise<string[]> {
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

/** A hand-over of tasks that holds now. */
interface Delegation {
  fromId: string
  toId: string
}

/** Who takes the tasks of people who have handed them over, by person: the newest hand-over that holds for the process. No chains. */
export async function delegatesOf(
  db: Executor,
  staffIds: readonly string[],
  processId: string,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  if (staffIds.length === 0) return new Map()
  const { rows } = await db.query<Delegation>(
    `select distinct on (d.from_id) d.from_id as "fromId", d.to_id as "toId" from wf_delegation d
     where d.from_id = any($1::text[]) and d.deleted_at is null and d.from_at <= $2 and d.until_at > $2 and (d.ended_at is null or d.ended_at > $2)
       and (d.process_ids is null or jsonb_array_length(d.process_ids) = 0 or d.process_ids @> to_jsonb($3::text))
     order by d.from_id, d.created_at desc`,
    [[...staffIds], now.toISOString(), processId],
  )
  return new Map(rows.map(({ fromId, toId }) => [fromId, toId]))
}

/** Who holds the key of administrators of approvals and works now, by job number. */
export async function workflowAdmins(db: Executor, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct s.id, s.job_number from sys_staff s join sys_role_member m on m.staff_id = s.id and m.deleted_at is null and m.waiting is not true
       and (m."from" is null or m."from" <= $1) and (m.until is null or m.until > $1)
     join sys_role r on r.id = m.role_id and r.deleted_at is null and r.enabled is not false and r.button_keys @> to_jsonb('wf:admin'::text)
     where s.deleted_at is null and s.status in ('active', 'probation') and s.sign_in_disabled is not true order by s.job_number`,
    [now.toISOString()],
  )
  return rows.map(({ id }) => id)
}
