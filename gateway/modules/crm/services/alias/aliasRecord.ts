import { ServiceError } from '../../../../platform/http'
import type { EntityService, LookupFunction } from '../../../../entities'
import { isAlias, systemsOf } from '../../rules/alias'
import { ruleFor } from '../../../../rules'
import { textOf, textsOf } from '../values'
import { aliasTaken, freeAlias, lockAliases } from './names'

/** The new alias of a change: generated when none is typed, refused with another one when it is taken (10050016, CRM rule 9.8). */
export const aliasRecordService: EntityService<'crm.aliasRecord'> = {
  async beforeSave({ record, origin, entities, tx, now, fail }) {
    if (origin === 'service') return
    const customer = await entities.find('crm.customer', record.customerId ?? '')
    if (!customer?.alias) return
    await lockAliases(tx)
    const { alphabet } = await ruleFor(tx, 'crm.alias', now, { staffId: textOf(customer.ownerId) ?? '' })
    const wanted = textOf(record.newAlias)?.toUpperCase() ?? null
    if (wanted && !isAlias(wanted, alphabet))
      return fail({
        field: 'newAlias',
        rule: 'aliasForm',
        message: {
          zh: `别名为两位国家码加四位字符，可用字符：${alphabet}（不含易混的字符）。`,
          en: `An alias is the country code and four of ${alphabet}: characters that nobody mixes up.`,
        },
      })
    if (wanted && (await aliasTaken(tx, wanted, textOf(record.id)))) {
      const newAlias = await freeAlias(tx, customer.countryCode, alphabet)
      throw new ServiceError('aliasTaken', {
        message: {
          zh: `别名 ${wanted} 已被占用，已生成新的别名 ${newAlias}，请再次点击确认。`,
          en: `The alias ${wanted} is taken; ${newAlias} was generated instead. Please click confirm again.`,
        },
        data: { newAlias },
      })
    }
    record.newAlias = wanted ?? (await freeAlias(tx, customer.countryCode, alphabet))
  },
}

/** The systems that are told of a change, in their order; those that have an address are told by the portal. */
export const aliasSystems =
  (addresses: Readonly<Record<string, string>>): LookupFunction =>
  (_, customers) =>
    Promise.resolve(
      customers.map(({ products, platform, erpCode, firstDealAt }) =>
        systemsOf({
          products: textsOf(products),
          platform: String(platform),
          erpCode: textOf(erpCode),
          dealt: textOf(firstDealAt) !== null,
        }).map((system, seq) => ({ system, seq, connected: system in addresses })),
      ),
    )
