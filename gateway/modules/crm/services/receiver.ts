import type { Entities, EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { holdsPermission } from '../../../staff'

/** Members of staff who are to get customers, in the order in which they are asked for; null for who is not there. */
export async function receiversOf(db: Executor, staffIds: readonly string[], now: Date): Promise<(EntityRecord | null)[]> {
  const { rows } = await db.query<EntityRecord>(
    `select id, status, name, name_en as "nameEn", job_number as "jobNumber" from sys_staff where id = any($1::text[]) and deleted_at is null`,
    [staffIds],
  )
  for (const staff of rows) staff.mayWork = await holdsPermission(db, String(staff.id), 'crm:customer:edit', now)
  const known = new Map(rows.map((staff) => [staff.id, staff]))
  return staffIds.map((id) => known.get(id) ?? null)
}

/**
 * The member of staff who is to get customers: somebody who works here and may work on customers (CRM guide, section 3).
 * @throws ServiceError limitRefused, `reason` notActive or notSales.
 */
export async function receiverOf(entities: Entities, db: Executor, staffId: unknown, now: Date): Promise<EntityRecord> {
  const staff = await entities.find('sys.staff', String(staffId))
  if (!staff || !['active', 'probation'].includes(String(staff.status)))
    throw new ServiceError('limitRefused', {
      message: { zh: '接收人不在职。', en: 'The receiver is not an active member of staff.' },
      data: { reason: 'notActive' },
    })
  if (!(await holdsPermission(db, String(staff.id), 'crm:customer:edit', now)))
    throw new ServiceError('limitRefused', {
      message: {
        zh: `${String(staff.name)}（${String(staff.jobNumber)}）没有客户管理的权限，不能接收客户。`,
        en: `${String(staff.nameEn ?? staff.name)} (${String(staff.jobNumber)}) has no right to work on customers and cannot receive any.`,
      },
      data: { reason: 'notSales' },
    })
  return staff
}
