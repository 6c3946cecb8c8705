import Decimal from 'decimal.js'
import { Given, type FinContext } from '../../gateway/modules/fin/facts'
import { adjust, writeOff } from '../../gateway/modules/fin/acts/adjust'
import { changePayMode } from '../../gateway/modules/fin/acts/changes'
import { hedge } from '../../gateway/modules/fin/acts/hedge'
import { payment, refund } from '../../gateway/modules/fin/acts/pay'
import { recharge } from '../../gateway/modules/fin/acts/recharge'
import { systemContext } from '../../gateway/platform/http'
import type { EntityRecord } from '../../gateway/entities'
import type { Caller, TestGateway } from '../support/gateway'
import { COMPANY } from './company'
import { customerOf, entityId } from './seed'
import { sendTraffic } from './send'
import type { Act, ActOf } from './model'

type Verb = (fin: FinContext, given: Given) => Promise<EntityRecord | null>

export const KEYS = [
  ...['biz:record:view', 'biz:record:import', 'biz:number:edit', 'qm:cost:view', 'crm:customer:viewProfit', 'crm:param:manage'],
  ...['fin:usage:enter', 'fin:ledger:view', 'fin:ledger:reverse', 'fin:bill:view', 'fin:bill:issue', 'fin:bill:void'],
  ...['fin:opening:enter', 'fin:recharge:check', 'fin:period:close', 'rpt:fact:view', 'rpt:revenue:view', 'rpt:cost:view'],
  ...['fin:receipt:enter', 'fin:paymentRefund:enter', 'fin:pay:execute'],
  ...['srm:supplier:edit', 'srm:supplier:manage', 'fin:account:edit', 'biz:gateway:view', 'biz:gateway:viewLanding'],
  ...['fin:proof:edit', 'fin:proof:adjust'],
]
export const MENUS = ['businessInquiry:sendRcdQuery', 'financial:ledger']
/** Life of a token on the gateway of the play: few sign-ins, though its clock goes fast. */
export const TOKEN_SECONDS = 86_400
const JOBS = {
  usage: ['biz.usage', 'rpt.facts'],
  changes: ['sys.deadlines'],
  fees: ['biz.numberFees'],
  revalue: ['fin.revalue'],
  bills: ['fin.bills'],
}

interface JobRun {
  error?: string | null
  report?: { figures?: { id: string; value: number }[]; rows?: { why?: string | null }[] } | null
}

/** What the portal did not do, with its reason. */
export interface Refusal {
  act: string
  why: string
}

/** Plays acts on a gateway whose clock it moves: over HTTP what people do with records, and what approvals do through their effects. */
export class Driver {
  readonly refused: Refusal[] = []
  /** The document of each act by the id of the act. */
  readonly documents = new Map<string, { entity: string; id: string }>()
  private readonly played = new Map<string, Act>()
  private readonly callers: { caller: Caller; since: number }[] = []

  constructor(private readonly test: TestGateway) {}

  async play(acts: Act[]): Promise<void> {
    for (const act of acts) {
      this.turn(act.at)
      try {
        await this.one(act)
      } catch (error) {
        const name = 'id' in act ? act.id : 'of' in act ? act.of : act.at.slice(0, 10)
        this.refused.push({ act: `${act.act} ${name}`, why: error instanceof Error ? error.message : String(error) })
      }
      if ('id' in act) this.played.set(act.id, act)
    }
    await this.job('fin.credit')
  }

  /** The clock only goes forward; a moment's real time passes while acts are played. */
  private turn(at: string): void {
    const ahead = Date.parse(at) - this.test.clock.now().getTime()
    if (ahead > 0) this.test.clock.forward(ahead / 1000)
  }

  private async one(act: Act): Promise<void> {
    switch (act.act) {
      case 'sms':
      case 'call':
      case 'whatsapp':
      case 'mail':
      case 'otp':
        return sendTraffic(await this.caller(), act)
      case 'repeat': {
        const again = this.played.get(act.of)
        if (again) await this.one(again)
        return
      }
      case 'receipts': {
        const rows = act.messages.map((msgId) => ({ msgId, status: act.state, dlrAt: act.at }))
        const answer = await this.call<{ refused: number }>('/v2/biz/smsRecord/receipts', { rows })
        if (answer.refused > 0) throw new Error(JSON.stringify(answer))
        return
      }
      case 'usage': {
        const { account: accountId, day, product, country: countryCode, units, price, id: reference } = act
        await this.save('fin.usage', act.id, { accountId, day, product, countryCode, units, price, reference })
        return
      }
      case 'number': {
        const { account: accountId, supplier: supplierAccountId, country, nrc, mrc, costNrc, costMrc } = act
        const [currency, costCurrency] = [currencyOf(accountId), currencyOf(supplierAccountId)]
        const number = `+4930${1000 + this.documents.size}`
        const values = { number, country, numberType: 'local', supplierAccountId, costNrc, costMrc, costCurrency, currency }
        await this.save('biz.numberAsset', act.id, values)
        await this.move(act.id, 'store')
        const { id } = this.document(act.id)
        await this.call('/v2/biz/numberAsset/stateUpdate', {
          ...{ ids: [id], transition: 'assign', values: { accountId, activatedAt: act.at, mrc, nrc, currency } },
        })
        return
      }
      case 'numberPrice': {
        const { id } = this.document(act.id)
        const { data } = await (await this.caller()).get<{ record: { version: number } }>(`/v2/biz/numberAsset/view/${id}`)
        await this.call('/v2/biz/numberAsset/save', { id, version: data.record.version, mrc: act.mrc, costMrc: act.costMrc })
        return
      }
      case 'numberRelease': {
        const params = { refundOnRelease: act.refund, costRefundOnRelease: act.refund }
        await this.inTransaction((fin) =>
          fin.entities.insertMany('sys.ruleSet', [
            {
              ...{ id: 'billing', key: 'fin.billing', params, effectiveFrom: '2026-12-20T00:00:00.000Z', versionNo: 1 },
              ...{ createdAt: act.at, createdBy: '' },
            },
          ]),
        )
        return this.move(act.id, 'release')
      }
      case 'opening': {
        return this.checked('fin.bankOpening', act.id, { bankAccountId: act.bank, day: act.at.slice(0, 10), amount: act.amount })
      }
      case 'receipt':
        return this.receipt(act)
      case 'suspense':
        return this.checked('fin.unclaimedReceipt', act.id, { ...arrived(act, act.bank), payer: 'somebody' })
      case 'claim': {
        const currency = currencyOf(this.actOf('suspense', act.of).bank)
        return this.effect(recharge, 'fin.recharge', act.id, {
          ...{ customerId: customerOf(act.to), rechargeType: 'manual', manualKind: 'claim', receiptId: this.document(act.of).id },
          ...{ payCurrency: currency, payAmount: act.amount, payDate: act.at.slice(0, 10) },
          lines: [this.line(act.to, currency, new Decimal(act.amount), act.rate)],
        })
      }
      case 'allocateMain':
      case 'transfer':
      case 'gift':
        return this.credited(act)
      case 'refund': {
        const collectionIds = await this.receiptRows(act.receipts ?? [])
        const values = { accountId: act.from, amount: act.amount, bankAccountId: act.bank, paidAt: act.at.slice(0, 10) }
        return this.effect(refund, 'fin.billRefund', act.id, { ...values, collectionIds })
      }
      case 'creditNote':
      case 'debitNote': {
        const billId = act.bill ? await this.bill(act.bill) : ''
        return this.effect(adjust, 'fin.adjustment', act.id, {
          ...{ kind: act.act, accountId: act.account, amount: act.amount, product: act.product, billId, reason: 'price' },
        })
      }
      case 'writeOff':
        return this.effect(writeOff, 'fin.adjustment', act.id, {
          ...{ accountId: act.account, billIds: [await this.bill(act.bill)], amount: act.amount },
        })
      case 'hedge':
        return this.effect(hedge, 'fin.hedge', act.id, {
          ...{ hedgeKind: 'customerSupplier', leg1AccountKind: 'customer', leg1AccountId: act.customer, leg1Amount: act.leg1 },
          ...{
            leg2AccountKind: 'supplier',
            leg2AccountId: act.supplier,
            leg2Amount: act.leg2,
            agreedRate: act.rate,
            advance: true,
          },
          ...{ effectiveDate: act.at.slice(0, 10), refBills: await Promise.all((act.bills ?? []).map((one) => this.bill(one))) },
        })
      case 'payment': {
        const bank = COMPANY.banks.find(({ code }) => code === act.bank)
        const currency = currencyOf(act.supplier)
        // The form says what the supplier gets.
        const amount = bank?.currency === currency ? act.amount : new Decimal(act.amount).times(act.rate ?? 1).toFixed()
        return this.effect(payment, 'fin.payment', act.id, {
          ...{ paymentKind: 'prepayTraffic', supplierAccountId: act.supplier, bankAccountId: act.bank, currency, amount },
          ...{ paidAt: act.at.slice(0, 10), bankRef: act.id, actualFee: act.fee ?? '0', actualRate: act.rate ?? '' },
        })
      }
      case 'paymentRefund': {
        const { bank, supplier: supplierAccountId } = this.actOf('payment', act.of)
        const values = { supplierAccountId, paymentId: this.document(act.of).id, actualRate: act.rate ?? null }
        return this.checked('fin.paymentRefund', act.id, { ...arrived(act, bank), ...values })
      }
      case 'reverse':
        return this.move(act.of, 'reverse', { note: 'a mistake of the play' })
      case 'voidBill': {
        const id = await this.bill(act.bill)
        await this.call('/v2/fin/bill/stateUpdate', { ids: [id], transition: 'void', values: { note: 'a mistake of the play' } })
        return
      }
      case 'mode': {
        const { account: accountId, to: toMode, from: effectiveDate, cycle } = act
        const terms = cycle ? { billCycleId: cycle, termDays: COMPANY.cycles[cycle].termDays } : {}
        return this.effect(changePayMode, 'fin.accountChange', `mode-${accountId}`, {
          accountId,
          toMode,
          effectiveDate,
          ...terms,
        })
      }
      case 'zone': {
        const caller = await this.caller()
        const { data } = await caller.get<{ record: { version: number } }>(`/v2/srm/supplierAccount/view/${act.supplier}`)
        await this.call('/v2/srm/supplierAccount/save', { id: act.supplier, version: data.record.version, timezone: act.zone })
        return
      }
      case 'costAdjust': {
        // Their statement of a day on which we counted nothing.
        const day = act.at.slice(0, 8) + '05'
        await this.save('fin.proofread', act.id, {
          ...{ kind: 'supplierBill', supplierAccountId: act.supplier, periodFrom: day, periodTo: day },
        })
        const { id: proofreadId } = this.document(act.id)
        await this.call('/v2/fin/statementLine/save', { proofreadId, day, amount: act.amount })
        await this.move(act.id, 'compare')
        await this.move(act.id, 'review')
        return this.move(act.id, 'adjust', { resolution: 'takeTheirs', note: 'their price was agreed' })
      }
      case 'closeMonth': {
        for (const entity of COMPANY.entities) {
          const id = `${entity}-${act.month}`
          await this.save('fin.period', id, { companyEntityId: entityId(entity), month: `${act.month}-01` })
          await this.move(id, 'close')
        }
        return
      }
      case 'jobs': {
        for (const one of act.run) for (const name of JOBS[one]) await this.job(name)
        return
      }
    }
  }

  private receipt(act: ActOf<'receipt'>): Promise<void> {
    const bank = COMPANY.banks.find(({ code }) => code === act.bank)
    return this.bills(act.bills ?? []).then((billIds) =>
      this.effect(recharge, 'fin.recharge', act.id, {
        ...{ customerId: customerOf(act.to), rechargeType: 'receipt', bankAccountId: act.bank, payCurrency: bank?.currency },
        ...{
          payAmount: act.paid,
          bankFee: act.fee ?? '0',
          feeBearer: act.bearer ?? 'us',
          payDate: act.at.slice(0, 10),
          bankRef: act.id,
        },
        billIds,
        lines: [
          this.line(
            act.to,
            bank?.currency ?? '',
            new Decimal(act.paid).minus(act.bearer === 'payer' ? (act.fee ?? 0) : 0),
            act.rate,
          ),
        ],
      }),
    )
  }

  private credited(act: ActOf<'allocateMain'> | ActOf<'transfer'> | ActOf<'gift'>): Promise<void> {
    const from = act.act === 'allocateMain' ? act.main : act.act === 'transfer' ? act.from : ''
    const kinds = { allocateMain: 'allocate', transfer: 'transfer', gift: 'gift' }
    const rate = act.act === 'gift' ? undefined : act.rate
    return this.effect(recharge, 'fin.recharge', act.id, {
      ...{ customerId: customerOf(act.to), rechargeType: kinds[act.act], payDate: act.at.slice(0, 10), giftReason: 'a gift' },
      fromAccountId: from,
      lines: [this.line(act.to, from ? currencyOf(from) : currencyOf(act.to), new Decimal(act.amount), rate)],
    })
  }

  private line(to: string, from: string, paid: Decimal, rate?: string): EntityRecord {
    const currency = currencyOf(to)
    const decimals = COMPANY.decimals[currency as keyof typeof COMPANY.decimals]
    const amount = from === currency ? paid : paid.times(rate ?? 1).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP)
    const main = COMPANY.mains.some(({ code }) => code === to)
    return {
      [main ? 'mainAccountId' : 'accountId']: to,
      currency,
      rate: from === currency ? null : (rate ?? null),
      amount: amount.toFixed(),
    }
  }

  /** What one person enters and another posts. */
  private async checked(entity: string, key: string, values: EntityRecord): Promise<void> {
    await this.save(entity, key, values)
    await this.move(key, 'submit')
    await this.move(key, 'check', {}, 1)
  }

  private actOf<K extends Act['act']>(kind: K, id: string): ActOf<K> {
    const act = this.played.get(id)
    if (act?.act !== kind) throw new Error(`${id} is no ${kind}`)
    return act as ActOf<K>
  }

  /** What the end of an approval does, in a transaction of its own. */
  private async effect(verb: Verb, entity: string, id: string, values: EntityRecord): Promise<void> {
    const given = new Given('oracle', { instanceId: `wf-${id}`, instanceCode: id, ...values })
    const record = await this.inTransaction((fin) => verb(fin, given))
    if (record) this.documents.set(id, { entity, id: String(record.id) })
  }

  private inTransaction<Result>(work: (fin: FinContext) => Promise<Result>): Promise<Result> {
    const context = systemContext({ now: this.test.clock.now() })
    return this.test.gateway.engine.transaction(context, (entities, tx) => work({ tx, context, now: context.now, entities }), {
      retries: 3,
    })
  }

  private async save(entity: string, key: string, values: EntityRecord): Promise<void> {
    const answer = await this.call<{ id?: string; record?: { id: string } }>(`/v2/${entity.replace('.', '/')}/save`, values)
    this.documents.set(key, { entity, id: answer.record?.id ?? answer.id ?? '' })
  }

  private async move(key: string, transition: string, values: EntityRecord = {}, person: 0 | 1 = 0): Promise<void> {
    const { entity, id } = this.document(key)
    await this.call(`/v2/${entity.replace('.', '/')}/stateUpdate`, { ids: [id], transition, values }, person)
  }

  private async job(job: string): Promise<void> {
    const { error, report } = await this.call<JobRun>('/v2/sys/job/run', { job, dry: false })
    const failed = report?.figures?.some(({ id, value }) => id === 'failed' && value > 0) ?? false
    if (!error && !failed) return
    const why = report?.rows?.flatMap((row) => (row.why ? [row.why] : [])).join('; ')
    this.refused.push({ act: `job ${job} ${this.test.clock.now().toISOString().slice(0, 10)}`, why: error ?? why ?? '' })
  }

  private async call<T>(path: string, body: unknown, person: 0 | 1 = 0): Promise<T> {
    const caller = await this.caller(person)
    const { code, msg, data } = await caller.post<T & { refused?: { reason: string }[] | number }>(path, body, {
      'accept-language': 'en',
    })
    if (code !== 0) throw new Error(`${path}: ${msg} ${JSON.stringify(data ?? null).slice(0, 300)}`)
    const refused = data?.refused
    if (Array.isArray(refused) && refused.length > 0)
      throw new Error(`${path}: ${refused.map(({ reason }) => reason).join('; ')}`)
    return data
  }

  /** Tokens end; whoever acts later signs in again. */
  private async caller(person: 0 | 1 = 0): Promise<Caller> {
    const now = this.test.clock.now().getTime()
    const known = this.callers[person]
    if (known && now - known.since < TOKEN_SECONDS * 900) return known.caller
    const caller = await this.test.signIn(`O${person + 1}`)
    this.callers[person] = { caller, since: now }
    return caller
  }

  private async bill(name: string): Promise<string> {
    const [account, from] = name.split(':')
    const { rows } = await this.test.gateway.database.query<{ id: string }>(
      `select id from fin_bill where account_id = $1 and period_from = $2::date and status <> 'void' and deleted_at is null`,
      [account, from],
    )
    if (!rows[0]) throw new Error(`There is no bill ${name}`)
    return rows[0].id
  }

  private bills(names: string[]): Promise<string[]> {
    return Promise.all(names.map((name) => this.bill(name)))
  }

  /** The rows of what came in by the documents that brought it. */
  private async receiptRows(documents: string[]): Promise<string[]> {
    const { rows } = await this.test.gateway.database.query<{ id: string }>(
      `select id from fin_bill_refund where recharge_id = any($1) or adjustment_id = any($1) or hedge_id = any($1)`,
      [documents.map((one) => this.document(one).id)],
    )
    return rows.map(({ id }) => id)
  }

  private document(key: string): { entity: string; id: string } {
    const document = this.documents.get(key)
    if (!document) throw new Error(`${key} was not made`)
    return document
  }
}

/** A line of a bank statement as it is entered. */
const arrived = (act: { id: string; at: string; amount: string; fee?: string }, bankAccountId: string): EntityRecord => ({
  ...{ bankAccountId, payAmount: act.amount, bankFee: act.fee ?? '0', payDate: act.at.slice(0, 10), bankRef: act.id },
})

function currencyOf(code: string): string {
  const { accounts, suppliers, banks, mains } = COMPANY
  return [...accounts, ...suppliers, ...banks, ...mains].find((one) => one.code === code)?.currency ?? ''
}
