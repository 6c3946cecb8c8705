import { Input, Space } from 'antd'
import { getCountries, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { CountryCode } from 'libphonenumber-js/min'
import { useMemo, useState } from 'react'
import { countryName } from '../../../schema/formats'
import { SearchSelect } from '../../choice/SearchSelect'
import { siblingValue, useSession, useText } from '../view/session'
import type { ControlProps } from './control'

const HOME: CountryCode = 'CN'

const asCountry = (value: unknown): CountryCode | undefined =>
  typeof value === 'string' && isSupportedCountry(value) ? value : undefined

/** A stored number as it is edited: its country and the digits as that country writes them. */
const partsOf = (value: unknown, region: CountryCode): { country: CountryCode; national: string } => {
  const text = typeof value === 'string' ? value : ''
  const number = text ? parsePhoneNumberFromString(text, region) : undefined
  if (!number) return { country: region, national: text }
  return { country: number.country ?? region, national: number.formatNational() }
}

/**
 * A phone number: country prefix and national entry; stored in E.164. A pasted international number sets the country. What is
 * no number yet is kept as typed, so that validation can say so.
 */
const Phone = ({ id, value, onChange, disabled, readOnly, placeholder, path, props, describedBy }: ControlProps) => {
  const session = useSession()
  const t = useText()
  const home = asCountry(props.country) ?? asCountry(siblingValue(session, path, 'countryCode')) ?? HOME
  const [typed, setTyped] = useState<{ country: CountryCode; national: string; value: unknown } | null>(null)
  const { country, national } = typed && Object.is(typed.value, value) ? typed : partsOf(value, home)

  const take = (nextCountry: CountryCode, text: string): void => {
    const number = text.trim() ? parsePhoneNumberFromString(text, nextCountry) : undefined
    const international = /^\s*(\+|00)/.test(text)
    const next = number?.isPossible() ? number.number : text.trim() || null
    setTyped({ country: (international && number?.country) || nextCountry, national: text, value: next })
    onChange(next)
  }

  const options = useMemo(
    () =>
      getCountries().map((code) => ({
        value: code,
        label: `+${getCountryCallingCode(code)}`,
        words: [getCountryCallingCode(code), code, countryName(code, 'zh'), countryName(code, 'en')],
        name: countryName(code, session.locale),
      })),
    [session.locale],
  )

  return (
    <Space.Compact block>
      <SearchSelect
        value={country}
        onChange={(next) => take(next, national)}
        options={options}
        optionRender={({ data }) => `${data.name} ${data.label}`}
        popupMatchSelectWidth={280}
        style={{ width: 96 }}
        disabled={disabled || readOnly}
        aria-label={t('country')}
      />
      <Input
        id={id}
        value={national}
        onChange={(event) => take(country, event.target.value)}
        onBlur={() => setTyped(null)}
        inputMode="tel"
        disabled={disabled}
        readOnly={readOnly}
        placeholder={placeholder ?? t('phoneNumber')}
        aria-describedby={describedBy}
        autoComplete="off"
      />
    </Space.Compact>
  )
}

export default Phone
