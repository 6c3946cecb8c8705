import { can } from '../../../platform/http'
import type { EntityEngine, EntityService } from '../../../entities'
import { dayOf } from '../rules/companyDay'
import { unfinishedAliases } from './alias/block'
import { refuseBarredCustomer, type HitDesk } from './blacklist/guard'
import { describeClassABars } from './classA'
import { customerSaves } from './customerSave'
import { customerMerging } from './merging'
import { describeFormerRevenue } from './formerRevenue'
import { held, holdingsOf, recyclingFacts } from './holdings'
import { describePartners, PARTNER_INPUTS, type InviteLink } from './partner/partnerProfile'

export interface CrmOptions {
  engine: EntityEngine
  /** The company's time zone: days of all rules are counted in it. */
  timeZone: string
  hitDesk: HitDesk
  inviteLink: InviteLink
  /** Whether the portal has an entity. */
  has: (entity: string) => boolean
}

/** Rules of customers around save, list and the open sea (sections 9.1 to 9.5 of the CRM domain). */
export function customerServices(options: CrmOptions): Record<string, EntityService> {
  const { engine, timeZone, hitDesk, inviteLink, has } = options
  const holdings = holdingsOf(has)
  // what holds a customer
  engine.registerFunction('crm.held', held(holdings))
  engine.registerFunction('crm.recyclingFacts', recyclingFacts(holdings))
  const customer: EntityService<'crm.customer'> = {
    inputs: [...PARTNER_INPUTS, 'convertedFrom'],
    ...customerMerging,
    ...customerSaves(hitDesk),
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
      if (view?.id === 'sea' && inSea.length > 0 && has('fin.customerMonth'))
        await describeFormerRevenue(inSea, db, dayOf(now, timeZone))
    },
    beforeRestore: (hook) => refuseBarredCustomer(hook, hook.record, hitDesk),
  }
  return { 'crm.customer': customer }
}
