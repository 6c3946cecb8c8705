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
  const { rows } = await db.query<{ count: number }>(`select count(*) as count from sys_staff s where ${ADMINISTERS}`, [
    ADMINISTRATOR_KEYS.button,
    ADMINISTRATOR_KEYS.menu,
  ])
  return Number(rows[0]?.count ?? 0)
}

/** Whom to ask for a right: at most three administrators, as people know them. */
export async function listAdministrators(db: Executor, locale: Locale): Promise<string[]> {
  const { rows } = await db.query<{ name: string; nameEn: string | null }>(
    `select s.name, s.name_en as "nameEn" from sys_staff s where ${ADMINISTERS} and s.status <> 'leave' order by s.job_number limit 3`,
    [ADMINISTRATOR_KEYS.button, ADMINISTRATOR_KEYS.menu],
  )
  return rows.map(({ name, nameEn }) => (locale === 'en' && nameEn ? nameEn : name))
}

const GRANTS = `(select m.staff_id, m.role_id from sys_role_member m
  where m.deleted_at is null and (m."from" is null or m."from" <= now()) and m.until is null) m
  join sys_role r on r.id = m.role_id and r.deleted_at is null and r.enabled is not false`

/** A member of staff `s` may sign in and can edit roles without an end date. Parameters: the key of the button, of the menu. */
const ADMINISTERS = `s.deleted_at is null and s.status <> 'left' and s.sign_in_disabled is not true
  and exists (select 1 from ${GRANTS} where m.staff_id = s.id and r.button_keys @> to_jsonb($1::text))
  and exists (select 1 from ${GRANTS} join sys_menu_resource menu on menu.international = $2 and menu.deleted_at is null and r.resource_ids @> to_jsonb(menu.id)
              where m.staff_id = s.id)`
