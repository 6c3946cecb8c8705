import { useMemo } from 'react'
import { CURRENCY_CODES } from '../../../schema/formats'
import { SearchSelect } from '../../choice/SearchSelect'
import { useSession, useText } from '../view/session'
import type { ControlProps } from './control'
import { currencyName } from './shown'

/** What the company settles in most, first. */
const COMMON = ['CNY', 'USD', 'EUR', 'HKD', 'SGD', 'GBP', 'JPY']

/** A currency by its ISO code; found by code and name. */
const Currency = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, cell }: ControlProps) => {
  const { locale } = useSession()
  const t = useText()
  const options = useMemo(
    () =>
      [...COMMON, ...[...CURRENCY_CODES].filter((code) => !COMMON.includes(code)).sort()].map((code) => ({
        value: code,
        label: `${code} ${currencyName(code, locale)}`,
      })),
    [locale],
  )
  return (
    <SearchSelect
      id={id}
      className="sb-control-wide"
      value={typeof value === 'string' && value ? value : undefined}
      onChange={(next: unknown) => onChange(next ?? null)}
      options={options}
      allowClear
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default Currency
