import type { EntityRecord } from '../entities'
import type { Executor } from '../platform/database'
import { ServiceError } from '../platform/http'
import { holdsPermission } from '../staff'
import type { Subject } from './subject'

/** Members of staff who are to get records, in the order in which they are asked for; null for who is not there. */
export async function receiversOf(
  { word }: Subject,
  db: Executor,
  staffIds: readonly string[],
  now: Date,
): Promise<(EntityRecord | null)[]> {
  const { rows } = await db.query<EntityRecord>(
    `select id, status, name, name_en as "nameEn", job_number as "jobNumber" from sys_staff where id = any($1::text[]) and deleted_at is null`,
    [staffIds],
  )
  for (const staff of rows) staff.mayWork = await holdsPermission(db, String(staff.id), word.work, now)
  const known = new Map(rows.map((staff) => [staff.id, staff]))
  return staffIds.map((id) => known.get(id) ?? null)
}

/** Refuses unless each is somebody who works here and may work on the records. @throws ServiceError limitRefused, `reason` notActive or notSales. */
export async function requireReceivers(subject: Subject, db: Executor, staffIds: readonly string[], now: Date): Promise<void> {
  const label = subject.model.label
  for (const staff of await receiversOf(subject, db, staffIds, now)) {
    if (!staff || !['active', 'probation'].includes(String(staff.status)))
      throw new ServiceError('limitRefused', {
        message: { zh: '接收人不在职。', en: 'The receiver is not an active member of staff.' },
        data: { reason: 'notActive' },
      })
    if (staff.mayWork !== true)
      throw new ServiceError('limitRefused', {
        message: {
          zh: `${String(staff.name)}（${String(staff.jobNumber)}）没有${label.zh}管理的权限，不能接收${label.zh}。`,
          en: `${String(staff.nameEn ?? staff.name)} (${String(staff.jobNumber)}) has no right to work on ${label.en.toLowerCase()}s and cannot receive any.`,
        },
        data: { reason: 'notSales' },
      })
  }
}
