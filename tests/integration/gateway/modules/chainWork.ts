import type { EntityRecord } from '../../../../gateway/entities'
import { addDays } from '../../../../gateway/platform/calendar'
import { ZONE, type Fills, type Office, type Person } from './office'

/** What several chains of the office do alike. */
export class Work {
  /** What the chains hand on to each other, by what it is. */
  readonly ids: Record<string, string> = {}
  private slips = 0
  constructor(private readonly office: Office) {}

  async keep(name: string, id: Promise<string>): Promise<string> {
    return (this.ids[name] = await id)
  }

  /** An account of the customer, opened by finance; its code is kept, too. */
  async openAccount(name: string, product: string, payMode: 'prepaid' | 'postpaid'): Promise<string> {
    const { office, ids } = this
    const account = { customerId: ids.customer, product, payMode, currency: 'USD', companyEntityId: ids.entity, timezone: ZONE }
    const cycle = payMode === 'postpaid' ? { billCycleId: ids.cycle } : {}
    const saved = office.save('receivables', 'fin.customerAccount', { ...account, ...cycle, name: `Nova ${product}` })
    const id = await this.keep(name, saved)
    await office.move('receivables', 'fin.customerAccount', id, 'activate')
    ids[`${name} code`] = String((await office.view('receivables', 'fin.customerAccount', id)).code)
    return id
  }

  /** An account at the supplier, opened by procurement. */
  async openSupplierAccount(kind: string): Promise<string> {
    const { office, ids } = this
    const account = { supplierId: ids.supplier, name: `BR_${kind}`, kind, currency: 'USD', payMode: 'prepaid', timezone: ZONE }
    const id = await this.keep(`${kind} supplier`, office.save('buyer', 'srm.supplierAccount', account))
    await office.move('buyer', 'srm.supplierAccount', id, 'activate')
    return id
  }

  /** What the books have of an account. */
  entries(accountId: string): Promise<EntityRecord[]> {
    return this.office.rows(
      `select type, product, trim_scale(sum(signed_amount))::text as amount from fin_ledger_entry where account_id = $1 group by 1, 2 order by 1, 2`,
      [accountId],
    )
  }

  /** The balance of an account as somebody reads it. */
  async balance(person: Person, entity: string, id: string): Promise<number> {
    return Number((await this.office.view(person, entity, id)).balance)
  }

  /** A receipt on our bank account that sales applies for. */
  async receipt(accountId: string, amount: string, more: object = {}): Promise<object> {
    const { office, ids } = this
    return {
      ...{ customerId: ids.customer, rechargeType: 'receipt', companyEntityId: ids.entity, bankAccountId: ids.bank },
      ...{ payCurrency: 'USD', payAmount: amount, bankFee: '0', feeBearer: 'us', payer: 'Nova Retail', payerRelation: 'self' },
      ...{ payDate: office.day(), slipFiles: [await office.file('seller')], lines: [{ accountId, amount }], ...more },
    }
  }

  /** The accountant finds it in the statement of the bank. */
  received(): Fills {
    return { receivables: () => ({ bankRef: `IN-${(this.slips += 1)}` }) }
  }

  /** A price in force for a month. */
  since(): { currency: string; effectiveFrom: string } {
    return { currency: 'USD', effectiveFrom: this.office.ago(30 * 86_400) }
  }
}

/** The first day of the month after the one of a day. */
export const monthAfter = (day: string): string => `${addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`

/** Rounded half up. */
export const rounded = (amount: number, decimals: number): number => Number((amount + 1e-9).toFixed(decimals))

/** What a monthly price comes to from a day to the end of its month, both included. */
export const rented = (mrc: number, from: string): number => {
  const days = Number(addDays(monthAfter(from), -1).slice(8))
  return rounded((mrc * (days - Number(from.slice(8)) + 1)) / days, 4)
}
