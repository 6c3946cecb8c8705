/** The core of customer relations: duplicates, open sea, claims, caps, follow-ups. Registers its services with the entity engine. */
import type { EntityEngine } from '../../entities'
import type { EntityRecord } from '../../entities'
import { systemContext, type RequestContext } from '../../platform/http'
import { aliasServices } from './services/alias/aliasRecord'
import { blacklistServices } from './services/blacklist/blacklist'
import { classAServices } from './services/classA/classApply'
import { churnRecordService } from './services/churnRecord'
import { contactService } from './services/contact'
import { customerServices } from './services/customer'
import { followUpService } from './services/followUp'
import { transferServices } from './services/handover/transfer'
import { opportunityServices } from './services/opportunity/opportunity'
import { inviteLinks, partnerProfileService } from './services/partner/partnerProfile'
import { seaRecordService } from './services/seaRecord'
import { shareServices } from './services/share'
import { seaHistoryService } from './services/seaHistory'
import { staffLeavesService } from './services/leaving/staffLeaves'
import { appealServices } from './services/appeal'
import { bukaService } from './services/buka'
import { visitServices } from './services/visit'
import { staffLeaveServices } from './services/staffLeave'

export { bigramsOf, matchKeys, type MatchKeys } from './duplicate/nameKey'
export { churnFactsOf } from './jobs/churn/decide'
export { monthStart, type MonthFigure } from './rules/months'
export { classAFigures } from './rules/classA'
export { decideChurn, lastThirtyDays, type ChurnFacts } from './rules/churn'
export { decideLevel, levelPoints } from './rules/levels'
export { claimableFrom } from './rules/claiming'
export { countsAgainstCap } from './rules/holding'
export { addDays, dayOf, daysBetween, instantAt, nextWorkingDay, type Day } from './rules/companyDay'
export { decideRecycling, type RecyclingFacts, type RecyclingReason } from './rules/recycling'
export { CRM_RULE_DEFAULTS, type CrmRules } from './rules/ruleSets'
export { registerCrmJobs } from './jobs'
export { refreshCommissions } from './jobs/commission/refresh'
export { registerRuleRoutes } from './settings/http'
export { connectorsFrom } from './services/alias/connectors'
export { registerHomeStatistics } from './services/homeStatistics'
export { registerCustomerWork } from './services/customerWork'
export { registerMarketReports } from './services/market/calls'
export { refreshAccountTracks } from './services/market/refreshTracks'
export { amountsOf, daysInStage, OPEN_STAGES, STAGE_WIN_RATE } from './rules/opportunity'
export { customerFormsFor } from './services/template'
export { registerPromotionLinks } from './services/promotionLinks'

/** Refused claims that a stay in the sea remembers. */
const ATTEMPTS_KEPT = 50

export interface CrmModuleOptions {
  /** The company's time zone: days of all rules are counted in it. */
  timeZone: string
  /** Told when a duplicate check could not be written down. */
  onError: (error: unknown, message: string) => void
  /** Target systems of alias changes that a connector is configured for. */
  aliasSystems?: readonly string[]
  /** Where a partner's customers register; without it an invite link is the code alone. */
  registerUrl?: string
}

/** Registers the services that crm entities and transitions name. */
export function registerCrm(engine: EntityEngine, { timeZone, onError, aliasSystems = [], registerUrl }: CrmModuleOptions): void {
  /** Writes a row that has to stay when the running transaction is undone. */
  const apart =
    (entity: string, fault: string) =>
    (context: RequestContext, record: EntityRecord): void => {
      engine
        .transaction({ ...systemContext({ now: context.now, traceId: context.traceId }), user: context.user }, (entities) =>
          entities.insertMany(entity, [record]),
        )
        .catch((error: unknown) => onError(error, fault))
    }
  const writeHit = apart('crm.blacklistHit', 'a hit of the blacklist could not be written down')
  const writeDown = apart('crm.dupCheck', 'a duplicate check could not be written down')
  const has = (entity: string): boolean => engine.names().includes(entity)
  const noteAttempt = (context: RequestContext, customerId: string, refusedBecause: string): void => {
    const attempt = { staffId: context.user.staffId, at: context.now.toISOString(), refusedBecause }
    engine
      .transaction(systemContext({ now: context.now, traceId: context.traceId }), async (entities) => {
        const [stay] = await entities.list('crm.seaRecord', {
          where: [{ field: 'customerId', operator: 'eq', value: customerId }],
          sort: [{ field: 'enteredAt', order: 'desc' }],
          limit: 1,
          lock: true,
        })
        const known = Array.isArray(stay?.attempts) ? (stay.attempts as unknown[]) : []
        if (stay) await entities.save('crm.seaRecord', { id: stay.id, attempts: [...known, attempt].slice(-ATTEMPTS_KEPT) })
      })
      .catch((error: unknown) => onError(error, 'a refused claim could not be noted'))
  }
  const inviteLink = inviteLinks(registerUrl)
  const services = {
    ...customerServices({ timeZone, has, writeDown, writeHit, inviteLink, noteAttempt }),
    ...transferServices({ timeZone, has }),
    ...shareServices(timeZone),
    ...blacklistServices(),
    ...aliasServices({ connected: new Set(aliasSystems) }),
    ...classAServices(timeZone),
    ...opportunityServices(engine, timeZone),
    ...visitServices,
    'crm.partnerProfile': partnerProfileService(inviteLink),
    'crm.contact': contactService(writeHit, writeDown),
    'crm.churnRecord': churnRecordService,
    'crm.followUp': followUpService(timeZone),
    'sys.staff.leave': staffLeavesService(engine, timeZone),
    'crm.seaRecord': { ...seaHistoryService, ...seaRecordService(timeZone) },
    'crm.ownerLog': seaHistoryService,
    ...appealServices(timeZone),
    'crm.bukaAccount': bukaService(writeHit),
    ...staffLeaveServices(timeZone),
  }
  for (const [name, service] of Object.entries(services)) engine.registerEntityService(name, service)
}
