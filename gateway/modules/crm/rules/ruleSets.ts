/**
 * Parameters of the CRM rules with their defaults. The newest row of sys.ruleSet with effectiveFrom <= now replaces a
 * default key by key; sys.ruleOverride (staff > department > level > country) replaces single keys on top of that.
 */
export interface CrmRules {
  'crm.duplicate': {
    domainDecision: 'block' | 'warn'
    minSimilarity: number
    countryGroups: { countries: string[] }[]
    keepDays: number
  }
  'crm.domain': { domains: { domain: string; kind: 'freeMail' | 'group'; note: string | null }[] }
  'crm.sea': {
    enabled: boolean
    firstTouchDays: number
    noFollowDays: { potential: number; following: number; testing: number; quoted: number; dealt: number }
    noTrafficDays: number
    noDealDays: number
    noDealExtension: number
    protectDays: { create: number; claim: number; assign: number; transfer: number; wonBack: number }
    remindDays: number[]
    maxPerNight: number
    exemptBalance: string
    keepTagMax: number
    pauseOnLeave: boolean
  }
  'crm.claim': {
    dailyClaims: number
    weeklyClaims: number
    batchMax: number
    openHour: string
    newcomerDays: number
    newcomerDaily: number
    managerOnlyAfterStays: number
    managerOnlyWithinDays: number
  }
  'crm.retention': {
    default: number
    senior: number
    manager: number
    newcomer: number
    excludeLevelA: boolean
    excludeDealt: boolean
    dealtTrafficDays: number
    excludeFrozen: boolean
    warnAt: number
  }
  'crm.coolDown': { ownerCoolDays: number; deptCoolDays: number; reasons: string[] }
  'crm.wander': {
    /** Hours in which a transfer is accepted. */
    acceptHours: number
    /** False: what is sent comes over at once, as when a manager orders it. */
    needAccept: boolean
    /** Hours in which a share is accepted. */
    shareAcceptHours: number
    maxReceivers: number
    maxReceived: number
    maxDays: number
    editAllowed: boolean
    followBySharerCounts: boolean
    maxItems: number
    minHeldDays: number
    approvalAbove: number
    maxDepartments: number
  }
  'crm.blacklistRule': { similarWarn: number }
  'crm.alias': {
    /** Characters behind the country code. */
    alphabet: string
    maxPerYear: number
    needApproval: boolean
    syncTimeoutMin: number
    maxAttempts: number
    retryMinutes: number[]
  }
  'crm.classA': {
    maxPerStaff: number
    candidatePoints: number
    minProfit12m: number
    cnyPerUsd: number
    retryDays: number
    renewDays: number
  }
  'crm.level': {
    revenue: { from: number; points: number }[]
    margin: { from: number; points: number }[]
    noOverdue: number
    shortOverdue: number
    shortOverdueDays: number
    bands: { a: number; b: number; c: number }
    downMonths: number
    watchBelow: number
  }
  'crm.churn': {
    minBaseline: number
    warnDrop: number
    silentDays: number
    churnDays: number
    wonBackShare: number
    byProduct: boolean
    causeWithinDays: number
  }
  'crm.allowBuka': {
    tradeTypes: string[]
    bannedCountries: string[]
    maxRisk: 'low' | 'medium' | 'high'
    noOverdue: boolean
    /** USD in thirty days; larger customers stay with a salesman. */
    maxMainRevenue: string
    needOwnerConsent: boolean
    products: string[]
    /** USD, once a company. */
    trialCredit: string
    freeMailAllowed: boolean
    /** company: the customer's registration or tax number is known. */
    needKyc: 'none' | 'company'
    /** Ids of departments (with those below) whose people may open accounts; empty = whoever holds the key. */
    openerDepts: string[]
  }
  'crm.template': { fields: TemplateRow[] }
}
/** What the customer form does with a field where the conditions hold; an empty condition holds everywhere. */
export interface TemplateRow {
  field: string
  partyType: string | null
  tradeType: string | null
  stages: string[]
  /** False: the field is not there. Rows of older versions do not say it. */
  shown?: boolean
  required: boolean
  defaultValue: string | null
}
export type CrmRuleKey = keyof CrmRules

/** Defaults of the CRM domain (duplicate check 9.1, recycling 9.2, claims 9.3, holding cap 9.4, cool-down 9.5, shares 9.7, Buka 9.11). */
export const CRM_RULE_DEFAULTS: CrmRules = {
  'crm.duplicate': {
    domainDecision: 'block',
    minSimilarity: 0.85,
    countryGroups: [{ countries: ['CN', 'HK', 'MO', 'TW'] }],
    keepDays: 730,
  },
  'crm.domain': {
    domains: [
      'gmail.com',
      'outlook.com',
      'hotmail.com',
      'yahoo.com',
      'icloud.com',
      'proton.me',
      'qq.com',
      '163.com',
      '126.com',
      'sina.com',
      'foxmail.com',
      'mail.ru',
      'yandex.ru',
      'web.de',
    ].map((domain) => ({ domain, kind: 'freeMail', note: null })),
  },
  'crm.sea': {
    enabled: true,
    firstTouchDays: 3,
    noFollowDays: { potential: 15, following: 15, testing: 30, quoted: 30, dealt: 60 },
    noTrafficDays: 90,
    noDealDays: 180,
    noDealExtension: 60,
    protectDays: { create: 15, claim: 7, assign: 7, transfer: 15, wonBack: 90 },
    remindDays: [7, 3, 1],
    maxPerNight: 500,
    exemptBalance: '100',
    keepTagMax: 10,
    pauseOnLeave: true,
  },
  'crm.claim': {
    dailyClaims: 10,
    weeklyClaims: 40,
    batchMax: 10,
    openHour: '10:00',
    newcomerDays: 90,
    newcomerDaily: 15,
    managerOnlyAfterStays: 3,
    managerOnlyWithinDays: 180,
  },
  'crm.retention': {
    default: 150,
    senior: 250,
    manager: 300,
    newcomer: 80,
    excludeLevelA: true,
    excludeDealt: true,
    dealtTrafficDays: 90,
    excludeFrozen: true,
    warnAt: 90,
  },
  'crm.coolDown': { ownerCoolDays: 30, deptCoolDays: 7, reasons: ['release', 'noFollow', 'noDeal'] },
  'crm.wander': {
    acceptHours: 72,
    needAccept: true,
    shareAcceptHours: 72,
    maxReceivers: 5,
    maxReceived: 50,
    maxDays: 365,
    editAllowed: true,
    followBySharerCounts: true,
    maxItems: 200,
    minHeldDays: 0,
    approvalAbove: 50,
    maxDepartments: 2,
  },
  'crm.blacklistRule': { similarWarn: 0.92 },
  'crm.alias': {
    alphabet: 'ACDEFGHJKLMNPQRTUVWXY34679',
    maxPerYear: 2,
    needApproval: true,
    syncTimeoutMin: 30,
    maxAttempts: 5,
    retryMinutes: [1, 5, 15, 60, 240],
  },
  'crm.classA': {
    maxPerStaff: 10,
    candidatePoints: 90,
    minProfit12m: 500_000,
    cnyPerUsd: 7.1,
    retryDays: 30,
    renewDays: 30,
  },
  'crm.level': {
    revenue: [
      { from: 50_000, points: 50 },
      { from: 10_000, points: 35 },
      { from: 2_000, points: 20 },
      { from: 0.01, points: 10 },
    ],
    margin: [
      { from: 15, points: 30 },
      { from: 8, points: 20 },
      { from: 3, points: 10 },
    ],
    noOverdue: 20,
    shortOverdue: 10,
    shortOverdueDays: 10,
    bands: { a: 90, b: 70, c: 40 },
    downMonths: 2,
    watchBelow: 70,
  },
  'crm.churn': {
    minBaseline: 100,
    warnDrop: 50,
    silentDays: 30,
    churnDays: 90,
    wonBackShare: 20,
    byProduct: true,
    causeWithinDays: 7,
  },
  'crm.allowBuka': {
    tradeTypes: ['direct'],
    bannedCountries: [],
    maxRisk: 'medium',
    noOverdue: true,
    maxMainRevenue: '20000',
    needOwnerConsent: true,
    products: ['sms', 'otpSms', 'whatsapp'],
    trialCredit: '1.00',
    freeMailAllowed: false,
    needKyc: 'company',
    openerDepts: [],
  },
  'crm.template': { fields: [] },
}

/** Lays partial parameters over full ones, key by key and one level into objects; lists are replaced whole. */
export function mergeParams<T extends object>(base: T, ...layers: readonly (Partial<T> | null | undefined)[]): T {
  return layers.reduce<T>((merged, layer) => {
    if (!layer) return merged
    const next: Record<string, unknown> = Object.fromEntries(Object.entries(merged))
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined || !Object.hasOwn(merged, key)) continue
      const before = next[key]
      next[key] = isPlain(before) && isPlain(value) ? { ...before, ...value } : value
    }
    return next as T
  }, base)
}
/** Stored parameters as this release reads them: before, groups of countries were kept as plain lists. */
export function presentParams<P extends object>(params: P): P {
  const { countryGroups } = params as { countryGroups?: unknown }
  if (!Array.isArray(countryGroups)) return params
  return {
    ...params,
    countryGroups: countryGroups.map((group: unknown) => (Array.isArray(group) ? { countries: group } : group)),
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
