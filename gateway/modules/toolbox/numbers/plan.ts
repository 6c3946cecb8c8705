import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max'
import type { Text } from '../../../platform/http'

/** What the numbering plans say of a number. */
export interface PlannedNumber {
  typed: string
  number: PhoneNumber | null
  /** Of a length that numbers of the country have. */
  possible: boolean
  /** In a range that is in use. */
  valid: boolean
}

/** Reads a number as it was typed; without a country code (+, 00) it is one of `region`. */
export function planned(typed: string, region: string | null): PlannedNumber {
  const plain = typed.normalize('NFKC').replace(/^\s*00/, '+')
  const country = region !== null && isSupportedCountry(region) ? region : undefined
  const number = parsePhoneNumberFromString(plain, { ...(country ? { defaultCountry: country } : {}), extract: false }) ?? null
  return { typed, number, possible: number?.isPossible() ?? false, valid: number?.isValid() ?? false }
}

const TYPES: Readonly<Record<string, Text>> = {
  MOBILE: { zh: '手机', en: 'Mobile' },
  FIXED_LINE: { zh: '固定电话', en: 'Fixed line' },
  FIXED_LINE_OR_MOBILE: { zh: '固定电话或手机', en: 'Fixed line or mobile' },
  TOLL_FREE: { zh: '免费电话', en: 'Toll-free' },
  PREMIUM_RATE: { zh: '高额收费', en: 'Premium rate' },
  SHARED_COST: { zh: '分摊付费', en: 'Shared cost' },
  VOIP: { zh: '网络电话', en: 'VoIP' },
  PERSONAL_NUMBER: { zh: '个人号码', en: 'Personal number' },
  PAGER: { zh: '寻呼', en: 'Pager' },
  UAN: { zh: '企业统一号码', en: 'Company number' },
  VOICEMAIL: { zh: '语音信箱', en: 'Voicemail' },
}

/** The type of a number by its range. */
export const typeOf = (number: PhoneNumber): Text => TYPES[number.getType() ?? ''] ?? { zh: '不明', en: 'Unknown' }

const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The networks of a country whose brand or operator is the one that the plan names: the MCC and MNC that a number of it may have. */
export function networksNamed<Network extends { brand: unknown; operator: unknown }>(
  carrier: string,
  networks: readonly Network[],
): Network[] {
  const name = plainName(carrier)
  if (name === '') return []
  const names = ({ brand, operator }: Network): string[] =>
    [brand, operator].flatMap((one) => (typeof one === 'string' && one !== '' ? [plainName(one)] : []))
  const same = networks.filter((network) => names(network).includes(name))
  return same.length > 0 ? same : networks.filter((network) => names(network).some((one) => one.startsWith(name)))
}
