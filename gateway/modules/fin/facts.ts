import { sql } from 'drizzle-orm'
import { Exact, exactText, toExact } from '../../../src/schema/formats'
import type { EntityName, EntityRecord, HookContext, RecordOf } from '../../entities'
import { ServiceError, type Text } from '../../platform/http'
import type { AccountKind, LedgerAccount } from './ledger/types'
import { accountDay, type Zoned } from './zones'

/** What the verbs of finance work in. */
export type FinContext = Pick<HookContext, 'tx' | 'context' | 'now' | 'entities'>

/** An account of the ledger with what the rules ask of its record. */
interface Known<Kind extends AccountKind, Entity extends EntityName> extends LedgerAccount {
  kind: Kind
  title: string
  record: RecordOf<Entity>
  /** The company entity whose books it stands in. */
  companyEntityId: string
}
export type CustomerAccount = Known<'customer', 'fin.customerAccount'>
export type SupplierAccount = Known<'supplier', 'srm.supplierAccount'>
export type MainAccount = Known<'main', 'fin.mainAccount'>
export type KnownAccount = CustomerAccount | SupplierAccount | MainAccount

/** Characters of an account's name. */
const NAME_LENGTH = 80

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

/** The calendar day of an act: of the account's zone where it has one. */
export const todayOf = ({ tx, now }: Pick<FinContext, 'tx' | 'now'>, account: Zoned = {}): string =>
  accountDay(account, now, tx.companyTimeZone)

const notThere = (what: Text, id: string): ServiceError =>
  new ServiceError('factsChanged', {
    message: {
      zh: `${what.zh}不存在或已删除，请重新选择后提交。`,
      en: `The ${what.en} does not exist any more. Please choose another one and submit again.`,
    },
    data: { id },
  })

/** A record that a form named. @throws ServiceError 10060059 when it is gone */
export async function recordOf<Entity extends EntityName>(
  { entities }: FinContext,
  entity: Entity,
  id: string,
  what: Text,
): Promise<RecordOf<Entity>> {
  const record = id === '' ? null : await entities.find(entity, id)
  if (!record) throw notThere(what, id)
  return record
}

/** The company entity that an account without one is kept by, and all stock: the first that is enabled. */
export async function firstEntity(fin: FinContext): Promise<string> {
  const [first] = await fin.entities.list('sys.companyEntity', {
    where: [{ field: 'enabled', operator: 'eq', value: true }],
    sort: [{ field: 'sortNo', order: 'asc' }],
    limit: 1,
  })
  if (!first) throw notThere({ zh: '我方主体', en: 'company entity' }, '')
  return first.id
}

const CUSTOMER_ACCOUNT: Text = { zh: '客户账户', en: 'customer account' }

/** A customer's account that takes postings. @throws ServiceError 10060059 when it is gone or closed */
export async function customerAccount(fin: FinContext, id: string): Promise<CustomerAccount> {
  return (await customerAccounts(fin, [id])).get(id)!
}

/** Customers' accounts that take postings, by id, read at once. @throws ServiceError 10060059 when one is gone or closed */
export async function customerAccounts(fin: FinContext, ids: readonly string[]): Promise<ReadonlyMap<string, CustomerAccount>> {
  const asked = [...new Set(ids)]
  const found =
    asked.length === 0
      ? []
      : await fin.entities.list('fin.customerAccount', {
          where: [{ field: 'id', operator: 'in', value: asked }],
          limit: asked.length,
        })
  const byId = new Map(found.map((record) => [text(record.id), record]))
  const first = found.every(({ companyEntityId }) => text(companyEntityId)) ? '' : await firstEntity(fin)
  return new Map(
    asked.map((id) => {
      const record = byId.get(id)
      if (!record) throw notThere(CUSTOMER_ACCOUNT, id)
      return [id, openAccount(id, record, first)] as const
    }),
  )
}

function openAccount(id: string, record: RecordOf<'fin.customerAccount'>, otherwise: string): CustomerAccount {
  const title = `${text(record.code)} ${text(record.name)}`
  if (record.status === 'closed')
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账户 ${title} 已销户，不能入账。请选择其他账户后重新提交。`,
        en: `The account ${title} is closed and takes no postings. Please choose another one and submit again.`,
      },
      data: { field: 'status', value: 'closed' },
    })
  return {
    ...{ kind: 'customer', id, title, record, currency: text(record.currency), customerId: text(record.customerId) || null },
    companyEntityId: text(record.companyEntityId) || otherwise,
  }
}

/** An account at a supplier. */
export async function supplierAccount(fin: FinContext, id: string): Promise<SupplierAccount> {
  const record = await recordOf(fin, 'srm.supplierAccount', id, { zh: '供应商账户', en: 'supplier account' })
  const title = `${text(record.code)} ${text(record.name)}`
  if (record.status === 'closed')
    throw new ServiceError('factsChanged', {
      message: {
        zh: `供应商账户 ${title} 已销户，不能入账。`,
        en: `The supplier account ${title} is closed and takes no postings.`,
      },
    })
  const [ours] = text(record.ourCompany)
    ? await fin.entities.list('sys.companyEntity', {
        where: [{ field: 'code', operator: 'eq', value: record.ourCompany }],
        limit: 1,
      })
    : []
  return {
    ...{ kind: 'supplier', id, title, record, currency: text(record.currency), supplierId: text(record.supplierId) || null },
    companyEntityId: ours ? ours.id : await firstEntity(fin),
  }
}

/** A customer's account for equipment (product `device`: receivables alone, nothing is stopped); it is opened with the first sale in its currency. */
export async function deviceAccount(fin: FinContext, given: { customerId: string; currency: string }): Promise<CustomerAccount> {
  const [known] = await fin.entities.list('fin.customerAccount', {
    where: [
      { field: 'customerId', operator: 'eq', value: given.customerId },
      { field: 'currency', operator: 'eq', value: given.currency },
      { field: 'product', operator: 'eq', value: 'device' },
      { field: 'status', operator: 'ne', value: 'closed' },
    ],
    limit: 1,
  })
  if (known) return customerAccount(fin, text(known.id))
  const customer = await recordOf(fin, 'crm.customer', given.customerId, { zh: '客户', en: 'customer' })
  const name = `${text(customer.shortName) || text(customer.name)} device`.slice(-NAME_LENGTH)
  const made = await fin.entities.save('fin.customerAccount', { ...given, name, product: 'device', payMode: 'prepaid' })
  return customerAccount(fin, text(made.id))
}

/** A customer's main account; it is opened with the first money. */
export async function mainAccount(
  fin: FinContext,
  given: { id?: string; customerId: string; currency: string },
): Promise<MainAccount> {
  const known = given.id
    ? [await recordOf(fin, 'fin.mainAccount', given.id, { zh: '主账户', en: 'main account' })]
    : await fin.entities.list('fin.mainAccount', {
        where: [
          { field: 'customerId', operator: 'eq', value: given.customerId },
          { field: 'currency', operator: 'eq', value: given.currency },
        ],
        limit: 1,
      })
  const record =
    known[0] ?? (await fin.entities.save('fin.mainAccount', { customerId: given.customerId, currency: given.currency }))
  return {
    ...{ kind: 'main', id: record.id, title: text(record.code), record, currency: text(record.currency) },
    customerId: text(record.customerId) || null,
    companyEntityId: text(record.companyEntityId) || (await firstEntity(fin)),
  }
}

/** One of our bank accounts. */
export async function bankAccount(fin: FinContext, id: string): Promise<LedgerAccount & { companyEntityId: string }> {
  const record = await recordOf(fin, 'sys.bankAccount', id, { zh: '银行账户', en: 'bank account' })
  return { kind: 'bank', id, currency: text(record.currency), companyEntityId: text(record.companyEntityId) }
}

/** Balances as the ledger has them now; an account without entries stands at 0. */
export async function balanceOf({ tx }: FinContext, { kind, id }: LedgerAccount): Promise<string> {
  const { rows } = await tx.query<{ balance: string }>(
    sql`select balance::text from fin_account_balance where id = ${`${kind}:${id}`}`,
  )
  return exactText(new Exact(rows[0]?.balance ?? '0'))
}

/** What stands in `with` of a verb, read one value at a time. */
export class Given {
  constructor(
    private readonly verb: string,
    readonly values: EntityRecord,
    /** Of a row: where it stands, `lines.0.`. */
    private readonly at = '',
  ) {}

  /** Text; '' when nothing is given. */
  text(name: string): string {
    return text(this.values[name]).trim()
  }

  /** @throws ServiceError 10010005 naming what is missing */
  needed(name: string): string {
    const value = this.text(name)
    if (value === '') throw this.wrong(name, { zh: '缺失', en: 'missing' })
    return value
  }

  /** An amount as decimal text; '' given is `otherwise`. */
  amount(name: string, otherwise?: string): string {
    const given = this.text(name)
    const exact = toExact(given === '' ? (otherwise ?? '') : given)
    if (!exact) throw this.wrong(name, { zh: '不是金额', en: 'not an amount' })
    return exactText(exact)
  }

  /** An amount above 0. */
  positive(name: string): string {
    const amount = this.amount(name)
    if (!new Exact(amount).gt(0)) throw this.wrong(name, { zh: '须大于 0', en: 'not above 0' })
    return amount
  }

  ids(name: string): string[] {
    const value = this.values[name]
    return (Array.isArray(value) ? value : [value]).map(text).filter((id) => id !== '')
  }

  rows(name: string): Given[] {
    const value = this.values[name]
    return (Array.isArray(value) ? value : []).map(
      (row, index) => new Given(this.verb, (row ?? {}) as EntityRecord, `${name}.${index}.`),
    )
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.values[name]
    return typeof value === 'boolean' ? value : otherwise
  }

  number(name: string): number | null {
    const value = Number(this.text(name) || NaN)
    return Number.isFinite(value) ? value : null
  }

  wrong(name: string, why: Text): ServiceError {
    return new ServiceError('validationFailed', {
      message: {
        zh: `动作 ${this.verb} 的 ${name} ${why.zh}，请检查表单或流程定义。`,
        en: `"${name}" of the effect ${this.verb} is ${why.en}. Please check the form or the process.`,
      },
      data: { field: this.at + name, why },
    })
  }
}
