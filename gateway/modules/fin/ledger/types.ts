/** The words of the ledger: accounts, legs, postings. */

/** Dictionary `ledgerAccountKind`. */
export type AccountKind = 'customer' | 'main' | 'supplier' | 'bank' | 'entity' | 'system'
export type Direction = 'debit' | 'credit'

/** The system accounts, one of each a company entity and currency (money 1.2); `REV:sms` and the like carry what they are kept by. */
export type SystemAccount =
  | `REV:${string}`
  | `COS:${string}`
  | `HDG:${string}`
  | `ICS:${string}`
  | 'FXC'
  | 'FXD'
  | 'FEE'
  | 'FEEI'
  | 'TAX'
  | 'RND'
  | 'BAD'
  | 'GFT'
  | 'COM'
  | 'SUS'
  | 'OPN'
  | 'STK'

/** An account that a leg changes. */
export interface LedgerAccount {
  kind: AccountKind
  /** Id of the record; of a system account its code. */
  id: string
  /** ISO 4217. */
  currency: string
  customerId?: string | null
  supplierId?: string | null
}

/** One line of a posting before it is placed: amounts are decimal texts. */
export interface Leg {
  account: LedgerAccount
  direction: Direction
  /** Above 0; 0 only for legs that move the base amount alone. */
  amount: string
  /** CNY; worked out from the rate of the day when it is not given. */
  base?: string
  /** Another type than the posting's, e.g. of the rest of a conversion. */
  type?: string
  product?: string | null
  /** The bill that the entry stands on from its beginning. */
  billId?: string
  /** What the account may not fall below by this leg. */
  atLeast?: string
}

/** A leg with its base amount. */
export interface PricedLeg extends Leg {
  base: string
  /** CNY for one unit of the currency. */
  rate: string
}

/** One business act: its legs are written together or not at all. */
export interface PostingDraft {
  /** Dictionary `ledgerType`. */
  type: string
  /** YYYY-MM-DD; its month has to be open. */
  bizDate: string
  /** The day that it is for, where that is not `bizDate`: its month is closed, or it was known later. */
  serviceDay?: string
  companyEntityId: string
  /** Dictionary `ledgerSource`. */
  sourceType: string
  sourceId: string
  sourceCode?: string | null
  /** One posting a key (money 1.4). */
  idemKey: string
  memo?: string | null
  reversesId?: string | null
  legs: readonly Leg[]
}
