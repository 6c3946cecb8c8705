import { can, contextOf, ok } from '../../../platform/http'
import type { EntityEngine, EntityService } from '../../../entities'
import { dayOf } from '../rules/companyDay'
import { unfinishedAliases } from './alias/block'
import { refuseBarredCustomer, type HitDesk } from './blacklist/guard'
import { describeClassABars } from './classA'
import { customerSaves } from './customerSave'
import { registerAppeal } from './appeal'
import { registerTraffic } from './customerTraffic'
import { claimService, registerOwnership, type NoteAttempt } from './customerTransitions'
import { customerMerging } from './merging'
import { describeFormerRevenue } from './formerRevenue'
import { describePartners, PARTNER_INPUTS, type InviteLink } from './partner/partnerProfile'
import { ruleFor } from '../../../rules'
import { claimsLeft, usageOf } from './usage'

export interface CrmOptions {
  engine: EntityEngine
  /** The company's time zone: days of all rules are counted in it. */
  timeZone: string
  /** Notes a refused claim at the stay of the customer, outside the transaction that the refusal undoes. */
  noteAttempt: NoteAttempt
  hitDesk: HitDesk
  inviteLink: InviteLink
  /** Whether the portal has an entity. */
  has: (entity: string) => boolean
}

/** Rules of customers around save, list and the open sea (sections 9.1 to 9.5 of the CRM domain). */
export function customerServices(options: CrmOptions): Record<string, EntityService> {
  const { engine, timeZone, hitDesk, inviteLink, has } = options
  registerOwnership(engine, hitDesk)
  const customer: EntityService = {
    inputs: [...PARTNER_INPUTS, 'convertedFrom'],
    ...customerMerging,
    ...customerSaves({ timeZone, hitDesk }),
    async computeFields(records, { db, context, now, view }) {
      await describePartners(records, db, inviteLink)
      const running = await unfinishedAliases(
        db,
        records.map((record) => String(record.id)),
      )
      for (const record of records) {
        const change = running.get(String(record.id))
        record.aliasChange = change ? `${change.recordCode} ${change.tasksDone}/${change.tasksTotal}` : null
      }
      if (can(context, 'crm:classA:add'))
        await describeClassABars(records, db, { ownerId: context.user.staffId, now, locale: context.locale })
      const inSea = records.filter((record) => record.holding === 'sea')
      if (view?.id !== 'sea' || inSea.length === 0) return
      const left = claimsLeft(await usageOf(db, context.user.staffId, now))
      const whyNot = await engine.whyNot('crm.customer', { db, context }, inSea, 'claim')
      if (has('fin.customerMonth')) await describeFormerRevenue(inSea, db, dayOf(now, timeZone))
      for (const [index, record] of inSea.entries()) {
        record.claimRefusedBecause = whyNot[index]?.[context.locale] ?? null
        record.claimsLeft = left
      }
    },
    shares: {
      entity: 'crm.share',
      record: 'customerId',
      staff: 'toStaffId',
      department: 'toDeptId',
      until: 'until',
      where: [{ field: 'status', value: 'accepted' }],
      edit: { field: 'mode', value: 'edit' },
    },
    beforeRestore: (hook) => refuseBarredCustomer(hook, hook.record, hitDesk),
    async afterRestore({ entities, record }) {
      const owner = record.holding === 'private' ? await entities.find('sys.staff', String(record.ownerId)) : null
      if (owner?.status === 'left') await entities.transition('crm.customer', String(record.id), 'ownerLeft')
    },
    extraRoutes(app, engine, path) {
      registerAppeal(app, engine, path)
      registerTraffic(app, engine, path, timeZone)
      app.get(
        `${path}/claimQuota`,
        { schema: { tags: ['crm'], summary: 'What the caller has used of claims and holding cap' } },
        async (request) => {
          const context = contextOf(request)
          return engine.transaction(context, async (_, tx) => {
            const usage = await usageOf(tx, context.user.staffId, context.now)
            const retention = await ruleFor(tx, 'crm.retention', context.now, { staffId: context.user.staffId })
            return ok({
              daily: { used: usage.claimsToday, limit: usage.daily },
              weekly: { used: usage.claimsThisWeek, limit: usage.weekly },
              holding: { used: usage.counted, limit: usage.cap, warnAt: retention.warnAt },
            })
          })
        },
      )
    },
  }

  return { 'crm.customer': customer, 'crm.customer.claim': claimService(options.noteAttempt) }
}
