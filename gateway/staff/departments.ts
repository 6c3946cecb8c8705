import type { EntityRecord, EntityService, SaveHook } from '../entities'
import { refuseOwnLeading } from './access/checks'
import type { Executor, Transaction } from '../platform/database'
import { ServiceError } from '../platform/http'

const DEEPEST = 6

/** The department tree: one root, no cycle, at most six levels; `path` is the ids from the root, `/a/b/`. */
export function departmentService(changed: (tx: Transaction) => Promise<void>): EntityService {
  return {
    beforeSave: async (hook) => {
      await hook.tx.query(`select pg_advisory_xact_lock(hashtext('switchboard departments'))`)
      await placeInTree(hook)
      await checkLeader(hook)
      refuseOwnLeading(hook)
      if (hook.record['enabled'] === false && hook.before?.['enabled'] !== false) await checkDisable(hook)
    },
    afterSave: async ({ tx, before, record }) => {
      const [from, to] = [before?.['path'], record['path']]
      if (typeof from === 'string' && typeof to === 'string' && from !== to) {
        await tx.query(
          `update sys_department set path = $2 || substr(path, length($1) + 1) where starts_with(path, $1) and id <> $3`,
          [from, to, record['id']],
        )
      }
      await changed(tx)
    },
    beforeDelete: async ({ tx, record }) => {
      const { rows } = await tx.query<{ staff: number }>(
        `select count(*) as staff from sys_staff where main_dept_id = $1 and deleted_at is null and status <> 'left'`,
        [record['id']],
      )
      const staff = Number(rows[0]?.staff ?? 0)
      if (staff > 0) throw notEmpty(staff)
    },
    afterDelete: ({ tx }) => changed(tx),
    computeFields: async (records, { db }) => {
      const counts = await headcounts(db, records)
      for (const record of records) record['staffCount'] = counts.get(String(record['id'])) ?? 0
    },
  }
}

async function placeInTree({ tx, record, fail }: SaveHook): Promise<void> {
  const id = String(record['id'])
  const parentId = record['parentId']
  if (parentId === null || parentId === undefined) {
    const { rows } = await tx.query('select 1 from sys_department where parent_id is null and id <> $1 and deleted_at is null', [
      id,
    ])
    if (rows.length > 0)
      fail({
        field: 'parentId',
        message: { zh: '只能有一个根部门，请选择上级部门', en: 'There is one root only. Please choose a parent department' },
        rule: 'oneRoot',
      })
    record['path'] = `/${id}/`
    return
  }
  const { rows } = await tx.query<{ path: string }>('select path from sys_department where id = $1 and deleted_at is null', [
    parentId,
  ])
  const above = rows[0]?.path
  if (above === undefined) return
  if (above.includes(`/${id}/`))
    return fail({
      field: 'parentId',
      message: { zh: '上级部门不能是自己或下级部门', en: 'The parent cannot be the department itself or below it' },
      rule: 'cycle',
    })
  const below = await deepestBelow(tx, id)
  if (above.split('/').length - 2 + 1 + below > DEEPEST)
    fail({ field: 'parentId', message: { zh: '部门最多六级', en: 'Departments have at most six levels' }, rule: 'depth' })
  record['path'] = `${above}${id}/`
  return undefined
}

/** Levels below a department. */
async function deepestBelow(db: Executor, id: string): Promise<number> {
  const { rows } = await db.query<{ levels: number | null }>(
    `with recursive below(id, depth) as (
       select id, 1 from sys_department where parent_id = $1 and deleted_at is null union all
       select d.id, below.depth + 1 from below join sys_department d on d.parent_id = below.id and d.deleted_at is null where below.depth < 20
     ) select max(depth) as levels from below`,
    [id],
  )
  return Number(rows[0]?.levels ?? 0)
}

async function checkLeader({ tx, record, before, fail }: SaveHook): Promise<void> {
  const leaderId = record['leaderId']
  if (!leaderId || leaderId === before?.['leaderId']) return
  const { rows } = await tx.query(
    `select 1 from sys_staff where id = $1 and deleted_at is null and status in ('active', 'probation')`,
    [leaderId],
  )
  if (rows.length === 0)
    fail({ field: 'leaderId', message: { zh: '负责人须为在职员工', en: 'The leader has to be active' }, rule: 'leaderActive' })
}

async function checkDisable({ tx, record, fail }: SaveHook): Promise<void> {
  const { rows } = await tx.query(
    `select 1 from sys_staff where main_dept_id = $1 and deleted_at is null and status <> 'left'
     union all select 1 from sys_department where parent_id = $1 and deleted_at is null and enabled is not false limit 1`,
    [record['id']],
  )
  if (rows.length > 0)
    fail({
      field: 'enabled',
      message: {
        zh: '部门还有在职员工或启用的下级部门，不能停用',
        en: 'It still has active staff or enabled departments below it',
      },
      rule: 'inUse',
    })
}

/** Active staff of each department and those below it. */
async function headcounts(db: Executor, records: readonly EntityRecord[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; count: number }>(
    `select d.id, count(s.id) as count from sys_department d join sys_department below on starts_with(below.path, d.path)
       join sys_staff s on s.main_dept_id = below.id and s.deleted_at is null and s.status <> 'left'
     where d.id = any($1::text[]) group by d.id`,
    [records.map((record) => String(record['id']))],
  )
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

function notEmpty(staff: number): ServiceError {
  return new ServiceError('heldByDocument', {
    message: {
      zh: `该部门还有 ${staff} 名在职员工，请先移走。`,
      en: `This department still has ${staff} members. Move them first.`,
    },
    data: { reason: 'notEmpty', staff },
  })
}
