import type { GatewayModule } from '../module'
import { crmSettings } from './configuration'
import { crmDemo } from './demo/world'
import { aliasRecordService, aliasSystems } from './services/alias/aliasRecord'
import { giveAlias } from './services/alias/give'
import { tellAlias } from './services/alias/connectors'
import { registerAppealVerb } from './services/appeal'
import { writeHit } from './services/separateTransaction'
import { blacklistService, customersMatched } from './services/blacklist/blacklist'
import { bukaService } from './services/buka'
import { classApplyService, registerClassA } from './services/classA'
import { applyClassA, approveClassA, endClassA } from './services/classAApproval'
import { contactService } from './services/contact'
import { convertClues } from './services/convertClue'
import { customerServices } from './services/customer'
import { registerCustomerWork } from './services/customerWork'
import { opportunityService } from './services/opportunity/opportunity'
import { inviteLinks, partnerProfileService } from './services/partner/partnerProfile'
import { registerPromotionLinks } from './services/promotionLinks'
import { customerFormsFor } from './services/template'
import { ruleCodes } from './settings/codes'

/** Customer relations in the gateway. */
export const crm: GatewayModule = {
  settings: crmSettings,
  services: ({ engine, configuration, onError }) => {
    const { companyTimeZone: timeZone } = configuration
    const { aliasSyncUrls, registerUrl } = configuration.of(crmSettings)
    const has = (entity: string): boolean => engine.names().includes(entity)
    const hitDesk = { write: writeHit(engine, onError), reason: (code: string) => engine.dictionaryLabel('blackReason', code) }
    const inviteLink = inviteLinks(registerUrl)
    engine.registerFunction('crm.aliasSystems', aliasSystems(aliasSyncUrls))
    engine.registerOutsideVerb('crm.tellAlias', tellAlias(aliasSyncUrls))
    engine.registerFunction('crm.customersMatched', customersMatched)
    engine.registerVerb('crm.giveAlias', giveAlias)
    engine.registerVerb('crm.convertClue', convertClues)
    registerClassA(engine)
    engine.registerVerb('crm.applyClassA', applyClassA)
    engine.registerVerb('crm.approveClassA', approveClassA)
    engine.registerVerb('crm.endClassA', endClassA)
    registerAppealVerb(engine, timeZone, hitDesk)
    return {
      ...customerServices({ engine, timeZone, has, hitDesk, inviteLink }),
      'crm.blacklist': blacklistService,
      'crm.aliasRecord': aliasRecordService,
      'crm.classApply': classApplyService,
      'crm.opportunity': opportunityService(engine, timeZone),
      'crm.partnerProfile': partnerProfileService(inviteLink),
      'crm.contact': contactService(hitDesk),
      'crm.bukaAccount': bukaService(hitDesk),
    }
  },
  serve: ({ app, engine, database, configuration, page }) => {
    const { companyTimeZone: timeZone } = configuration
    registerCustomerWork(app, { engine, database, timeZone, page })
    registerPromotionLinks(app, database, configuration.of(crmSettings))
  },
  rules: ({ engine, database, configuration }) => ruleCodes({ engine, database, timeZone: configuration.companyTimeZone }),
  adaptPage: customerFormsFor,
  demo: crmDemo,
}
