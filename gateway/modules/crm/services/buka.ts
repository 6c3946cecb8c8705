import { can, ServiceError } from '../../../platform/http'
import { tableOf, type EntityService, type SaveHook, type RecordOf } from '../../../entities'
import { admitToBuka, bukaReasons, isBukaCondition, type BukaAdmission } from '../rules/bukaAdmission'
import { refuseBlacklisted, type HitDesk } from './blacklist/guard'
import { bukaFacts, hadTrialCredit, standsIn } from './bukaFacts'
import { ruleFor } from '../../../rules'
import { textOf, textsOf } from './values'

const ACCOUNT = 'crm.bukaAccount'
const CUSTOMER = 'crm.customer'

/** Where the Buka account of a customer stands. */
export const bukaPage = (customerId: unknown): string => `/crm/customerDetailBuka?id=${encodeURIComponent(String(customerId))}`

/** Accounts of our self-service platform: admission by rule 9.11, one account a company, the customer's platform follows. */
export function bukaService(hitDesk: HitDesk): EntityService<'crm.bukaAccount'> {
  return {
    async beforeSave(hook) {
      const { record, before, entities, now, origin, context, tx } = hook
      if (origin === 'service' || before) return
      await requireOpener(hook)
      const customer = await entities.find(CUSTOMER, (record.customerId ?? ''), { lock: true })
      if (!customer) return
      const others = await entities.list(ACCOUNT, { where: [{ field: 'customerId', operator: 'eq', value: customer.id }] })
      const [rejected, open] = [others.filter(isRejected), others.filter((account) => !isRejected(account))]
      // a new application takes the place of one that was rejected
      for (const { id } of rejected) await entities.remove(ACCOUNT, id)
      if (open.length > 0)
        hook.fail({
          field: 'customerId',
          rule: 'oneAccount',
          message: { zh: '该客户已有 Buka 账号。', en: 'This customer has a Buka account already.' },
        })
      const mail = textOf(record.loginEmail)?.toLowerCase()
      await refuseBlacklisted({
        db: tx,
        context,
        now,
        place: 'buka',
        name: customer.name,
        identity: mail ? { emails: [mail], domains: mail.includes('@') ? [mail.slice(mail.indexOf('@') + 1)] : [] } : {},
        hitDesk,
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
      const rules = await ruleFor(tx, 'crm.allowBuka', now, { staffId: context.user.staffId })
      const had = await hadTrialCredit(tx, customer, record)
      Object.assign(record, {
        failedConditions: admission.failed,
        trialCredit: record.trialCredit ?? (had ? '0.00' : rules.trialCredit),
        registeredBy: 'staff',
        agentId: customer.agentId ?? null,
      })
      if (had && Number(record.trialCredit) > 0)
        hook.fail({
          field: 'trialCredit',
          rule: 'trialOnce',
          message: {
            zh: '该公司或设备已有过体验金，只能为 0。',
            en: 'This company or device had a trial credit before; it can only be 0.',
          },
        })
      if (Number(record.trialCredit) > Number(rules.trialCredit))
        hook.fail({
          field: 'trialCredit',
          rule: 'trialCredit',
          message: { zh: `试用额度最多 ${rules.trialCredit} USD。`, en: `The trial credit is at most ${rules.trialCredit} USD.` },
        })
    },
    computeFields(records, { context }) {
      for (const record of records) {
        const failed = textsOf(record.failedConditions).filter(isBukaCondition)
        record.failedNotes = failed.length > 0 ? bukaReasons(failed, context.locale) : null
      }
    },
  }
}

const isRejected = ({ status }: RecordOf<'crm.bukaAccount'>): boolean => status === 'rejected'

async function admissionOf(
  { tx, now, record, context }: SaveHook<'crm.bukaAccount'>,
  customer: RecordOf<'crm.customer'>,
): Promise<BukaAdmission> {
  const facts = await bukaFacts(tx, customer, {
    now,
    openerId: context.user.staffId,
    ownerConsents: record.ownerConsents === true,
    loginEmail: textOf(record.loginEmail),
    products: record.products,
  })
  return admitToBuka(facts, await ruleFor(tx, 'crm.allowBuka', now, { staffId: context.user.staffId }))
}

/** Only people of the departments that the rule names open accounts; without any, whoever holds the key. */
async function requireOpener({ tx, now, context }: SaveHook<'crm.bukaAccount'>): Promise<void> {
  const { openerDepts } = await ruleFor(tx, 'crm.allowBuka', now, { staffId: context.user.staffId })
  if (openerDepts.length === 0 || context.kind === 'system' || (await standsIn(tx, context.user.staffId, openerDepts))) return
  const { rows: departments } = await tx.query<{ zh: string; en: string }>(
    `select name as zh, coalesce(nullif(name_en, ''), name) as en from ${tableOf('sys.department')} where id = any($1::text[]) order by sort_no nulls last, code`,
    [openerDepts],
  )
  throw new ServiceError('noPermission', {
    message: {
      zh: `Buka 准入规则只允许${departments.map(({ zh }) => zh).join('、')}的员工开通账号。`,
      en: `The Buka admission rule lets only people of ${departments.map(({ en }) => en).join(', ')} open accounts.`,
    },
    data: { permission: 'crm:buka:open' },
  })
}

/** The star promoter of a customer comes with its lead, and stays: what he earns hangs on it. Whoever may rebind agents may name another. */
export function keepPromoter({ record, before, checked, context, fail }: SaveHook<'crm.customer'>): void {
  if (checked || (record.promoterId ?? null) === (before?.promoterId ?? null) || can(context, 'crm:agent:rebind')) return
  fail({
    field: 'promoterId',
    rule: 'rebind',
    message: {
      zh: '设置或更换客户的星推官需要权限 crm:agent:rebind。',
      en: 'Naming the star promoter of a customer needs the permission crm:agent:rebind.',
    },
  })
}

/** The agent of a customer stays once its account sends: what he earns hangs on it. Whoever may rebind may change it. */
export async function keepAgent({ record, before, entities, context, fail }: SaveHook<'crm.customer'>): Promise<void> {
  if (!before || (record.agentId ?? null) === (before.agentId ?? null) || can(context, 'crm:agent:rebind')) return
  const sending = await entities.count(ACCOUNT, [
    { field: 'customerId', operator: 'eq', value: before.id },
    { field: 'status', operator: 'in', value: ['active', 'frozen'] },
  ])
  if (sending > 0)
    fail({
      field: 'agentId',
      rule: 'rebind',
      message: {
        zh: '客户的 Buka 账号已开始使用，更换代理需要权限 crm:agent:rebind。',
        en: 'The Buka account of this customer is in use: changing the agent needs the permission crm:agent:rebind.',
      },
    })
}
