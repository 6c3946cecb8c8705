import { Exact, exactText } from '../../../../src/schema/formats'

export type BillingMode = 'submit' | 'sent' | 'delivered' | 'deliveredUnknown' | 'verified'

/** What of a message decides whether it is charged. */
export interface MessageOutcome {
  status: string
  /** The channel accepted it. */
  sent: boolean
  /** Its receipt came after its day was locked. */
  late?: boolean
  /** The code that it brought was entered. */
  verified?: boolean
}

/** Whether a message is charged in this mode (quotes-traffic 5.4): what we rejected never is. */
export function isBillable(mode: BillingMode, { status, sent, late = false, verified = false }: MessageOutcome): boolean {
  if (status === 'rejected') return false
  const delivered = status === 'delivered' && !late
  switch (mode) {
    case 'submit':
      return true
    case 'sent':
      return sent
    case 'delivered':
      return delivered
    case 'deliveredUnknown':
      return delivered || (sent && status === 'unknown')
    case 'verified':
      return verified
  }
}

/** Price (decimal text) times segments, exactly: 12,6 by a whole number needs no rounding. */
export const amountOf = (price: string, segments: number, billable: boolean): string =>
  billable ? exactText(new Exact(price).times(segments)) : '0'
