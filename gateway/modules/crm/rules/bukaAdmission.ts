import type { RuleTypes } from '../../../rules'

/** What the admission rule needs to know of a company. */
export interface BukaFacts {
  tradeType: string
  countryCode: string
  riskLevel: string
  /** Any bill past its due day; null = there are no bills to look at. */
  overdue: boolean | null
  blacklisted: boolean
  /** Revenue of the last thirty days in USD, a decimal text. */
  revenue30: string | null
  /** The customer has an owner who is not the one who opens the account. */
  foreignOwner: boolean
  /** That owner agreed. */
  ownerConsents: boolean
  /** The registration or tax number of the company is known. */
  knownCompany: boolean
  /** Domain of the login mail, and the mail domains that prove no company. */
  loginDomain: string
  freeMailDomains: readonly string[]
  products: readonly string[]
}
export type BukaCondition =
  'blacklisted' | 'tradeType' | 'country' | 'risk' | 'overdue' | 'kyc' | 'freeMail' | 'products' | 'mainRevenue' | 'ownerConsent'
export interface BukaAdmission {
  /** approval: only what the sales director may allow stands against it. */
  decision: 'allowed' | 'approval' | 'refused'
  failed: BukaCondition[]
}

const RISKS = ['low', 'medium', 'high']
/** Conditions that the sales director may overrule. */
const OVERRULED: readonly BukaCondition[] = ['mainRevenue', 'ownerConsent']

/** Who may get a Buka account (CRM rule 9.11): every condition is looked at, so that all reasons are told at once. */
export function admitToBuka(facts: BukaFacts, rules: RuleTypes['crm.allowBuka']): BukaAdmission {
  const failed: BukaCondition[] = []
  const check = (condition: BukaCondition, holds: boolean): void => void (holds || failed.push(condition))
  check('blacklisted', !facts.blacklisted)
  check('tradeType', rules.tradeTypes.includes(facts.tradeType))
  check('country', !rules.bannedCountries.includes(facts.countryCode))
  check('risk', RISKS.indexOf(facts.riskLevel) <= RISKS.indexOf(rules.maxRisk))
  check('overdue', !rules.noOverdue || facts.overdue !== true)
  check('kyc', rules.needKyc === 'none' || facts.knownCompany)
  check('freeMail', rules.freeMailAllowed || !facts.freeMailDomains.includes(facts.loginDomain))
  check(
    'products',
    facts.products.every((product) => rules.products.includes(product)),
  )
  check('mainRevenue', Number(facts.revenue30 ?? 0) <= Number(rules.maxMainRevenue))
  check('ownerConsent', !rules.needOwnerConsent || !facts.foreignOwner || facts.ownerConsents)
  if (failed.length === 0) return { decision: 'allowed', failed }
  return { decision: failed.every((condition) => OVERRULED.includes(condition)) ? 'approval' : 'refused', failed }
}

const WORDS: Record<BukaCondition, { zh: string; en: string }> = {
  blacklisted: { zh: '客户在黑名单中', en: 'the customer is blacklisted' },
  tradeType: { zh: '交易类型不允许', en: 'trade type' },
  country: { zh: '国家/地区不允许', en: 'country' },
  risk: { zh: '风险等级过高', en: 'risk level' },
  overdue: { zh: '有逾期账单', en: 'an overdue bill' },
  kyc: { zh: '企业未认证（缺注册号或税号）', en: 'the company is not verified (no registration or tax number)' },
  freeMail: { zh: '登录邮箱为公共邮箱', en: 'a free mail address as login' },
  products: { zh: '含不开放的产品', en: 'a product that Buka does not offer' },
  mainRevenue: {
    zh: '主平台收入超过上限，须销售总监批准',
    en: 'revenue on the main platform; the sales director has to approve',
  },
  ownerConsent: { zh: '负责人尚未同意，须销售总监批准', en: 'consent of the owner; the sales director has to approve' },
}
/** A stored condition may be older than the rules. */
export const isBukaCondition = (code: string): code is BukaCondition => Object.hasOwn(WORDS, code)

/** The failed conditions as people read them. */
export const bukaReasons = (failed: readonly BukaCondition[], locale: 'zh' | 'en'): string =>
  failed.map((condition) => WORDS[condition][locale]).join(locale === 'zh' ? '、' : ', ')
