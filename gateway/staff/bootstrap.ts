import type { EntityEngine } from '../entities'
import { newId } from '../platform/database'
import type { Database } from '../platform/database'
import { systemContext } from '../platform/http'
import type { SessionService } from '../platform/session'
import type { RolesDocument } from '../../src/schema/generated/roles'
import { menuIdsOf, moduleRoles } from './moduleRoles'
import { oneTimePassword } from './oneTimePassword'

/** Somebody who can sign in first. */
export interface FirstAdministrator {
  name: string
  jobNumber: string
  /** One-time; has to be replaced at the first sign-in. */
  password: string
}

const JOB_NUMBER = 'A0001'
const ADMINISTRATOR = 'administrator'
const SECONDS = 7 * 86_400

/**
 * A database without any staff gets a root department, the roles that the modules ship, an administrator who may manage menus, roles,
 * staff and departments, and a one-time password. As long as nobody ever signed in, every start makes a new password, because the old one may be lost.
 * Null when there is nothing to do.
 */
export async function ensureAdministrator(
  database: Database,
  engine: EntityEngine,
  sessions: SessionService,
  roles: readonly RolesDocument[],
): Promise<FirstAdministrator | null> {
  const { rows } = await database.query<{ staff: number; entered: number; id: string | null }>(
    `select (select count(*) from sys_staff) as staff, (select count(*) from auth_sign_in) as entered,
       (select c.staff_id from auth_credential c join sys_staff s on s.id = c.staff_id and s.job_number = $1 where c.one_time) as id`,
    [JOB_NUMBER],
  )
  const { staff = 0, entered = 0, id = null } = rows[0] ?? {}
  if (Number(staff) > 0 && (Number(entered) > 0 || id === null)) return null
  const password = oneTimePassword()
  const name = '系统管理员'
  const until = new Date(Date.now() + SECONDS * 1000)
  if (id !== null) await sessions.setPassword(database, [id], password, until)
  else {
    const staffId = await makeAdministrator(engine, name, roles)
    await sessions.setPassword(database, [staffId], password, until)
  }
  return { name, jobNumber: JOB_NUMBER, password }
}

function makeAdministrator(engine: EntityEngine, name: string, roles: readonly RolesDocument[]): Promise<string> {
  const base = { version: 1 }
  const [departmentId, staffId, roleId] = [newId(), newId(), newId()]
  return engine.transaction(systemContext(), async (entities, tx) => {
    const menus = await tx.query<{ id: string; international: string }>(
      `select id, international from sys_menu_resource where deleted_at is null`,
    )
    const menuIds = new Map(menus.rows.map((menu) => [menu.international, menu.id]))
    const keys = await tx.query<{ key: string }>(
      `select key from sys_resource_button where deleted_at is null and (key like 'setModule:%' or key like 'sys:%')`,
    )
    // what nobody could do anything with is for trying the portal out
    const shipped = moduleRoles(roles).filter(({ code, buttonKeys }) => buttonKeys.length > 0 || code === ADMINISTRATOR)
    await entities.insertMany('sys.department', [
      {
        ...base,
        id: departmentId,
        code: 'HQ',
        name: '总部',
        nameEn: 'Headquarters',
        path: `/${departmentId}/`,
        kind: 'company',
        sortNo: 0,
        enabled: true,
      },
    ])
    await entities.insertMany('sys.staff', [
      {
        ...base,
        id: staffId,
        jobNumber: JOB_NUMBER,
        name,
        nameEn: 'Administrator',
        mainDeptId: departmentId,
        deptIds: [departmentId],
        position: 'dev',
        status: 'active',
        signInDisabled: false,
      },
    ])
    await entities.insertMany(
      'sys.role',
      shipped.map((role) => {
        const { menus: _, ...row } = role
        const own = role.code === ADMINISTRATOR
        return {
          ...base,
          ...row,
          id: own ? roleId : newId(),
          resourceIds: menuIdsOf(role, menuIds),
          buttonKeys: own ? [...new Set([...role.buttonKeys, ...keys.rows.map(({ key }) => key)])] : role.buttonKeys,
          enabled: true,
        }
      }),
    )
    await entities.insertMany('sys.roleMember', [{ ...base, id: newId(), staffId, roleId, from: null, until: null }])
    return staffId
  })
}
