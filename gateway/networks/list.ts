import { all, type Operator } from 'mcc-mnc-list'

/** A mobile network as `sys.operatorNetwork` holds it. */
export interface Network {
  mcc: string
  mnc: string
  country: string | null
  operator: string
  brand: string | null
  bands: string | null
  status: string
  note: string | null
}

/** Where the list comes from; stands at each of its networks. */
export const LIST_SOURCE = 'mcc-mnc-list 1.1.11'

const STATUS: Readonly<Record<string, string>> = {
  Operational: 'operational',
  'Temporary operational': 'operational',
  Ongoing: 'operational',
  'Not operational': 'closed',
  'Returned spare': 'closed',
  Reserved: 'reserved',
  Allocated: 'reserved',
  Planned: 'planned',
  Upcoming: 'planned',
  Testing: 'planned',
  'Test Network': 'planned',
  'Implement / Design': 'planned',
}
const ORDER = ['operational', 'planned', 'unknown', 'reserved', 'closed']

/** Territories that share a numbering area stand under the one with most people in it. */
const SHARED: Readonly<Record<string, string>> = { 'BL/GF/GP/MF/MQ': 'GP', 'BQ/CW/SX': 'CW', 'YT/RE': 'RE' }

const countryOf = ({ countryCode }: Operator): string | null =>
  countryCode ? (SHARED[countryCode] ?? countryCode.slice(0, 2)) : null
const statusOf = ({ status }: Operator): string => STATUS[status] ?? 'unknown'
const known = (text: string | null): string | null => (!text || text === 'Unknown' ? null : text)
const nameOf = ({ operator, brand, countryName }: Operator): string => known(operator) ?? known(brand) ?? countryName

/**
 * The mobile networks of the world, one for each MCC and MNC. Where several hold one code, the one in operation stands, of several
 * that whose country has most networks of the MCC; the others are told in its note. Codes that are no numbers are left out.
 */
export function networkList(list: readonly Operator[] = all()): Network[] {
  const sizes = new Map<string, number>()
  const holders = new Map<string, Operator[]>()
  for (const one of list) {
    if (!/^[0-9]{3}$/.test(one.mcc) || !/^[0-9]{2,3}$/.test(one.mnc)) continue
    const area = `${one.mcc} ${String(countryOf(one))}`
    sizes.set(area, (sizes.get(area) ?? 0) + 1)
    const code = `${one.mcc}${one.mnc}`
    holders.set(code, [...(holders.get(code) ?? []), one])
  }
  const size = (one: Operator): number => sizes.get(`${one.mcc} ${String(countryOf(one))}`) ?? 0
  const before = (a: Operator, b: Operator): number =>
    ORDER.indexOf(statusOf(a)) - ORDER.indexOf(statusOf(b)) || size(b) - size(a)
  return [...holders.values()].map((ones) => {
    const [first, ...others] = [...ones].sort(before)
    const also = others.map((one) => `${countryOf(one) ?? one.countryName}: ${nameOf(one)}`)
    return {
      ...{ mcc: first!.mcc, mnc: first!.mnc, country: countryOf(first!), operator: nameOf(first!), brand: known(first!.brand) },
      ...{ bands: known(first!.bands), status: statusOf(first!) },
      note:
        [known(first!.notes), ...also]
          .filter((part) => part !== null)
          .join('; ')
          .slice(0, 500) || null,
    }
  })
}
