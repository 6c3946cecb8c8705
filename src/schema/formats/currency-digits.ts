/**
 * Decimals of a currency (ISO 4217). Only those that differ from two are listed; a test compares with the official list, so
 * that the browser does not have to carry it.
 */
const ZERO = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'
const FOUR = 'CLF UYW'

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...ZERO.split(' ').map((code) => [code, 0] as const),
  ...THREE.split(' ').map((code) => [code, 3] as const),
  ...FOUR.split(' ').map((code) => [code, 4] as const),
])

export function currencyDigits(code: unknown): number {
  return (typeof code === 'string' ? DIGITS.get(code) : undefined) ?? 2
}
