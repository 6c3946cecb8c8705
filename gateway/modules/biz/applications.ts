import { randomBytes } from 'node:crypto'
import type { EntityService } from '../../entities'
import { ServiceError } from '../../platform/http'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The letter of a kind of account in the alias of an application: S01 is a customer's first one for messages. */
const LETTERS: Readonly<Record<string, string>> = { sms: 'S', voice: 'V', number: 'N', whatsapp: 'W', otp: 'O' }
const MOST = 99

/** The first free one of the aliases `<base>-<letter>01` to 99; null when all are given away. */
export function nextAlias(base: string, accountKind: string, taken: ReadonlySet<string>): string | null {
  for (let number = 1; number <= MOST; number += 1) {
    const alias = `${base}-${LETTERS[accountKind] ?? 'S'}${String(number).padStart(2, '0')}`
    if (!taken.has(alias)) return alias
  }
  return null
}

/**
 * A new application belongs to the customer of its account and gets its key and its alias. An alias that is typed and taken is refused
 * with a free one (10050016).
 */
export const applicationService: EntityService<'biz.application'> = {
  async beforeSave({ record, before, entities }) {
    if (before !== null) return
    const account = await entities.find('fin.customerAccount', text(record.accountId))
    record.customerId = account?.customerId ?? null
    record.appKey = text(record.appKey) || `ak_${randomBytes(12).toString('hex')}`
    const customer = account ? await entities.find('crm.customer', text(account.customerId)) : null
    const base = text(customer?.alias)
    if (base === '') return
    // who applies for another application of the customer waits, so that no two get one alias
    await entities.list('crm.customer', { where: [{ field: 'id', operator: 'eq', value: text(customer?.id) }], lock: true })
    const others = await entities.list('biz.application', {
      where: [{ field: 'customerId', operator: 'eq', value: record.customerId }],
    })
    const taken = new Set(others.map(({ alias }) => text(alias)))
    const wanted = text(record.alias)
    if (wanted !== '' && !taken.has(wanted)) return
    const alias = nextAlias(base, text(account?.product), taken)
    if (wanted !== '')
      throw new ServiceError('aliasTaken', {
        message: {
          zh: `别名 ${wanted} 已被占用，已生成新的别名 ${alias ?? ''}，请再次点击确认。`,
          en: `The alias ${wanted} is taken; ${alias ?? ''} was generated instead. Please click confirm again.`,
        },
        data: { alias },
      })
    record.alias = alias
  },
}
