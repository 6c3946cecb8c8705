import { ServiceError } from '../../../platform/http'
import type { EntityRecord, EntityService, SaveHook } from '../../../entities'
import { admitToBuka, bukaReasons, type BukaAdmission } from '../rules/bukaAdmission'
import { giveAlias } from './alias/give'
import { ruleFor, sharedDomains } from './rules'

const ACCOUNT = 'crm.bukaAccount'
const CUSTOMER = 'crm.customer'

/** Accounts of our self-service platform: admission by rule 9.11, one account a company, the customer's platform follows. */
export function bukaService(_timeZone: string): EntityService {
  return {
    async beforeSave(hook) {
      const { record, before, entities, now, origin } = hook
      if (origin === 'service' || before) return
      const customer = await entities.find(CUSTOMER, String(record.customerId ?? ''), { lock: true })
      if (!customer) return
      const open = await entities.count(ACCOUNT, [{ field: 'customerId', operator: 'eq', value: customer.id }])
      if (open > 0)
        hook.fail({
          field: 'customerId',
          rule: 'oneAccount',
          message: { zh: '该客户已有 Buka 账号。', en: 'This customer has a Buka account already.' },
        })
      const admission = await admissionOf(hook, customer)
      if (admission.decision === 'refused')
        throw new ServiceError('limitRefused', {
          message: {
            zh: `不符合 Buka 准入规则：${bukaReasons(admission.failed, 'zh')}。`,
            en: `The company does not meet the Buka admission rule: ${bukaReasons(admission.failed, 'en')}.`,
          },
          data: { reason: 'bukaAdmission', failed: admission.failed },
        })
      const rules = await ruleFor(hook.tx, 'crm.allowBuka', now)
      Object.assign(record, {
        status: admission.decision === 'approval' ? 'pending' : 'opened',
        failedConditions: admission.failed,
        openedAt: admission.decision === 'approval' ? null : now.toISOString(),
        trialCredit: record.trialCredit ?? rules.trialCredit,
        registeredBy: 'staff',
        agentId: customer.agentId ?? null,
      })
      if (Number(record.trialCredit) > Number(rules.trialCredit))
        hook.fail({
          field: 'trialCredit',
          rule: 'trialCredit',
          message: { zh: `试用额度最多 ${rules.trialCredit} USD。`, en: `The trial credit is at most ${rules.trialCredit} USD.` },
        })
    },
    async afterSave({ record, before, entities, tx, now, origin }) {
      if (before || origin === 'service' || record.status !== 'opened') return
      await joinPlatform({ entities, tx, now }, record)
    },
    async effect({ transition, record, now }) {
      if (transition.id === 'approve') record.openedAt = now.toISOString()
      await Promise.resolve()
    },
    async afterEffect({ transition, record, entities, tx, now }) {
      if (transition.id === 'approve') await joinPlatform({ entities, tx, now }, record)
    },
  }
}

/** The company stands on the platform from now on, under its alias. */
async function joinPlatform(
  { entities, tx, now }: Pick<SaveHook, 'entities' | 'tx' | 'now'>,
  record: EntityRecord,
): Promise<void> {
  await giveAlias(entities, tx, String(record.customerId), now)
  const customer = await entities.find(CUSTOMER, String(record.customerId))
  if (customer?.platform === 'main') await entities.save(CUSTOMER, { id: customer.id, platform: 'both' })
}

async function admissionOf(hook: SaveHook, customer: EntityRecord): Promise<BukaAdmission> {
  const { tx, now, record, context } = hook
  return admitToBuka(
    {
      tradeType: String(customer.tradeType),
      countryCode: String(customer.countryCode),
      riskLevel: String(customer.riskLevel ?? 'low'),
      overdue: null,
      blacklisted: customer.blacklisted === true,
      revenue30: typeof customer.revenue30 === 'string' ? customer.revenue30 : null,
      foreignOwner: Boolean(customer.ownerId) && customer.ownerId !== context.user.staffId,
      ownerConsents: record.ownerConsents === true,
      loginDomain:
        String(record.loginEmail ?? '')
          .split('@')[1]
          ?.toLowerCase() ?? '',
      freeMailDomains: await sharedDomains(tx, now),
      products: Array.isArray(record.products) ? record.products.map(String) : [],
    },
    await ruleFor(tx, 'crm.allowBuka', now),
  )
}
