import type { EntityEngine, RecordOf } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ServiceError, systemContext, type RequestContext } from '../../../platform/http'
import { matchKeys } from '../../../duplicates'
import { ruleFor, type RuleTestAnswer } from '../../../rules'
import { admitToBuka, bukaReasons } from '../rules/bukaAdmission'
import { bukaFacts } from '../services/bukaFacts'
import { findBlacklisted } from '../services/blacklist/manyMatches'
import { sharedDomains } from '../services/blacklist/match'

export interface RuleTestContext {
  db: Executor
  engine: EntityEngine
  context: RequestContext
}
type Input = Readonly<Record<string, unknown>>
const text = (input: Input, name: string): string => (typeof input[name] === 'string' ? input[name] : '')

/**
 * The customer that was chosen among those that the caller sees, or named by a code: whoever sets rules need not see customers, and
 * the test tells which conditions fail and nothing else of the record.
 * @throws ServiceError 10010005 when there is none
 */
async function customerOf(input: Input, engine: EntityEngine, context: RequestContext): Promise<RecordOf<'crm.customer'>> {
  const [id, code] = [text(input, 'customerId'), text(input, 'customerCode').trim()]
  const seen = id === '' || (await engine.count('crm.customer', context, { ids: [id] })) > 0
  const [record] = await engine.transaction(systemContext({ now: context.now }), (entities) =>
    entities.list('crm.customer', {
      where: [id === '' ? { field: 'code', operator: 'eq', value: code } : { field: 'id', operator: 'eq', value: id }],
      limit: 1,
    }),
  )
  if (seen && record) return record
  const [field, message] =
    id === ''
      ? ['customerCode', { zh: '没有这个客户编码。', en: 'There is no customer with this code.' }]
      : ['customerId', { zh: '没有这个客户，或您看不到。', en: 'There is no such customer, or you may not see it.' }]
  throw new ServiceError('validationFailed', { data: { errors: [{ field, message: message[context.locale], rule: field }] } })
}

/** One customer: may he get a Buka account, and which conditions fail. */
export async function testAdmission(input: Input, { db, engine, context }: RuleTestContext): Promise<RuleTestAnswer> {
  const record = await customerOf(input, engine, context)
  const { decision, failed } = admitToBuka(
    await bukaFacts(db, record, {
      now: context.now,
      // nobody in particular opens it: an owner has to agree
      openerId: null,
      ownerConsents: input.ownerConsent === true,
      loginEmail: text(input, 'loginEmail') || null,
      products: record.products,
    }),
    await ruleFor(db, 'crm.allowBuka', context.now),
  )
  const verdicts = {
    allowed: { zh: '可以开通', en: 'May be opened' },
    approval: { zh: '须销售总监审批', en: 'The sales director has to approve' },
    refused: { zh: '不能开通', en: 'Refused' },
  }
  return {
    verdict: verdicts[decision],
    tone: decision === 'allowed' ? 'success' : decision === 'approval' ? 'warning' : 'error',
    lines: failed.map((condition) => ({
      label: { zh: '未满足', en: 'Fails' },
      value: { zh: bukaReasons([condition], 'zh'), en: bukaReasons([condition], 'en') },
    })),
  }
}

/** A company: the entry of the blacklist that it meets. Nothing is written down. */
export async function testBlacklist(input: Input, { db, engine, context }: RuleTestContext): Promise<RuleTestAnswer> {
  const list = (value: string): string[] => (value === '' ? [] : [value])
  const { similarWarn } = await ruleFor(db, 'crm.blacklistRule', context.now)
  const { nameKey } = matchKeys(text(input, 'name'))
  const identity = {
    nameKey,
    regNos: list(text(input, 'regNo').trim()),
    domains: list(text(input, 'domain').trim().toLowerCase()),
    emails: list(text(input, 'email').trim().toLowerCase()),
    phones: list(text(input, 'phone').trim()),
  }
  const matches = await findBlacklisted(
    db,
    identity,
    { similarWarn, freeMailDomains: await sharedDomains(db, context.now) },
    context.now,
  )
  const exact = matches.some(({ rule }) => rule !== 'similar')
  const none = { zh: '没有命中', en: 'No entry is met' }
  return {
    verdict: exact
      ? { zh: '命中黑名单，按限制范围拦截', en: 'Blacklisted: refused as far as the scope of the entry says' }
      : matches.length > 0
        ? { zh: '名称相似，提示风控', en: 'A similar name: risk is told' }
        : none,
    tone: exact ? 'error' : matches.length > 0 ? 'warning' : 'success',
    lines: [
      { label: { zh: '查重键', en: 'Key of the name' }, value: nameKey },
      ...matches.slice(0, 20).map(({ code, rule }) => ({
        label: { zh: `条目 ${code}`, en: `Entry ${code}` },
        value: engine.dictionaryLabel('blacklistRule', rule),
      })),
    ],
  }
}
