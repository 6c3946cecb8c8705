import type { Executor } from '../platform/database'
import { ServiceError, type Locale } from '../platform/http'

/** Without somebody who holds these, nobody could grant anything any more. */
export const ADMINISTRATOR_KEYS = {
  menu: 'setModule:authManage:permissions',
  button: 'setModule:authManage:permissions:edit',
} as const

/**
 * Guards against locking out the last administrator: a change of roles, grants, staff or menus may not leave the company
 * without anybody who can edit roles, has no end date and may sign in. Changes wait for one another, so that two
 * administrators cannot remove each other at once.
 */
export class AdministratorGuard {
  /** Administrators before the change, by the object that stands for the write (the hook's transaction). */
  private readonly before = new WeakMap<object, number>()

  /** Call before the write. */
  async remember(tx: Executor): Promise<void> {
    await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard administrators'))`)
    this.before.set(tx, await countAdministrators(tx))
  }

  /** Call after the write, in the same transaction. A company that never had an administrator is being set up. */
  async check(tx: Executor): Promise<void> {
    const before = this.before.get(tx) ?? 0
    if (before === 0 || (await countAdministrators(tx)) > 0) return
    throw new ServiceError('limitRefused', {
      message: {
        zh: '此操作会使系统失去最后一位可以管理权限的人员，未执行。请先授权给其他人。',
        en: 'This would leave nobody who can manage permissions, so it was not done. Grant the right to somebody else first.',
      },
      data: { reason: 'lastAdministrator' },
    })
  }
}

/** People who may sign in and can edit roles without an end date. */
export async function countAdministrators(db: Executor): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`${ADMINISTRATORS} select count(*) as count from administrators`, [
    ADMINISTRATOR_KEYS.button,
    ADMINISTRATOR_KEYS.menu,
  ])
  return Number(rows[0]?.count ?? 0)
}

/** Whom to ask for a right: at most three administrators, as people know them. */
export async function listAdministrators(db: Executor, locale: Locale): Promise<string[]> {
  const { rows } = await db.query<{ name: string; nameEn: string | null }>(
    `${ADMINISTRATORS} select name, name_en as "nameEn" from administrators where status <> 'leave' order by job_number limit 3`,
    [ADMINISTRATOR_KEYS.button, ADMINISTRATOR_KEYS.menu],
  )
  return rows.map(({ name, nameEn }) => (locale === 'en' && nameEn ? nameEn : name))
}

/**
 * Members of staff who may sign in and can edit roles without an end date. Parameters: the key of the button, of the menu. Roles come
 * first, each looked at once, whatever the planner thinks of the tables: every row of an import of staff asks.
 */
const ADMINISTRATORS = `with granting as materialized (
    select r.id, r.button_keys @> to_jsonb($1::text) as edits,
      exists (select 1 from sys_menu_resource menu
              where menu.international = $2 and menu.deleted_at is null and r.resource_ids @> to_jsonb(menu.id)) as opens
    from sys_role r where r.deleted_at is null and r.enabled is not false),
  holders as materialized (
    select m.staff_id from sys_role_member m join granting g on g.id = m.role_id and (g.edits or g.opens)
    where m.deleted_at is null and m.waiting is not true and (m."from" is null or m."from" <= now()) and m.until is null
    group by m.staff_id having bool_or(g.edits) and bool_or(g.opens)),
  administrators as (
    select s.* from sys_staff s where s.id in (select staff_id from holders)
      and s.deleted_at is null and s.status <> 'left' and s.sign_in_disabled is not true)`
