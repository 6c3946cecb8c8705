/** The core of customer relations: duplicates, open sea, claims, caps, follow-ups. Registers its services with the entity engine. */
import type { EntityEngine } from '../../entities'
import { systemContext } from '../../platform/http'
import { contactService } from './services/contact'
import { customerServices } from './services/customer'
import { followUpService } from './services/followUp'

import { shareService } from './services/share'
import { staffLeavesService } from './services/staffLeaves'

export { bigramsOf, matchKeys, type MatchKeys } from './duplicate/nameKey'
export { claimableFrom } from './rules/claiming'
export { addDays, dayOf, daysBetween, instantAt, nextWorkingDay, type Day } from './rules/companyDay'
export { decideRecycling, type RecyclingFacts, type RecyclingReason } from './rules/recycling'
export { CRM_RULE_DEFAULTS, type CrmRules } from './rules/ruleSets'
export { registerHomeStatistics } from './services/homeStatistics'

/** Refused claims that a stay in the sea remembers. */
const ATTEMPTS_KEPT = 50

export interface CrmModuleOptions {
  /** The company's time zone: days of all rules are counted in it. */
  timeZone: string
  /** Told when a duplicate check could not be written down. */
  onError: (error: unknown, message: string) => void
}

/** Registers the services that crm entities and transitions name. */
export function registerCrm(engine: EntityEngine, { timeZone, onError }: CrmModuleOptions): void {
  const services = {
    ...customerServices({
      timeZone,
      writeDown: (context, record) => {
        engine
          .transaction({ ...systemContext({ now: context.now, traceId: context.traceId }), user: context.user }, (entities) =>
            entities.insertMany('crm.dupCheck', [record]),
          )
          .catch((error: unknown) => onError(error, 'a duplicate check could not be written down'))
      },
      noteAttempt: (context, customerId, refusedBecause) => {
        const attempt = { staffId: context.user.staffId, at: context.now.toISOString(), refusedBecause }
        engine
          .transaction(systemContext({ now: context.now, traceId: context.traceId }), async (entities) => {
            const [stay] = await entities.list('crm.seaRecord', {
              where: [
                { field: 'customerId', operator: 'eq', value: customerId },
                { field: 'leftAt', operator: 'empty' },
              ],
              limit: 1,
              lock: true,
            })
            const known = Array.isArray(stay?.attempts) ? (stay.attempts as unknown[]) : []
            if (stay) await entities.save('crm.seaRecord', { id: stay.id, attempts: [...known, attempt].slice(-ATTEMPTS_KEPT) })
          })
          .catch((error: unknown) => onError(error, 'a refused claim could not be noted'))
      },
    }),
    'crm.contact': contactService,
    'crm.followUp': followUpService(timeZone),
    'crm.share': shareService(timeZone),
    'sys.staff.leave': staffLeavesService(timeZone),
  }
  for (const [name, service] of Object.entries(services)) engine.registerEntityService(name, service)
}
