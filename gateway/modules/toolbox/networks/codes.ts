import { entriesOf } from '../answer'

/** What somebody typed to find networks by. */
export type TypedCode =
  { typed: string; mccmnc: string } | { typed: string; mcc: string } | { typed: string; callingCode: string } | { typed: string }

const NETWORK = /^([0-9]{3})[\s/_-]*([0-9]{2,3})$/
const AREA = /^[0-9]{3}$/
const CALLING = /^(?:\+|00)([1-9][0-9]{0,3})$/

function read(typed: string): TypedCode {
  const [, mcc, mnc] = NETWORK.exec(typed) ?? []
  if (mcc !== undefined && mnc !== undefined) return { typed, mccmnc: mcc + mnc }
  if (AREA.test(typed)) return { typed, mcc: typed }
  const callingCode = CALLING.exec(typed)?.[1]
  return callingCode === undefined ? { typed } : { typed, callingCode }
}

/** Codes that were pasted: MCC and MNC (46000, 460-00, 460 00), an MCC alone (460), a calling code (+86); what is none stands alone. */
export const typedCodes = (text: string): TypedCode[] =>
  entriesOf(text).flatMap((entry) => {
    const whole = read(entry)
    return Object.keys(whole).length > 1 || !/\s/.test(entry) ? [whole] : entry.split(/\s+/).map(read)
  })
