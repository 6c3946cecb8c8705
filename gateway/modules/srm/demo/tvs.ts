import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays, dayOf } from '../../../platform/calendar'
import type { DemoRecord } from '../../../demo'
import { PROTECTED } from '../tvs/guard'
import { rewrite, type RewriteRule } from '../tvs/rewrite'
import { buyersOf, iso, put, type SrmChapter } from './suppliers'

const DAY = 86_400_000
const ACCOUNTS = 40
/** Accounts whose terminals carry traffic; the others registered without. */
const BUSY = 12
const WEEKS = 20
/** The account that asked for all it has. */
const EMPTIED = 3
const PLACES = [
  ['PH', '0.0068', 'mobileMoney'],
  ['ID', '0.0121', 'bank'],
  ['VN', '0.0154', 'bank'],
  ['NG', '0.0093', 'usdt'],
  ['BR', '0.0047', 'paypal'],
  ['IN', '0.0039', 'bank'],
] as const
const SHOPS = ['Sunrise', 'Bayan', 'Harbor', 'Mango', 'Lotus', 'Delta', 'Coral', 'Falcon', 'Jade', 'Palm', 'Cedar', 'Orchid']

/** 2 %, at least 1.00, up to the cent (customers-suppliers 5). */
export const feeOf = (amount: string): string => {
  const share = new Exact(amount).times('0.02')
  const cents = new Exact(Math.ceil(Number(share.times(100))))
  return exactText(cents.lt(100) ? new Exact(1) : cents.dividedBy(100))
}

/** Terminal vendors with what they earned and withdrew, and the rules that rewrite what they deliver. */
export function makeTvs(chapter: SrmChapter): void {
  const parties = (chapter.rows['srm.supplierAccount'] ?? []).filter(
    ({ status, currency }) => status === 'active' && currency === 'USD',
  )
  const count = Math.min(parties.length, Math.max(8, Math.round(ACCOUNTS * chapter.scale)))
  const step = Math.max(1, Math.floor(parties.length / Math.max(1, count)))
  for (let index = 0; index < count; index += 1) makeAccount(chapter, index, parties[index * step]!)
  makeRules(chapter)
}

function makeAccount(chapter: SrmChapter, index: number, party: DemoRecord): void {
  const { random, now, timeZone } = chapter
  const buyer = buyersOf(chapter)[index % buyersOf(chapter).length]!
  const [countryCode, unitEarning, payoutMethod] = PLACES[index % PLACES.length]!
  const number = String(index + 1).padStart(5, '0')
  const id = `tv-${number}`
  const today = dayOf(now, timeZone)
  const registeredAt = iso(new Date(now.getTime() - (WEEKS * 7 + 10 + index) * DAY))
  const busy = index < BUSY
  const shop = `${SHOPS[index % SHOPS.length]!} ${['Telecom', 'Mobile', 'SIM Bank'][index % 3]!}${index >= SHOPS.length ? ` ${Math.floor(index / SHOPS.length) + 1}` : ''}`
  const sums = { sent: 0, delivered: 0, earned: new Exact(0), withdrawn: new Exact(0), pending: new Exact(0) }
  const terminals = busy ? random.integer(2, 5) : index % 3 === 0 ? 1 : 0
  const lastOnlineAt = iso(new Date(now.getTime() - random.integer(1, 50) * 60_000))
  const online = busy ? terminals - (index % 3 === 1 ? 1 : 0) : 0
  const withdrawals: (() => void)[] = []
  if (busy)
    for (let week = WEEKS; week > 0; week -= 1) {
      const day = addDays(today, -7 * week)
      const sent = random.integer(3_000, 9_000)
      const delivered = Math.round(sent * (0.88 + random.integer(0, 10) / 100))
      const amount = new Exact(delivered).times(unitEarning).toDecimalPlaces(2)
      put(chapter, 'srm.tvsEarning', {
        ...{ id: `te-${number}-${week}`, accountId: id, day, countryCode, sent, delivered, unitEarning, currency: 'USD' },
        ...{
          amount: exactText(amount),
          reference: `B${day.replaceAll('-', '')}`,
          createdAt: `${addDays(day, 1)}T01:00:00.000Z`,
          createdBy: '',
        },
      })
      sums.sent += sent
      sums.delivered += delivered
      sums.earned = sums.earned.plus(amount)
      if (week % 4 === 1 && week > 1) withdrawals.push(paid(week))
    }
  for (const make of withdrawals) make()
  if (index < 7) waiting()
  for (let at = 0; at < terminals; at += 1)
    put(chapter, 'srm.tvsTerminal', {
      ...{
        id: `tt-${number}-${at}`,
        accountId: id,
        name: `${countryCode}-${number}-${at + 1}`,
        model: ['GoIP-8', 'GoIP-32', 'SK-128'][at % 3]!,
        ports: [8, 32, 128][at % 3]!,
      },
      ...{ countryCode, status: at < online ? 'online' : 'offline', lastOnlineAt, createdAt: registeredAt, createdBy: buyer.id },
    })
  const frozen = index === 9
  put(chapter, 'srm.tvsAccount', {
    ...{
      id,
      code: codeOf('TV', chapter, number),
      loginName: `tvs${number}`,
      supplierId: party.supplierId,
      supplierAccountId: party.id,
    },
    ...{ vendorName: shop, countryCode, phone: null, payoutMethod, payoutAccount: payoutOf(index), currency: 'USD', unitEarning },
    payoutChangedAt: index === 1 ? iso(new Date(now.getTime() - 2 * DAY)) : registeredAt,
    ...{
      terminals,
      onlineTerminals: online,
      lastOnlineAt: terminals > 0 ? lastOnlineAt : null,
      sent: sums.sent,
      delivered: sums.delivered,
    },
    deliveryRate: sums.sent > 0 ? exactText(new Exact(sums.delivered * 100).dividedBy(sums.sent).toDecimalPlaces(2)) : null,
    ...{ earned: exactText(sums.earned), withdrawn: exactText(sums.withdrawn), pending: exactText(sums.pending), frozen: '0' },
    available: exactText(sums.earned.minus(sums.withdrawn).minus(sums.pending)),
    ...{
      level: busy ? (index % 4 === 0 ? 'v3' : 'v2') : 'v1',
      status: frozen ? 'frozen' : index % 17 === 13 ? 'paused' : 'normal',
    },
    ...{ registeredAt, remark: null, createdAt: registeredAt, createdBy: buyer.id },
  })

  function withdrawal(amount: string, day: string, more: object): void {
    const fee = feeOf(amount)
    const at = (chapter.rows['srm.tvsWithdrawal'] ?? []).length + 1
    put(chapter, 'srm.tvsWithdrawal', {
      ...{
        id: `tw-${String(at).padStart(5, '0')}`,
        code: codeOf('TW', chapter, String(at).padStart(5, '0')),
        accountId: id,
        supplierId: party.supplierId,
      },
      ...{
        currency: 'USD',
        amount,
        fee,
        net: exactText(new Exact(amount).minus(fee)),
        method: payoutMethod,
        payoutAccount: payoutOf(index),
      },
      ...{
        requestedOn: day,
        requestedAt: `${day}T02:00:00.000Z`,
        hints: [],
        checkedById: null,
        auditedById: null,
        paidAt: null,
        paidById: null,
      },
      ...{ bankAccountId: null, bankRef: null, createdAt: `${day}T02:00:00.000Z`, createdBy: buyer.id, ...more },
    })
  }
  function paid(week: number): () => void {
    const day = addDays(today, -7 * week + 2)
    const amount = exactText(sums.earned.minus(sums.withdrawn).times('0.7').toDecimalPlaces(2))
    if (new Exact(amount).lt(20)) return () => undefined
    sums.withdrawn = sums.withdrawn.plus(amount)
    const at = `${addDays(day, 1)}T06:00:00.000Z`
    return () =>
      withdrawal(amount, day, {
        status: 'paid',
        auditedById: buyersOf(chapter)[(index + 1) % buyersOf(chapter).length]?.id ?? null,
        paidAt: at,
        bankRef: `TVS${day.replaceAll('-', '')}${number}`,
      })
  }
  function waiting(): void {
    const left = sums.earned.minus(sums.withdrawn)
    const amount = exactText(index === EMPTIED ? left : left.times('0.5').toDecimalPlaces(2))
    if (new Exact(amount).lt(20)) return
    sums.pending = sums.pending.plus(amount)
    const hints = [...(index === 1 ? ['newAccount'] : []), ...(index === 1 || index === 2 ? ['sharedAccount'] : [])]
    withdrawal(amount, today, { status: 'requested', hints })
  }
}

/** Two vendors are paid to the same account. */
const payoutOf = (index: number): string =>
  `6222 0800 ${String(4_000 + (index === 2 ? 1 : index))} 77${String(10 + (index === 2 ? 1 : index))}`
const codeOf = (prefix: string, { now, timeZone }: SrmChapter, number: string): string =>
  `${prefix}${dayOf(now, timeZone).slice(2, 4)}${number}`

const RULES = [
  ['转写 GSM-7', 10, 'transliterate', 'regex', '.', null, null, 'Código: 482913 não partilhe'],
  ['加签名 ACME', 20, 'addSignature', 'regex', '.', ' [ACME]', null, 'Votre code est 482913'],
  ['统一品牌名', 30, 'replace', 'contains', 'Pay Pal', 'PayPal', null, 'Your Pay Pal code is 482913'],
  ['替换短链域名', 40, 'replaceDomain', 'contains', 'bit.example', 'go.acme.example', null, 'Open https://bit.example/x7k2'],
  ['印尼加退订', 50, 'addOptOut', 'regex', '(promo|diskon)', ' Balas STOP', 'ID', 'Ada promo hari ini'],
  [
    '巴西模板整理',
    60,
    'replace',
    'template',
    'Seu codigo {code} expira em {min} min',
    'Codigo {code}, {min} min',
    'BR',
    'Seu codigo 482913 expira em 5 min',
  ],
  ['缩短金额', 70, 'replace', 'regex', '(\\d+)[.]00\\b', '$1', 'NG', 'Pay NGN 1500.00 now'],
] as const

function makeRules(chapter: SrmChapter): void {
  const { now } = chapter
  const [first, second] = buyersOf(chapter)
  const at = iso(new Date(now.getTime() - 40 * DAY))
  const rules: RewriteRule[] = RULES.map(
    ([name, priority, action, matchKind, pattern, replacement, countryCode, sample], index) => {
      const id = `rw-${index + 1}`
      // the last one would change an amount: its own test was refused, so it was never published
      const enabled = index < RULES.length - 1
      put(chapter, 'srm.tvsRewriteRule', {
        ...{
          id,
          code: codeOf('RW', chapter, String(index + 1).padStart(5, '0')),
          name,
          priority,
          countryCode,
          operator: null,
          accountId: null,
          level: null,
        },
        ...{
          senderPattern: null,
          matchKind,
          pattern,
          action,
          replacement,
          protect: [...PROTECTED],
          sample,
          status: enabled ? 'on' : 'off',
        },
        ...{
          effectiveFrom: at,
          effectiveTo: null,
          hitCount: 0,
          revision: 1,
          editedById: first?.id ?? null,
          instanceId: null,
          remark: null,
        },
        ...{
          publishedById: enabled ? (second?.id ?? null) : null,
          publishedAt: enabled ? at : null,
          createdAt: at,
          createdBy: first?.id ?? '',
        },
      })
      return { id, name, priority, action, matchKind, pattern, replacement, countryCode, enabled, protect: PROTECTED }
    },
  )
  const tests = [
    ['Código: 482913 não partilhe', 'BR', rules],
    ['Votre code est 482913, validité 5 min', 'PH', rules],
    ['Pay NGN 1500.00 now', 'NG', rules.map((rule) => ({ ...rule, enabled: true }))],
  ] as const
  for (const [index, [text, countryCode, held]] of tests.entries()) {
    const tried = iso(new Date(now.getTime() - (39 - index) * DAY))
    const done = rewrite(held, { text, countryCode }, tried)
    const id = `rl-tvs-${index + 1}`
    put(chapter, 'srm.tvsRewriteLog', {
      ...{ id, origin: 'test', before: text, after: done.text, countryCode, operator: null, accountId: null, sender: null },
      ...{
        segmentsBefore: done.segmentsBefore,
        segmentsAfter: done.segmentsAfter,
        result: done.result,
        broken: [...done.broken],
      },
      ...{ at: tried, createdAt: tried, createdBy: first?.id ?? '' },
    })
    for (const [position, { ruleId, outcome }] of done.steps.entries())
      put(chapter, 'srm.tvsRewriteStep', {
        ...{ id: `${id}-${position + 1}`, logId: id, position: position + 1, ruleId, outcome },
        ...{ priority: rules.find((rule) => rule.id === ruleId)?.priority ?? 0, createdAt: tried, createdBy: first?.id ?? '' },
      })
  }
}
