import { useMemo } from 'react'
import { countryName, countryOptions } from '../../../schema/formats'
import { SearchSelect } from '../../choice/SearchSelect'
import { TAGS_ON_PHONE, usePhone } from '../../media'
import { useSession, useText } from '../view/session'
import type { ControlProps } from './control'

/** Names of this language first; found by code and by the name in either language. No flags: a flag is no country. */
export const CountrySelect = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  placeholder,
  describedBy,
  opened,
  cell,
  multiple,
}: ControlProps & { multiple: boolean }) => {
  const { locale } = useSession()
  const t = useText()
  const options = useMemo(() => {
    const other = locale === 'zh' ? 'en' : 'zh'
    return countryOptions(locale).map(({ code, label }) => ({
      value: code,
      label,
      words: [code, countryName(code, other)],
    }))
  }, [locale])
  const phone = usePhone()
  const codes = Array.isArray(value) ? (value as string[]) : []
  return (
    <SearchSelect
      id={id}
      className="sb-control-wide"
      mode={multiple ? 'multiple' : undefined}
      value={multiple ? codes : typeof value === 'string' && value ? value : undefined}
      onChange={(next: unknown) => onChange(next ?? null)}
      options={options}
      allowClear
      maxTagCount={!multiple ? undefined : phone && !cell ? TAGS_ON_PHONE : 'responsive'}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}
