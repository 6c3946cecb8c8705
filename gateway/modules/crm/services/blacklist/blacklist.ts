import type { EntityService, LookupFunction } from '../../../../entities'
import { matchKeys } from '../../../../duplicates'
import { textOf, textsOf } from '../values'
import { matchedCustomers, plainPhone, type BlacklistEntry } from './match'

type Identifiers = Pick<BlacklistEntry, 'nameKey' | 'domains' | 'emails' | 'phones' | 'regNos'>

const identifiersOf = (entry: Readonly<Record<string, unknown>>): Identifiers => ({
  nameKey: matchKeys(String(entry.name ?? '')).nameKey,
  domains: textsOf(entry.domains),
  emails: textsOf(entry.emails),
  phones: textsOf(entry.phones),
  regNos: textsOf(entry.regNos),
})

/** Entries of the blacklist (CRM section 3, rule 9.6): what they are matched by stands in them in one form. */
export const blacklistService: EntityService<'crm.blacklist'> = {
  async beforeSave({ record, before, entities, origin, fail }) {
    if (origin === 'service') return
    const customer = record.customerId && !before ? await entities.find('crm.customer', record.customerId) : null
    const domains = [...textsOf(record.domains), ...textsOf(customer?.domains)]
    const regNos = [...textsOf(record.regNos), ...textsOf([customer?.regNo, customer?.taxNo])]
    Object.assign(record, {
      nameKey: matchKeys((record.name ?? '')).nameKey,
      domains: [...new Set(domains.map((domain) => domain.toLowerCase().replace(/^@|^https?:\/\/|^www\./g, '')))],
      emails: textsOf(record.emails).map((email) => email.toLowerCase()),
      phones: textsOf(record.phones).map(plainPhone),
      regNos: [...new Set(regNos.map((number) => number.replace(/[\s-]/g, '').toUpperCase()))],
    })
    if (record.nameKey === '')
      fail({
        field: 'name',
        rule: 'nameKey',
        message: { zh: '名称太笼统，无法匹配。', en: 'This name is too general to be matched.' },
      })
  },
  async computeFields(records, { db }) {
    const [only] = records
    // Looking for customers is for the one entry that somebody opens.
    if (records.length === 1 && only) [only.matchedIds] = await matchedCustomers(db, [identifiersOf(only)])
  },
}

/** Customers that entries meet besides those that they name, which are frozen already: look-ups of entries ask for them. */
export const customersMatched: LookupFunction = async ({ db }, entries) => {
  const matched = await matchedCustomers(db, entries.map(identifiersOf))
  return matched.map((ids, index) => ids.filter((id) => id !== textOf(entries[index]!.customerId)))
}
