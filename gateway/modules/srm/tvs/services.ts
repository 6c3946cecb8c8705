import type { EntityRecord, EntityService, HookContext, Verb, RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { PROTECTED, type Protected } from './guard'
import { patternFault, rewrite, type RewriteRule } from './rewrite'

const RULE = 'srm.tvsRewriteRule'
const LOG = 'srm.tvsRewriteLog'
/** Rules that a message is held against; more than a company writes. */
const MOST_RULES = 1_000

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown): string | null => text(value) || null
const protectedParts = (value: unknown): readonly Protected[] =>
  Array.isArray(value) ? PROTECTED.filter((part) => value.includes(part)) : PROTECTED

const ruleOf = (record: EntityRecord): RewriteRule => ({
  id: text(record.id),
  name: text(record.name),
  priority: Number(record.priority ?? 100),
  enabled: record.status === 'on',
  countryCode: textOrNull(record.countryCode),
  operator: textOrNull(record.operator),
  accountId: textOrNull(record.accountId),
  level: textOrNull(record.level),
  senderPattern: textOrNull(record.senderPattern),
  matchKind: text(record.matchKind),
  pattern: text(record.pattern),
  action: text(record.action),
  replacement: text(record.replacement),
  protect: protectedParts(record.protect),
  effectiveFrom: textOrNull(record.effectiveFrom),
  effectiveTo: textOrNull(record.effectiveTo),
})

/** What a rule does to its own sample, whatever its scope. */
function tried(record: EntityRecord, sample: string, at: string): ReturnType<typeof rewrite> {
  const anywhere = { enabled: true, countryCode: null, operator: null, accountId: null, level: null, senderPattern: null }
  return rewrite([{ ...ruleOf(record), ...anywhere, effectiveFrom: null, effectiveTo: null }], { text: sample }, at)
}

/** Patterns are checked whenever a rule is saved, and its sample when it is published (customers-suppliers 5). */
export const rewriteRules: EntityService<'srm.tvsRewriteRule'> = {
  beforeSave: ({ record, fail }) => {
    const faults = [
      ['pattern', text(record.matchKind), text(record.pattern)],
      ['senderPattern', 'regex', text(record.senderPattern)],
    ] as const
    for (const [field, kind, pattern] of faults) {
      if (pattern === '' || patternFault(kind, pattern) === null) continue
      fail({
        field,
        message: {
          zh: '该表达式无法使用：语法有误、过于复杂，或含前后查找和反向引用',
          en: 'This pattern cannot be used: it is not well formed, too large, or looks around or back',
        },
      })
    }
  },
  guard: ({ transition, record, now }) => {
    if (transition.id !== 'publish') return null
    const { result } = tried(record, text(record.sample), now.toISOString())
    if (result === 'changed') return null
    return result === 'guardRefused'
      ? {
          zh: '样例中的数字、金额、电话或链接会被改变，不能发布。',
          en: 'The rule changes numbers, amounts, phone numbers or links of its sample, so it is not published.',
        }
      : { zh: '规则没有改变样例，请更正规则或样例。', en: 'The rule does not change its sample: correct one of them.' }
  },
}

type Held = { done: ReturnType<typeof rewrite>; rules: readonly EntityRecord[] }

/** The message of a log row, held against the rules of now. */
async function held(record: EntityRecord, { entities, now }: Pick<HookContext, 'entities' | 'now'>): Promise<Held> {
  const account = record.accountId ? await entities.find('srm.tvsAccount', text(record.accountId)) : null
  const message = {
    text: text(record.before),
    countryCode: textOrNull(record.countryCode) ?? textOrNull(account?.countryCode),
    operator: textOrNull(record.operator),
    accountId: textOrNull(record.accountId),
    level: textOrNull(account?.level),
    sender: textOrNull(record.sender),
  }
  const rules = await entities.list(RULE, { sort: [{ field: 'priority', order: 'asc' }], limit: MOST_RULES })
  return { rules, done: rewrite(rules.map(ruleOf), message, now.toISOString()) }
}

/** A message is held against the rules when its log row is written: on the test bench, and by the traffic, which counts the hits. */
export const rewriteLogs: EntityService<'srm.tvsRewriteLog'> = {
  beforeSave: async (hook) => {
    const { record, before, now, origin } = hook
    if (before) return
    if (origin !== 'service') record.origin = 'test'
    const { done } = await held(record, hook)
    Object.assign(record, { at: now.toISOString(), after: done.text, result: done.result, broken: done.broken })
    Object.assign(record, { segmentsBefore: done.segmentsBefore, segmentsAfter: done.segmentsAfter })
  },
  afterSave: async (hook) => {
    const { record, before, entities } = hook
    if (before) return
    const { done, rules } = await held(record, hook)
    const priorities = new Map(rules.map(({ id, priority }) => [text(id), Number(priority)]))
    await entities.createMany(
      'srm.tvsRewriteStep',
      done.steps.map(({ ruleId, outcome }, index) => ({
        ...{ logId: record.id, position: index + 1, ruleId, outcome, priority: priorities.get(ruleId) },
      })),
    )
    if (record.origin !== 'traffic') return
    const fired = new Set(done.steps.filter(({ outcome }) => outcome === 'fired').map(({ ruleId }) => ruleId))
    const hits = rules.filter(({ id }) => fired.has(text(id)))
    await entities.changeMany(RULE, new Map(hits.map(({ id, hitCount }) => [text(id), { hitCount: Number(hitCount ?? 0) + 1 }])))
  },
}

/**
 * `srm.rewriteMessage`: rewrites messages of the traffic (`text`, `countryCode`, `operator`, `accountId`, `sender`), writes the log and
 * counts the hits. Answers what goes out.
 */
export const rewriteMessage: Verb = async ({ entities }, runs) => {
  const answers: EntityRecord[] = []
  for (const { with: given } of runs) {
    const { text: before, ...more } = given
    const log = await entities.save(LOG, { ...more, before: text(before), origin: 'traffic' })
    answers.push({ text: log.after, result: log.result, logId: log.id })
  }
  return answers
}

/** What an application says of a rule, as the rule. */
function ruleValues(given: EntityRecord): EntityRecord {
  const samples = Array.isArray(given.samples) ? (given.samples as EntityRecord[]) : []
  const moment = (day: unknown): string | null => (text(day) === '' ? null : `${text(day)}T00:00:00.000Z`)
  return {
    ...{ name: given.ruleName, countryCode: given.countryCode ?? null, operator: given.operator ?? null },
    ...{ accountId: given.accountId ?? null, level: given.level ?? null, senderPattern: given.senderPattern ?? null },
    ...{ matchKind: given.matching, pattern: given.matchText, action: given.rewrite, replacement: given.replacement ?? null },
    ...{ priority: given.priority, effectiveFrom: moment(given.effectiveFrom), effectiveTo: moment(given.effectiveTo) },
    ...{ sample: text(samples[0]?.before), remark: given.reason ?? null, protect: [...PROTECTED] },
  }
}

/**
 * `srm.publishRewrite`: an application that was agreed to becomes a rule that is on; `instanceId` says it once.
 * @throws ServiceError 10060059 when a sample does not come out as it says
 */
export const publishRewrite: Verb = async ({ entities, now, context }, runs) => {
  const answers: RecordOf<'srm.tvsRewriteRule'>[] = []
  for (const { with: given } of runs) {
    const instanceId = text(given.instanceId)
    if (instanceId === '') throw new Error('The effect srm.publishRewrite names no instanceId.')
    const [known] = await entities.list(RULE, { where: [{ field: 'instanceId', operator: 'eq', value: instanceId }], limit: 1 })
    if (known) {
      answers.push(known)
      continue
    }
    const values = ruleValues(given)
    const wrong = sampleFault(values, given, now.toISOString())
    if (wrong)
      throw new ServiceError('factsChanged', {
        message: {
          zh: `样例“${wrong.before}”改写后为“${wrong.after}”，与填写的不一致。`,
          en: `The sample "${wrong.before}" becomes "${wrong.after}", not what is written beside it.`,
        },
      })
    const rule = await entities.save(RULE, { ...values, instanceId, editedById: context.user.staffId })
    answers.push(await entities.transition(RULE, text(rule.id), 'publish'))
  }
  return answers
}

function sampleFault(values: EntityRecord, given: EntityRecord, at: string): { before: string; after: string } | null {
  for (const sample of Array.isArray(given.samples) ? (given.samples as EntityRecord[]) : []) {
    const before = text(sample.before)
    const { text: after } = tried(values, before, at)
    if (after !== text(sample.after)) return { before, after }
  }
  return null
}

/** Look-up of the form: why a rule of an application cannot be, before anybody is asked: `{ fault }`, with the sample that differs. */
export const rewriteFault = (
  { now }: { now: Date },
  asked: readonly EntityRecord[],
): Promise<readonly { fault: string | null; before: string; after: string }[]> =>
  Promise.resolve(
    asked.map((given) => {
      const none = { before: '', after: '' }
      const [kind, pattern] = [text(given.matching), text(given.matchText)]
      if (kind === '' || pattern === '') return { fault: null, ...none }
      if (patternFault(kind, pattern) !== null) return { fault: 'pattern', ...none }
      const wrong = sampleFault(ruleValues(given), given, now.toISOString())
      return wrong ? { fault: 'sample', ...wrong } : { fault: null, ...none }
    }),
  )
