import type { Database } from '../platform/database'
import type { Text } from '../platform/http'
import type { CorporateIdentity, DemoStaff, SignInStaff, StaffDirectory, StaffRights } from '../platform/session'
import { isNothing, lackingRights, type Held } from './access/rights'
import { mergeRoles, type MergedRights, type StoredRole } from './rights'
import {
  departmentsBelow,
  findStaff,
  listDepartments,
  listHolding,
  listMenus,
  listRoles,
  listStaff,
  mayEnter,
  nextChange,
  readStaff,
  rolesAhead,
  rolesOf,
  type DepartmentRow,
  type MenuRow,
  type StaffRow,
} from './store'

/** Channel on which instances tell each other that rights changed: payload is an id of staff, or `*` for everybody's. */
export const RIGHTS_CHANNEL = 'staff_rights'
/** Milliseconds for which rights are remembered at most; changes are told by push at once. */
const FRESH = 30_000
const MAXIMUM = 2000

interface Remembered {
  rights: StaffRights | null
  until: number
}

/** Roles that are held together. */
export interface Holder extends Pick<MergedRights, 'permissions' | 'scopes' | 'fieldRules'> {
  roles: readonly { code: string; name: Text }[]
  /** One of those who hold them, if there is somebody. */
  member: string | null
}

/** Staff, departments and rights for sign-in and for every call, with a memory that pushes keep right. */
export class Directory implements StaffDirectory {
  private readonly rights = new Map<string, Remembered>()
  private readonly asked = new Map<string, Promise<StaffRights | null>>()
  private menus: Promise<readonly MenuRow[]> | null = null
  private departments: Promise<readonly DepartmentRow[]> | null = null
  /** Counts changes, so that an answer which was read before a change is not remembered after it. */
  private generation = 0

  constructor(
    private readonly database: Database,
    private readonly positionLabel: (code: string) => Text | undefined,
  ) {}

  listen(): Promise<() => Promise<void>> {
    return this.database.listen(RIGHTS_CHANNEL, (payload) => this.forget(payload), { onGap: () => this.forget('*') })
  }

  /** An id of staff, or `*`. */
  forget(payload: string): void {
    this.generation += 1
    this.asked.clear()
    if (payload !== '*') {
      this.rights.delete(payload)
      return
    }
    this.rights.clear()
    this.menus = null
    this.departments = null
  }

  async rightsOf(staffId: string, now: Date): Promise<StaffRights | null> {
    const known = this.rights.get(staffId)
    if (known && known.until > now.getTime() && known.until - now.getTime() <= FRESH) return known.rights
    const running = this.asked.get(staffId)
    if (running) return running
    const asked = this.resolve(staffId, now).finally(() => {
      if (this.asked.get(staffId) === asked) this.asked.delete(staffId)
    })
    this.asked.set(staffId, asked)
    return asked
  }

  allMenus(): Promise<readonly MenuRow[]> {
    this.menus ??= listMenus(this.database).catch((error: unknown) => {
      this.menus = null
      throw error
    })
    return this.menus
  }

  allDepartments(): Promise<readonly DepartmentRow[]> {
    this.departments ??= listDepartments(this.database).catch((error: unknown) => {
      this.departments = null
      throw error
    })
    return this.departments
  }

  /** What somebody who holds only one role may do, for every enabled role. */
  async roleViews(): Promise<
    { code: string; name: Text; permissions: ReadonlySet<string>; fieldRules: MergedRights['fieldRules'] }[]
  > {
    const [menus, roles] = await Promise.all([this.allMenus(), listRoles(this.database)])
    const internationals = new Map(menus.map((menu) => [menu.id, menu.international]))
    return roles
      .filter(({ enabled }) => enabled)
      .map((role) => {
        const { permissions, fieldRules } = mergeRoles([role], (id) => internationals.get(id))
        return { code: role.code, name: { zh: role.name, en: role.nameEn ?? role.name }, permissions, fieldRules }
      })
  }

  /**
   * Whose rights differ: every enabled role alone, every set of roles that somebody holds now, and staff without any; each with one of
   * those who hold just that, or at least that.
   */
  async holders(now: Date): Promise<Holder[]> {
    const { enabled, heldBy, entering, internationals } = await this.held(now)
    const sets = new Map<string, { roles: readonly StoredRole[]; member: string | null }>()
    const add = (held: readonly StoredRole[], member: string | null): void => {
      const key = held.map(({ code }) => code).join(' ')
      const known = sets.get(key)
      if (!known?.member) sets.set(key, { roles: held, member })
    }
    add([], null)
    for (const role of enabled.values()) add([role], null)
    for (const { id } of entering)
      add(
        [...heldBy(id)].sort((a, b) => (a.code < b.code ? -1 : 1)),
        id,
      )
    // a role that nobody holds alone is tried for somebody who holds others as well
    for (const { id } of entering) for (const role of heldBy(id)) add([role], id)
    return [...sets.values()].map(({ roles: held, member }) => {
      const { permissions, scopes, fieldRules } = mergeRoles(held, (id) => internationals.get(id))
      const named = held.map(({ code, name, nameEn }) => ({ code, name: { zh: name, en: nameEn ?? name } }))
      return { roles: named, permissions, scopes, fieldRules, member }
    })
  }

  /** What a person holds, grants that begin later included, whether he may sign in or not; with `roles` those instead of his own. */
  async rightsAhead(staffId: string, now: Date, roles?: readonly StoredRole[]): Promise<Held | null> {
    const staff = await readStaff(this.database, staffId)
    return staff ? this.rightsWith(staff, roles ?? (await rolesAhead(this.database, staffId, now))) : null
  }

  /** Ids of those who may sign in and hold now whatever `held` is, by job number. */
  async thoseWhoHold(held: Held, now: Date): Promise<string[]> {
    const { heldBy, entering, internationals } = await this.held(now)
    const found: string[] = []
    for (const { id } of entering) {
      const { permissions } = mergeRoles([...heldBy(id)], (menuId) => internationals.get(menuId))
      if ([...held.permissions].some((key) => !permissions.has(key))) continue
      const rights = await this.rightsOf(id, now)
      if (rights && isNothing(lackingRights(held, rights))) found.push(id)
    }
    return found
  }

  /** The enabled roles, who may sign in, and which of the roles they hold now. */
  private async held(now: Date): Promise<{
    enabled: ReadonlyMap<string, StoredRole>
    entering: readonly StaffRow[]
    heldBy(staffId: string): ReadonlySet<StoredRole>
    internationals: ReadonlyMap<string, string>
  }> {
    const [menus, roles, holding, staff] = await Promise.all([
      this.allMenus(),
      listRoles(this.database),
      listHolding(this.database, now),
      listStaff(this.database),
    ])
    const enabled = new Map(roles.flatMap((role) => (role.enabled ? [[role.id, role] as const] : [])))
    const byStaff = new Map<string, Set<StoredRole>>()
    for (const { staffId, roleId } of holding) {
      const role = enabled.get(roleId)
      if (role) byStaff.set(staffId, (byStaff.get(staffId) ?? new Set()).add(role))
    }
    return {
      enabled,
      entering: staff.filter(mayEnter),
      heldBy: (staffId) => byStaff.get(staffId) ?? new Set(),
      internationals: new Map(menus.map((menu) => [menu.id, menu.international])),
    }
  }

  async byId(staffId: string): Promise<SignInStaff | null> {
    return signInStaff(await readStaff(this.database, staffId))
  }

  async byName(name: string): Promise<SignInStaff | null> {
    return signInStaff(await findStaff(this.database, name.includes('@') ? 'email' : 'jobNumber', name))
  }

  async byCorporateIdentity({ openId, email, jobNumber }: CorporateIdentity): Promise<SignInStaff | null> {
    const linked = await findStaff(this.database, 'openId', openId)
    if (linked) return signInStaff(linked)
    const found =
      (email && (await findStaff(this.database, 'email', email))) ||
      (jobNumber && (await findStaff(this.database, 'jobNumber', jobNumber))) ||
      undefined
    if (!found) return null
    // A person who is linked to another corporate account is not given to this one.
    const { rowCount } = await this.database.query(
      'update sys_staff set open_id = $2 where id = $1 and (open_id is null or open_id = $2)',
      [found.id, openId],
    )
    return rowCount === 1 ? signInStaff(found) : null
  }

  async listForDemo(): Promise<readonly DemoStaff[]> {
    const [staff, departments] = await Promise.all([listStaff(this.database), this.allDepartments()])
    const byId = new Map(departments.map((department) => [department.id, department]))
    const order = new Map(inTreeOrder(departments).map((department, position) => [department.id, position]))
    const rank = (row: StaffRow) => order.get(row.mainDeptId ?? '') ?? departments.length
    return staff
      .filter(mayEnter)
      .sort((a, b) => rank(a) - rank(b))
      .map((row) => {
        const department = byId.get(row.mainDeptId ?? '')
        return {
          staffId: row.id,
          name: row.name,
          nameEn: row.nameEn,
          jobNumber: row.jobNumber,
          department: department
            ? { zh: department.name, en: department.nameEn ?? department.name }
            : { zh: '未分配部门', en: 'No department' },
          position: (row.position && this.positionLabel(row.position)) || null,
        }
      })
  }

  async signedIn(staffId: string, at: Date): Promise<void> {
    await this.database.query('update sys_staff set last_sign_in_at = $2 where id = $1', [staffId, at.toISOString()])
  }

  private async resolve(staffId: string, now: Date): Promise<StaffRights | null> {
    const { generation } = this
    const staff = await readStaff(this.database, staffId)
    const rights = staff && mayEnter(staff) ? await this.rightsFor(staff, now) : null
    if (generation === this.generation) {
      const change = rights ? await nextChange(this.database, staffId, now) : null
      const until = Math.min(now.getTime() + FRESH, change?.getTime() ?? Infinity)
      if (this.rights.size >= MAXIMUM) this.rights.clear()
      this.rights.set(staffId, { rights, until })
    }
    return rights
  }

  private async rightsFor(staff: StaffRow, now: Date): Promise<StaffRights> {
    return this.rightsWith(staff, await rolesOf(this.database, staff.id, now))
  }

  private async rightsWith(staff: StaffRow, roles: readonly StoredRole[]): Promise<StaffRights> {
    const [menus, departments] = await Promise.all([this.allMenus(), this.allDepartments()])
    const internationals = new Map(menus.map((menu) => [menu.id, menu.international]))
    const { permissions, scopes, fieldRules } = mergeRoles(roles, (id) => internationals.get(id))
    const led = departments.filter((department) => department.leaderId === staff.id)
    const deptIds = [...new Set([staff.mainDeptId, ...(staff.deptIds ?? [])])].filter((id) => id !== null)
    const scopeDepartments = departments.filter(
      (department) => department.leaderId === staff.id || deptIds.includes(department.id),
    )
    return {
      permissions,
      scopes,
      fieldRules,
      user: {
        userId: staff.id,
        staffId: staff.id,
        name: staff.name,
        nameEn: staff.nameEn,
        jobNumber: staff.jobNumber,
        deptIds,
        mainDeptId: staff.mainDeptId,
        ledDeptIds: led.map((department) => department.id),
        scopeDeptIds: scopeDepartments.map((department) => department.id),
        scopeTreeIds: await departmentsBelow(this.database, pathsOf(scopeDepartments)),
        roleCodes: roles.filter(({ enabled }) => enabled).map(({ code }) => code),
      },
    }
  }
}

/** Every department right before those below it, siblings in their own order. */
function inTreeOrder(departments: readonly DepartmentRow[]): DepartmentRow[] {
  const below = (parentId: string | null, depth: number): DepartmentRow[] =>
    depth > 20
      ? []
      : departments
          .filter((department) => department.parentId === parentId)
          .flatMap((department) => [department, ...below(department.id, depth + 1)])
  return below(null, 0)
}

function pathsOf(departments: readonly DepartmentRow[]): string[] {
  return departments.map((department) => department.path).filter((path) => path !== null)
}

function signInStaff(row: StaffRow | undefined): SignInStaff | null {
  if (!row) return null
  return {
    staffId: row.id,
    name: row.name,
    nameEn: row.nameEn,
    jobNumber: row.jobNumber,
    email: row.email,
    mayEnter: mayEnter(row),
  }
}

/**
 * SQL of a person as lists show him, name with job number, in both languages as { zh, en }; null without a person. `alias` is that
 * of sys_staff in the statement.
 */
export const staffName = (alias: string): string =>
  `case when ${alias}.id is not null then jsonb_build_object('zh', ${alias}.name || ' (' || ${alias}.job_number || ')',
     'en', coalesce(nullif(${alias}.name_en, ''), ${alias}.name) || ' (' || ${alias}.job_number || ')') end`
