import { asciiAddress, domainOf, isMailAddress } from '../../../../src/headless/mail'
import type { EntityEngine, EntityService } from '../../../entities'
import { can } from '../../../platform/http'
import { ownDomains } from '../accounts'
import { partiesOf } from '../receive/parties'

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}$/u

/** Entries of address book and lists: whose they are, addresses and domains as servers write them; nobody shuts out the company's own people or its customers. */
export const listService = (engine: EntityEngine): EntityService => ({
  beforeSave: async ({ record, before, context, model, tx, now, fail }) => {
    if (!before && context.kind === 'staff') record.staffId = context.user.staffId
    if (context.kind === 'staff' && record.scope === 'company' && !can(context, 'mail:list:company'))
      fail({ field: 'scope', message: { zh: '公司名单由管理员维护。', en: 'The lists of the company are kept by whoever may.' } })
    if (model.name === 'mail.addressBook') return
    const value = String(record.value ?? '')
      .trim()
      .replace(/^@/u, '')
    const isAddress = isMailAddress(value)
    record.value = isAddress ? asciiAddress(value) : domainOf(value)
    if (!isAddress && !DOMAIN.test(String(record.value)))
      return fail({ field: 'value', message: { zh: '请填写邮箱地址或域名。', en: 'Enter an address or a domain.' } })
    if (model.name !== 'mail.blacklist' || record.scope !== 'company') return
    const domain = isAddress ? '' : String(record.value)
    const isOwn = (await ownDomains(tx)).includes(isAddress ? domainOf(value) : domain)
    const parties = await partiesOf(engine, tx, [isAddress ? value : `anybody@${domain}`], now)
    if (isOwn || (!isAddress && parties.size > 0))
      fail({
        field: 'value',
        message: {
          zh: '本公司或客户的域名不能列入公司黑名单。',
          en: 'A domain of our own or of a customer cannot be on the company’s blacklist.',
        },
      })
  },
})
