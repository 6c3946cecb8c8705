import { Exact } from './decimal'

/**
 * ISO 4217 currencies and their decimals, as a few hundred bytes; a test compares with the official list, so that the
 * browser does not have to carry it. Metals, funds and test codes are left out.
 */
const TWO =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUC CUP CVE CZK ' +
  'DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP ' +
  'LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB ' +
  'SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ' +
  'ZMW ZWG'
const ZERO = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'
const FOUR = 'CLF UYW'

const DIGITS: ReadonlyMap<string, number> = new Map(
  (
    [
      [TWO, 2],
      [ZERO, 0],
      [THREE, 3],
      [FOUR, 4],
    ] as const
  ).flatMap(([codes, digits]) => codes.split(' ').map((code) => [code, digits] as const)),
)

/** Every currency code, sorted. */
export const CURRENCY_CODES: readonly string[] = [...DIGITS.keys()].sort()

export function isCurrency(code: unknown): code is string {
  return typeof code === 'string' && DIGITS.has(code)
}

/** Decimals of a currency; two for one that is not known. */
export function currencyDigits(code: unknown): number {
  return (typeof code === 'string' ? DIGITS.get(code) : undefined) ?? 2
}

/** The smallest amount of a currency: 0.01 of USD, 1 of JPY, 0.001 of KWD. */
export const minorUnit = (code: unknown): Exact => new Exact(`1e-${currencyDigits(code)}`)
