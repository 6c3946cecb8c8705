import type { Executor } from '../platform/database'
import { type StoredRole, mergeRoles } from './rights'

/** A member of staff with what sign-in and rights need. */
export interface StaffRow {
  id: string
  name: string
  nameEn: string | null
  jobNumber: string
  email: string | null
  avatar: { id: string } | null
  mainDeptId: string | null
  deptIds: string[] | null
  position: string | null
  status: string
  signInDisabled: boolean | null
  hiredOn: string | null
  locale: string | null
  timeZone: string | null
}

export interface DepartmentRow {
  id: string
  name: string
  nameEn: string | null
  code: string
  parentId: string | null
  path: string | null
  leaderId: string | null
  sortNo: number | null
  enabled: boolean | null
}

export interface MenuRow {
  id: string
  name: string
  nameEn: string | null
  router: string | null
  international: string
  icon: string | null
  kind: string
  parentId: string | null
  sortNo: number | null
  webShowFlag: boolean | null
  mobileFlag: boolean | null
  newWindow: boolean | null
  iframeName: string | null
  version: number
}

export interface ButtonRow {
  id: string
  key: string
  menuId: string
  zh: string
  en: string
}

/** One grant of a role to a person. `from` empty = since ever, `until` empty = open. */
export interface MemberRow {
  id: string
  staffId: string
  roleId: string
  from: string | null
  until: string | null
}

const STAFF = `id, name, name_en as "nameEn", job_number as "jobNumber", email, avatar, main_dept_id as "mainDeptId", dept_ids as "deptIds", position,
  status, sign_in_disabled as "signInDisabled", hired_on as "hiredOn", locale, time_zone as "timeZone"`
const ROLE = `r.id, r.name, r.name_en as "nameEn", r.code, coalesce(r.enabled, true) as enabled, r.resource_ids as "resourceIds", r.button_keys as "buttonKeys", r.scopes, r.field_rules as "fieldRules"`
const MEMBER = `m.id, m.staff_id as "staffId", m.role_id as "roleId", m."from", m.until`
/** A grant that holds at $moment; `until` is the first moment at which it does not. */
const HOLDS = (moment: string) =>
  `m.deleted_at is null and m.waiting is not true and (m."from" is null or m."from" <= ${moment}) and (m.until is null or m.until > ${moment})`

/*
 * Plain reads of the organisation and of rights. Sign-in happens before there is a caller whom the entity engine could check,
 * and every call needs them, so they go to the tables of the entities directly. All writes go through the engine.
 */

export async function readStaff(db: Executor, id: string): Promise<StaffRow | undefined> {
  const { rows } = await db.query<StaffRow>(`select ${STAFF} from sys_staff where id = $1 and deleted_at is null`, [id])
  return rows[0]
}

export async function findStaff(
  db: Executor,
  by: 'email' | 'jobNumber' | 'openId',
  value: string,
): Promise<StaffRow | undefined> {
  const column = { email: 'lower(email)', jobNumber: 'lower(job_number)', openId: 'open_id' }[by]
  const { rows } = await db.query<StaffRow>(
    `select ${STAFF} from sys_staff where ${column} = $1 and deleted_at is null limit 1`,
    [by === 'openId' ? value : value.toLowerCase()],
  )
  return rows[0]
}

export async function listStaff(db: Executor): Promise<StaffRow[]> {
  const { rows } = await db.query<StaffRow>(
    `select ${STAFF} from sys_staff where deleted_at is null and status <> 'left' order by job_number`,
  )
  return rows
}

export async function listDepartments(db: Executor): Promise<DepartmentRow[]> {
  const { rows } = await db.query<DepartmentRow>(
    `select id, name, name_en as "nameEn", code, parent_id as "parentId", path, leader_id as "leaderId", sort_no as "sortNo", enabled
     from sys_department where deleted_at is null order by sort_no nulls last, code`,
  )
  return rows
}

/** Ids of all departments in the trees under these paths, the roots and deleted ones included. */
export async function departmentsBelow(db: Executor, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const { rows } = await db.query<{ id: string }>(`select id from sys_department where path ^@ any($1::text[]) order by id`, [
    paths,
  ])
  return rows.map(({ id }) => id)
}

export async function listMenus(db: Executor): Promise<MenuRow[]> {
  const { rows } = await db.query<MenuRow>(
    `select id, name, name_en as "nameEn", router, international, icon, kind, parent_id as "parentId", sort_no as "sortNo", web_show_flag as "webShowFlag",
       mobile_flag as "mobileFlag", new_window as "newWindow", iframe_name as "iframeName", version
     from sys_menu_resource where deleted_at is null order by sort_no nulls last, international`,
  )
  return rows
}

export async function listButtons(db: Executor): Promise<ButtonRow[]> {
  const { rows } = await db.query<ButtonRow>(
    `select id, key, menu_id as "menuId", zh, en from sys_resource_button where deleted_at is null order by key`,
  )
  return rows
}

export async function listRoles(db: Executor): Promise<StoredRole[]> {
  const { rows } = await db.query<StoredRole>(`select ${ROLE} from sys_role r where r.deleted_at is null order by r.code`)
  return rows
}

/** Grants of enabled roles that hold at a moment. */
export async function listHolding(db: Executor, moment: Date): Promise<MemberRow[]> {
  const { rows } = await db.query<MemberRow>(`select ${MEMBER} from sys_role_member m where ${HOLDS('$1')}`, [
    moment.toISOString(),
  ])
  return rows
}

/** A person's roles at a moment, with the dates of the grants. */
export async function rolesOf(
  db: Executor,
  staffId: string,
  moment: Date,
): Promise<(StoredRole & { from: string | null; until: string | null })[]> {
  const { rows } = await db.query<StoredRole & { from: string | null; until: string | null }>(
    `select ${ROLE}, m."from", m.until from sys_role_member m join sys_role r on r.id = m.role_id and r.deleted_at is null
     where m.staff_id = $2 and ${HOLDS('$1')} order by r.code`,
    [moment.toISOString(), staffId],
  )
  return rows
}

/** The roles that a person holds or is going to hold, without those whose time is over and those that wait for a confirmation. */
export async function rolesAhead(db: Executor, staffId: string, moment: Date): Promise<StoredRole[]> {
  const { rows } = await db.query<StoredRole>(
    `select ${ROLE} from sys_role_member m join sys_role r on r.id = m.role_id and r.deleted_at is null
     where m.staff_id = $2 and m.deleted_at is null and m.waiting is not true and (m.until is null or m.until > $1) order by r.code`,
    [moment.toISOString(), staffId],
  )
  return rows
}

/** The next moment at which a grant of the person begins or ends, or null. */
export async function nextChange(db: Executor, staffId: string, moment: Date): Promise<Date | null> {
  const { rows } = await db.query<{ at: string | null }>(
    `select min(at) as at from sys_role_member m, lateral (values (m."from"), (m.until)) as moments(at)
     where m.staff_id = $1 and m.deleted_at is null and m.waiting is not true and at > $2`,
    [staffId, moment.toISOString()],
  )
  return rows[0]?.at ? new Date(rows[0].at) : null
}

/** Whether somebody may enter at all. */
export function mayEnter(staff: Pick<StaffRow, 'status' | 'signInDisabled'>): boolean {
  return staff.status !== 'left' && staff.signInDisabled !== true
}

/** Whether the roles of a person hold the key of a button at a moment; about somebody else than the caller, of whom the context tells. */
export async function holdsPermission(db: Executor, staffId: string, key: string, moment: Date): Promise<boolean> {
  return mergeRoles(await rolesOf(db, staffId, moment), () => undefined).permissions.has(key)
}
