import type { GatewayModule } from '../module'
import { campaignService } from './campaigns/campaign'
import { CAMPAIGN_LINE } from './campaigns/parts'
import { customersStartedAfter, opportunitiesAfter } from './campaigns/results'
import { messageHook, outgoingHook } from './campaigns/settling'
import { crmSettings } from './configuration'
import { crmDemo } from './demo/world'
import { aliasRecordService, aliasSystems } from './services/alias/aliasRecord'
import { hitDeskOf } from './services/blacklist/desk'
import { blacklistService, customersMatched } from './services/blacklist/blacklist'
import { bukaService } from './services/buka'
import { classApplyService, registerClassA } from './services/classA'
import { contactService } from './services/contact'
import { customerServices } from './services/customer'
import { opportunityService } from './services/opportunity/opportunity'
import { inviteLinks, partnerProfileService } from './services/partner/partnerProfile'
import { customerFormsFor } from './services/template'
import { ruleCodes } from './settings/codes'

/** Customer relations in the gateway. */
export const crm: GatewayModule = {
  settings: crmSettings,
  services: ({ engine, configuration, onError }) => {
    const { companyTimeZone: timeZone } = configuration
    const { aliasSyncUrls, registerUrl } = configuration.of(crmSettings)
    const has = (entity: string): boolean => engine.names().includes(entity)
    const hitDesk = hitDeskOf({ engine, onError })
    const inviteLink = inviteLinks(registerUrl)
    engine.registerFunction('crm.aliasSystems', aliasSystems(aliasSyncUrls))
    engine.registerFunction('crm.customersMatched', customersMatched)
    registerClassA(engine)
    return {
      ...customerServices({ engine, timeZone, has, hitDesk, inviteLink }),
      'crm.blacklist': blacklistService,
      'crm.aliasRecord': aliasRecordService,
      'crm.classApply': classApplyService,
      'crm.opportunity': opportunityService(timeZone),
      'crm.partnerProfile': partnerProfileService(inviteLink),
      'crm.contact': contactService(hitDesk),
      'crm.bukaAccount': bukaService(hitDesk),
      'crm.mailCampaign': campaignService(engine),
    }
  },
  hooks: ({ engine }) => ({
    'mail.outgoing': outgoingHook,
    'mail.message': messageHook,
    'crm.opportunity': { filter: ({ conditions, alias }) => opportunitiesAfter(conditions, alias) },
    'crm.customer': { filter: ({ conditions, alias }) => customersStartedAfter(engine, conditions, alias) },
  }),
  start: ({ queue }) => queue.work(CAMPAIGN_LINE),
  rules: ({ engine, database, configuration }) => ruleCodes({ engine, database, timeZone: configuration.companyTimeZone }),
  adaptPage: customerFormsFor,
  demo: crmDemo,
}
