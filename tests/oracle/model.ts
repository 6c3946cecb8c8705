/** What the company of the oracle consists of and what happens in it. Everything is data: amounts are decimal texts, moments are UTC. */

/** A civil day `yyyy-MM-dd`. */
export type Day = string
/** A moment in ISO 8601, UTC. */
export type Moment = string
export type Currency = 'USD' | 'EUR' | 'CNY' | 'JPY'
export type Zone = 'Asia/Shanghai' | 'America/New_York' | 'Australia/Sydney' | 'Asia/Kolkata' | 'Europe/Berlin'
export type PayMode = 'prepaid' | 'postpaid'
export type BillingMode = 'submit' | 'sent' | 'delivered' | 'deliveredUnknown' | 'verified'
export type Product = 'sms' | 'voice' | 'whatsapp' | 'mail' | 'otpSms' | 'number'
export type CycleKind = 'weekly' | 'halfMonth' | 'monthly'

export interface Account {
  code: string
  customer: string
  entity: string
  product: 'sms' | 'voice' | 'number' | 'whatsapp' | 'otp'
  currency: Currency
  zone: Zone
  mode: PayMode
  /** Cycle of a post-paid account. */
  cycle?: CycleKind
  /** Percent. */
  tax?: string
}

export interface SupplierAccount {
  code: string
  entity: string
  kind: 'sms' | 'vos' | 'social' | 'email' | 'otp' | 'number'
  currency: Currency
  zone: Zone
}

/** A channel of messages or a landing gateway of calls. */
export interface Route {
  code: string
  supplier: string
  kind: 'channel' | 'gateway'
  mode?: BillingMode
}

export interface Bank {
  code: string
  entity: string
  currency: Currency
  opening: string
}

/** A price of an account or a cost of a supplier account; `route` is empty when it holds for every route of the account. */
export interface Rate {
  party: string
  route?: string
  product: Exclude<Product, 'number'>
  country?: string
  network?: string
  prefix?: string
  category?: string
  price: string
  setupFee?: string
  /** First increment, next increment, seconds free of charge. */
  increments?: [number, number, number]
  mode?: BillingMode
  from: Moment
}

export interface Company {
  entities: string[]
  decimals: Record<Currency, number>
  cycles: Record<CycleKind, { termDays: number; waitHours: number }>
  /** CNY for one unit, from a day on. */
  exchange: Record<Exclude<Currency, 'CNY'>, [Day, string][]>
  customers: string[]
  mains: { code: string; customer: string; currency: Currency; entity: string }[]
  accounts: Account[]
  suppliers: SupplierAccount[]
  routes: Route[]
  banks: Bank[]
  rates: Rate[]
}

export type SmsState = 'delivered' | 'failed' | 'unknown' | 'expired' | 'rejected'

interface Batch {
  /** Stem of the ids: `{id}-{n}` counted from 1. */
  id: string
  account: string
  first: Moment
  /** Seconds from one record to the next. */
  every: number
  count: number
}

export type Act = { at: Moment } & (
  | ({
      act: 'sms'
      country: string
      network?: string
      to: string
      text: string
      state: SmsState
      /** Tries in their order: route, end of it, seconds after the submission. */
      tries: [route: string, state: SmsState, after: number][]
    } & Batch)
  | { act: 'receipts'; messages: string[]; state: 'delivered' | 'failed' }
  | { act: 'repeat'; of: string }
  | ({ act: 'call'; callee: string; country: string; gateway: string; ms: number; end: 'normal' | 'busy' } & Batch)
  | ({
      act: 'whatsapp'
      country: string
      to: string
      category: string
      /** Inside an open service window. */
      window?: boolean
      /** Country of the sending business; left out where it does not matter. */
      business?: string
      state: 'delivered' | 'read' | 'failed'
      supplier: string
    } & Batch)
  | ({ act: 'mail'; state: 'delivered' | 'hardBounce'; supplier: string } & Batch)
  | ({ act: 'otp'; country: string; to: string; state: 'verified' | 'expired'; supplier: string } & Batch)
  | { act: 'usage'; id: string; account: string; day: Day; product: Product; country: string; units: number; price: string }
  | {
      act: 'number'
      id: string
      account: string
      supplier: string
      country: string
      nrc: string
      mrc: string
      costNrc: string
      costMrc: string
    }
  | { act: 'numberPrice'; id: string; mrc: string; costMrc: string }
  | { act: 'numberRelease'; id: string; refund: boolean }
  | { act: 'opening'; id: string; bank: string; amount: string }
  | {
      act: 'receipt'
      id: string
      to: string
      bank: string
      paid: string
      fee?: string
      bearer?: 'us' | 'payer'
      /** Units of the account's currency for one of the bank's. */
      rate?: string
      bills?: string[]
    }
  | { act: 'suspense'; id: string; bank: string; amount: string; fee?: string }
  | {
      act: 'claim'
      id: string
      /** The receipt that nobody had claimed. */
      of: string
      to: string
      /** In the currency of the receipt. */
      amount: string
      /** Units of the account's currency for one of the receipt's. */
      rate?: string
    }
  | { act: 'allocateMain'; id: string; main: string; to: string; amount: string; rate?: string }
  | { act: 'transfer'; id: string; from: string; to: string; amount: string; rate?: string }
  | { act: 'gift'; id: string; to: string; amount: string }
  | { act: 'refund'; id: string; from: string; bank: string; amount: string; receipts?: string[] }
  | { act: 'creditNote' | 'debitNote'; id: string; account: string; product: Product; amount: string; bill?: string }
  | { act: 'writeOff'; id: string; account: string; bill: string; amount: string }
  | { act: 'hedge'; id: string; customer: string; supplier: string; leg1: string; leg2: string; rate: string; bills?: string[] }
  | { act: 'payment'; id: string; supplier: string; bank: string; amount: string; fee?: string; rate?: string }
  | { act: 'paymentRefund'; id: string; of: string; amount: string; fee?: string; rate?: string }
  | { act: 'costAdjust'; id: string; supplier: string; product: Product; amount: string }
  | { act: 'reverse'; of: string }
  | { act: 'voidBill'; bill: string }
  | { act: 'mode'; account: string; to: PayMode; from: Day; cycle?: CycleKind }
  | { act: 'zone'; supplier: string; zone: Zone; from: Day }
  | { act: 'closeMonth'; month: string }
  | { act: 'jobs'; run: ('usage' | 'changes' | 'fees' | 'revalue' | 'bills')[] }
)

export type ActOf<K extends Act['act']> = Extract<Act, { act: K }>
