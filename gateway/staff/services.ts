import type { EntityEngine, EntityRecord, EntityService, SaveHook } from '../entities'
import { dayOf } from '../platform/calendar'
import type { Database, Transaction } from '../platform/database'
import { ServiceError } from '../platform/http'
import type { SessionService } from '../platform/session'
import { GrantCheck, refuseEmail, refuseOwnPlace } from './access/checks'
import { AccessRequests } from './access/requests'
import { AdministratorGuard } from './administrators'
import { departmentService } from './departments'
import { RIGHTS_CHANNEL } from './directory'
import type { Directory } from './directory'
import { leaveServices } from './leave'
import { checkRole } from './roleCheck'

export interface StaffServiceParts {
  database: Database
  engine: EntityEngine
  directory: Directory
  sessions: SessionService
}

/** Registers what CRUD of organisation and permissions cannot express: derived fields, cycles, the last administrator, pushes. */
export function registerStaffServices({ database, engine, directory, sessions }: StaffServiceParts): void {
  for (const [name, service] of Object.entries(leaveServices)) engine.registerEntityService(name, service)
  const guard = new AdministratorGuard()
  const access = new AccessRequests({ database, engine, directory, sessions })
  const grants = new GrantCheck(access)
  /** Tells every instance whose rights changed; this one at the commit, without waiting for the push. */
  const tell = async (tx: Transaction, payload: string) => {
    await tx.notify(RIGHTS_CHANNEL, payload)
    tx.afterCommit(() => directory.forget(payload))
  }
  const everybody = (tx: Transaction) => tell(tx, '*')

  engine.registerEntityService('sys.staff', staffService({ guard, tell, sessions, access }))
  engine.registerEntityService('sys.department', departmentService(everybody))
  engine.registerEntityService('sys.role', roleService(guard, grants, everybody))
  engine.registerEntityService('sys.roleMember', memberService(guard, grants, tell))
  engine.registerEntityService('sys.menuResource', menuService(guard, everybody))
  engine.registerEntityService('sys.auditLog', {
    computeFields: async (records, { context }) => {
      const kept = records.map(({ cause }) => (typeof cause === 'string' ? cause : null))
      const told = await engine.causes(context, kept)
      records.forEach((record, index) => (record['why'] = told[index] || null))
    },
  })
  engine.registerEntityService('sys.resourceButton', {
    beforeSave: ({ before, given, fail }) => {
      if (before && given.has('key'))
        fail({ field: 'key', message: { zh: '权限键建立后不能修改', en: 'A permission key cannot be changed' } })
    },
    beforeDelete: async ({ tx, record }) => {
      const roles = await rolesWith(tx, 'button_keys', String(record['key']))
      if (roles.length > 0) throw granted(roles)
    },
  })
}

interface StaffHooks {
  guard: AdministratorGuard
  tell: (tx: Transaction, staffId: string) => Promise<void>
  sessions: SessionService
  access: AccessRequests
}

function staffService({ guard, tell, sessions, access }: StaffHooks): EntityService {
  return {
    beforeSave: async (hook) => {
      const { tx, record, fail } = hook
      await guard.remember(tx)
      await refuseEmail(access, hook)
      refuseOwnPlace(hook)
      const mainDeptId = record['mainDeptId']
      const deptIds = Array.isArray(record['deptIds']) ? (record['deptIds'] as unknown[]) : []
      if (mainDeptId)
        record['deptIds'] = [
          ...new Set([mainDeptId, ...deptIds.filter((id) => id !== hook.before?.['mainDeptId'] || hook.given.has('deptIds'))]),
        ]
      if (!hook.before && !record['managerId'] && mainDeptId) record['managerId'] = await leaderOf(hook, String(mainDeptId))
      if (record['managerId'] && (await managersAbove(hook)).includes(String(record['id']))) {
        fail({
          field: 'managerId',
          message: { zh: '上级关系不能成环', en: 'Managers cannot form a circle' },
          rule: 'managerCycle',
        })
      }
    },
    afterSave: async ({ tx, record, before, entities }) => {
      await guard.check(tx)
      const { mainDeptId } = record
      if (before && mainDeptId !== before['mainDeptId'])
        await entities.followDepartment(String(record['id']), typeof mainDeptId === 'string' ? mainDeptId : null)
      const signInChanged = record['signInDisabled'] === true && before?.['signInDisabled'] !== true
      if (signInChanged) await sessions.endSessions(String(record['id']), 'disabled', tx)
      await tell(tx, String(record['id']))
    },
    beforeDelete: ({ tx }) => guard.remember(tx),
    afterDelete: async ({ tx, record }) => {
      await guard.check(tx)
      await sessions.endSessions(String(record['id']), 'deleted', tx)
      await tell(tx, String(record['id']))
    },
    guard: async ({ tx, transition, before }) => {
      if (transition.id !== 'leave') return null
      const { rows } = await tx.query<{ name: string }>(
        'select name from sys_department where leader_id = $1 and deleted_at is null limit 1',
        [before['id']],
      )
      return rows[0]
        ? {
            zh: `该员工是“${rows[0].name}”的负责人，请先更换负责人。`,
            en: `This person leads "${rows[0].name}". Please name another leader first.`,
          }
        : null
    },
    effect: async ({ tx, transition, record, now }) => {
      await guard.remember(tx)
      if (transition.id === 'goOnLeave') record['onDuty'] = false
      if (transition.id === 'comeBack') record['onDuty'] = true
      if (transition.id !== 'leave') return
      record['signInDisabled'] = true
      record['onDuty'] = false
      record['leftOn'] ??= dayOf(now, tx.companyTimeZone)
    },
    afterEffect: async ({ tx, transition, record }) => {
      await guard.check(tx)
      if (transition.id === 'leave') await sessions.endSessions(String(record['id']), 'left', tx)
      await tell(tx, String(record['id']))
    },
  }
}

async function leaderOf({ entities, record }: SaveHook, departmentId: string): Promise<string | null> {
  const department = await entities.find('sys.department', departmentId)
  const leaderId = department?.['leaderId']
  return typeof leaderId === 'string' && leaderId !== record['id'] ? leaderId : null
}

/** Ids of the managers above a person as the record has them now. */
async function managersAbove({ tx, record }: SaveHook): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `with recursive above(id, depth) as (
       select $1::text, 1 union all
       select s.manager_id, above.depth + 1 from above join sys_staff s on s.id = above.id where s.manager_id is not null and above.depth < 30
     ) select id from above`,
    [record['managerId']],
  )
  return rows.map((row) => row.id)
}

function roleService(
  guard: AdministratorGuard,
  grants: GrantCheck,
  everybody: (tx: Transaction) => Promise<void>,
): EntityService {
  return {
    beforeSave: async (hook) => {
      await guard.remember(hook.tx)
      await checkRole(hook)
      await grants.refuseWidening(hook)
    },
    afterSave: async ({ tx }) => {
      await guard.check(tx)
      await everybody(tx)
    },
    beforeDelete: ({ tx }) => guard.remember(tx),
    afterDelete: async ({ tx }) => {
      await guard.check(tx)
      await everybody(tx)
    },
    computeFields: async (records, { db, now }) => {
      const counts = await countMembers(db, now, records)
      for (const record of records) record['memberCount'] = counts.get(String(record['id'])) ?? 0
    },
  }
}

async function countMembers(
  db: Pick<Transaction, 'query'>,
  now: Date,
  records: readonly EntityRecord[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ roleId: string; count: number }>(
    `select m.role_id as "roleId", count(distinct m.staff_id) as count from sys_role_member m join sys_staff s on s.id = m.staff_id and s.deleted_at is null and s.status <> 'left'
     where m.role_id = any($1::text[]) and m.deleted_at is null and m.waiting is not true and (m."from" is null or m."from" <= $2) and (m.until is null or m.until > $2) group by m.role_id`,
    [records.map((record) => String(record['id'])), now.toISOString()],
  )
  return new Map(rows.map(({ roleId, count }) => [roleId, Number(count)]))
}

function memberService(
  guard: AdministratorGuard,
  grants: GrantCheck,
  tell: (tx: Transaction, staffId: string) => Promise<void>,
): EntityService {
  return {
    beforeSave: async (hook) => {
      const { tx, record, fail } = hook
      await guard.remember(tx)
      await grants.hold(hook)
      const { rows } = await tx.query(
        `select 1 from sys_role_member where staff_id = $1 and role_id = $2 and id <> $3 and deleted_at is null
           and coalesce("from", '-infinity') < coalesce($5::timestamptz, 'infinity') and coalesce($4::timestamptz, '-infinity') < coalesce(until, 'infinity')`,
        [record['staffId'], record['roleId'], record['id'], record['from'], record['until']],
      )
      if (rows.length > 0) {
        fail({
          field: 'roleId',
          message: { zh: '该员工在这段时间已有此权限组', en: 'This person holds the role in that time already' },
          rule: 'overlap',
        })
      }
    },
    afterSave: async (hook) => {
      const { tx, record } = hook
      await guard.check(tx)
      await grants.ask(hook)
      await tell(tx, String(record['staffId']))
    },
    beforeDelete: ({ tx }) => guard.remember(tx),
    afterDelete: async ({ tx, record }) => {
      await guard.check(tx)
      if (record['waiting'] === true) await grants.withdraw(tx, String(record['id']))
      await tell(tx, String(record['staffId']))
    },
    beforeRestore: async ({ tx, record, context }) => {
      if (context.kind === 'staff' && (await grants.needed(tx, context, record))) throw grantAnew()
      await tell(tx, String(record['staffId']))
    },
  }
}

function menuService(guard: AdministratorGuard, everybody: (tx: Transaction) => Promise<void>): EntityService {
  return {
    beforeSave: async ({ tx, record, before, fail }) => {
      await guard.remember(tx)
      if (record['parentId'] === null || record['parentId'] === before?.['parentId']) return
      const { rows } = await tx.query<{ id: string }>(
        `with recursive above(id, depth) as (
           select $1::text, 1 union all
           select m.parent_id, above.depth + 1 from above join sys_menu_resource m on m.id = above.id where m.parent_id is not null and above.depth < 30
         ) select id from above`,
        [record['parentId']],
      )
      if (rows.some((row) => row.id === record['id']))
        fail({
          field: 'parentId',
          message: { zh: '上级不能是自己或下级', en: 'The parent cannot be the entry itself or below it' },
        })
      if (rows.length > 4) fail({ field: 'parentId', message: { zh: '菜单最多五级', en: 'Menus have at most five levels' } })
    },
    afterSave: async ({ tx }) => {
      await guard.check(tx)
      await everybody(tx)
    },
    beforeDelete: async ({ tx, record }) => {
      await guard.remember(tx)
      const roles = await rolesWith(tx, 'resource_ids', String(record['id']))
      if (roles.length > 0) throw granted(roles)
    },
    afterDelete: async ({ tx }) => {
      await guard.check(tx)
      await everybody(tx)
    },
  }
}

async function rolesWith(tx: Transaction, column: 'resource_ids' | 'button_keys', value: string): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `select name from sys_role where deleted_at is null and ${column} @> to_jsonb($1::text) order by name`,
    [value],
  )
  return rows.map((row) => row.name)
}

function granted(roles: readonly string[]): ServiceError {
  const names = roles.slice(0, 5).join('、')
  return new ServiceError('heldByDocument', {
    message: {
      zh: `权限组（${names}${roles.length > 5 ? ' 等' : ''}）正在使用，请先收回授权。`,
      en: `Roles grant this (${names}${roles.length > 5 ? ' and more' : ''}). Take it out of them first.`,
    },
    data: { reason: 'granted', roles },
  })
}

const grantAnew = (): ServiceError =>
  new ServiceError('limitRefused', {
    message: {
      zh: '该授权含有您没有的权限，不能恢复；请重新授予，由拥有这些权限的人确认。',
      en: 'This grant gives rights that you have not and does not come back. Grant the role anew; somebody who has them confirms it.',
    },
    data: { reason: 'grantAnew' },
  })
