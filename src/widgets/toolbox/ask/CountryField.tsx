import { useEffect, useId, useState } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { countryName, countryOptions, ready } from '../../../schema/formats'
import { toolTexts } from '../texts'

/** A country or none, found by code and by its name in either language. */
export const CountryField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (country: string | null) => void
}) => {
  const host = useHost()
  const { locale } = host
  const id = useId()
  const [here, setHere] = useState(false)
  useEffect(() => {
    ready('country').then(
      () => setHere(true),
      (error: unknown) => host.report(error, { where: 'toolbox' }),
    )
  }, [host])
  const other = locale === 'zh' ? 'en' : 'zh'
  const options = here
    ? countryOptions(locale).map((one) => ({
        value: one.code,
        label: one.label,
        words: [one.code, countryName(one.code, other)],
      }))
    : []
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <br />
      <SearchSelect
        id={id}
        value={value ?? undefined}
        onChange={(next: unknown) => onChange(typeof next === 'string' ? next : null)}
        options={options}
        allowClear
        placeholder={toolTexts[locale].any}
        style={{ width: 220 }}
      />
    </div>
  )
}
