import { ServiceError } from '../../../platform/http'
import type { QueryCondition } from '../../../../src/schema/model'
import type { EntityRecord, EntityService, SaveHook } from '../../../entities'
import { settle } from '../../../todos'
import { requireOfCustomer } from './belongs'
import { recycleOnOf } from './ownership'
import { ruleFor } from './rules'

const HOUR = 3_600_000
/** Results of a follow-up that reached nobody. */
const NOT_REACHED: ReadonlySet<string> = new Set(['noAnswer', 'wrongNumber'])
const MINIMUM_LETTERS = 10
const COPY_WINDOW_DAYS = 30

/** Follow-ups: effective ones move the customer on; the author may edit for 24 hours and delete for one. */
export function followUpService(timeZone: string): EntityService {
  return {
    refusals,
    async beforeSave(hook) {
      const { record, before } = hook
      const refused = before && refusals(before, hook).edit
      if (refused) throw new ServiceError('transitionRefused', { message: refused, data: { transition: 'edit' } })
      const letters = [...String(record.content ?? '').replace(/\s/gu, '')].length
      if (letters < MINIMUM_LETTERS)
        hook.fail({
          field: 'content',
          rule: 'contentLength',
          message: {
            zh: `内容至少 ${MINIMUM_LETTERS} 字（不计空格），现为 ${letters} 字。`,
            en: `The content needs at least ${MINIMUM_LETTERS} characters without blanks; it has ${letters}.`,
          },
        })
      if (record.nextAt && record.nextAt !== before?.nextAt && Date.parse(String(record.nextAt)) <= hook.now.getTime())
        hook.fail({
          field: 'nextAt',
          rule: 'future',
          message: { zh: '下次跟进须在以后。', en: 'The next follow-up has to be in the future.' },
        })
      await requireOfCustomer(hook, 'crm.contact', 'contactId')
      if (!before) await requireOfCustomer(hook, 'crm.opportunity', 'opportunityId')
      record.effective =
        record.auto !== true && !NOT_REACHED.has(String(record.result)) && !(await isCopy(hook)) && (await counts(hook))
    },
    async computeFields(records, { db, context, view }) {
      if (view?.id !== 'sea' || records.length === 0) return
      const { rows } = await db.query<{ id: string; zh: string; en: string | null }>(
        `select s.id, d.name as zh, d.name_en as en from sys_staff s join sys_department d on d.id = s.main_dept_id where s.id = any($1::text[])`,
        [[...new Set(records.map((record) => String(record.createdBy)))]],
      )
      const departments = new Map(rows.map((row) => [row.id, row]))
      for (const record of records) {
        const department = departments.get(String(record.createdBy))
        record.authorDept = (context.locale === 'en' && department?.en) || (department?.zh ?? null)
      }
    },
    async afterSave(hook) {
      const { record, before, entities, tx, now } = hook
      await moveOpportunity(hook)
      if (!record.customerId) return
      const customer = await entities.find('crm.customer', String(record.customerId), { lock: true })
      if (!customer) return
      const at = before ? String(before.createdAt) : now.toISOString()
      const next = { ...customer }
      if (!before) next.followCount = Number(customer.followCount ?? 0) + 1
      if (!before || record.nextAt !== before.nextAt) next.nextFollowAt = record.nextAt ?? null
      if (record.effective === true) {
        if (!customer.lastFollowAt || String(customer.lastFollowAt) < at) next.lastFollowAt = at
        if (customer.stage === 'potential') next.stage = 'following'
      }
      next.recycleOn = recycleOnOf(
        next,
        await ruleFor(tx, 'crm.sea', now, { staffId: String(customer.ownerId ?? ''), countryCode: String(customer.countryCode) }),
        timeZone,
      )
      const { id, followCount, nextFollowAt, lastFollowAt, stage, recycleOn } = next
      await entities.save('crm.customer', { id, followCount, nextFollowAt, lastFollowAt, stage, recycleOn })
      if (!before && record.effective === true)
        await settle(tx, { entity: 'crm.customer', ids: [String(id)] }, { as: 'done', now, kinds: ['recycleSoon', 'followUp'] })
    },
    async afterDelete({ record, entities, tx, now }) {
      const customer = await entities.find('crm.customer', String(record.customerId), { lock: true })
      if (!customer) return
      const latest = async (where: QueryCondition[]): Promise<EntityRecord | undefined> =>
        (
          await entities.list('crm.followUp', {
            where: [{ field: 'customerId', operator: 'eq', value: record.customerId }, ...where],
            sort: [{ field: 'createdAt', order: 'desc' }],
            limit: 1,
          })
        )[0]
      const next = {
        ...customer,
        followCount: Math.max(0, Number(customer.followCount ?? 1) - 1),
        lastFollowAt: (await latest([{ field: 'effective', operator: 'eq', value: true }]))?.createdAt ?? null,
        // what this one agreed on goes with it, unless somebody agreed on another day since
        nextFollowAt: customer.nextFollowAt === record.nextAt ? ((await latest([]))?.nextAt ?? null) : customer.nextFollowAt,
      }
      await entities.save('crm.customer', {
        id: customer.id,
        followCount: next.followCount,
        lastFollowAt: next.lastFollowAt,
        nextFollowAt: next.nextFollowAt,
        recycleOn: recycleOnOf(next, await ruleFor(tx, 'crm.sea', now), timeZone),
      })
    },
  }
}

/** A follow-up moves its opportunity on: an effective one counts as progress. */
async function moveOpportunity({ record, before, entities, now }: SaveHook): Promise<void> {
  if (!record.opportunityId) return
  const opportunity = await entities.find('crm.opportunity', String(record.opportunityId), { lock: true })
  if (!opportunity) return
  const at = before ? String(before.createdAt) : now.toISOString()
  const later = (known: unknown): string => (typeof known === 'string' && known > at ? known : at)
  await entities.save('crm.opportunity', {
    id: opportunity.id,
    ...(!before || record.nextAt !== before.nextAt ? { nextFollowAt: record.nextAt ?? null } : {}),
    ...(record.effective === true
      ? { lastFollowAt: later(opportunity.lastFollowAt), touchedAt: later(opportunity.touchedAt) }
      : {}),
  })
}

/** A follow-up belongs to its author, and stands after a while. */
const refusals: NonNullable<EntityService['refusals']> = ({ createdBy, createdAt }, { context, now }) => {
  if (context.kind === 'system') return {}
  const within = (hours: number): boolean =>
    createdBy === context.user.staffId && now.getTime() - Date.parse(String(createdAt)) <= hours * HOUR
  return {
    edit: within(24)
      ? null
      : { zh: '跟进只有作者在24小时内可以修改。', en: 'Only the author may change a follow-up, within 24 hours.' },
    delete: within(1)
      ? null
      : { zh: '跟进只有作者在一小时内可以删除。', en: 'Only the author may delete a follow-up, within one hour.' },
  }
}

/** Whether a follow-up is a contact of the owner: one by himself or by somebody with whom he shares the customer for editing (CRM guide, section 3, and rule 9.7). */
async function counts({ record, before, context, entities, tx, now }: SaveHook): Promise<boolean> {
  const author = before ? before.createdBy : context.user.staffId
  if (!record.customerId || !author) return true
  const customer = await entities.find('crm.customer', String(record.customerId))
  if (!customer?.ownerId || customer.ownerId === author) return true
  const ofAuthor = author === context.user.staffId ? context.user.deptIds : []
  const shares = await entities.list('crm.share', {
    where: [
      { field: 'customerId', operator: 'eq', value: customer.id },
      { field: 'status', operator: 'eq', value: 'accepted' },
      { field: 'mode', operator: 'eq', value: 'edit' },
    ],
  })
  const mayEdit = shares.some(({ toStaffId, toDeptId }) => toStaffId === author || ofAuthor.includes(String(toDeptId)))
  return mayEdit && (await ruleFor(tx, 'crm.wander', now, { staffId: String(customer.ownerId) })).followBySharerCounts
}

/** The same text to the same customer within thirty days is a copy: it does not count as a contact. */
async function isCopy({ record, before, tx, now }: SaveHook): Promise<boolean> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from crm_follow_up where customer_id is not distinct from $1 and clue_id is not distinct from $5 and content = $2 and deleted_at is null and id is distinct from $3 and created_at > $4 limit 1`,
    [
      record.customerId,
      record.content,
      before?.id ?? null,
      new Date(now.getTime() - COPY_WINDOW_DAYS * 24 * HOUR).toISOString(),
      record.clueId ?? null,
    ],
  )
  return rows.length > 0
}
