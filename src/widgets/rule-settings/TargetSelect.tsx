import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { RemoteSelect, SearchSelect } from '../../runtime/choice/SearchSelect'
import { useHost } from '../../runtime/hostContext'
import { countryOptions, ready } from '../../schema/formats'
import type { RuleSubject } from './types'

const PATHS: Readonly<Partial<Record<string, string>>> = {
  staff: '/v2/sys/staff/user',
  department: '/v2/sys/department',
}

interface Props {
  subject: RuleSubject
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}

/** Chooses for whom an exception holds. Value and onChange come from the form item. */
export const TargetSelect = ({ subject: { id: type, choices }, ...item }: Props) => {
  const { locale } = useHost()
  if (type === 'country') return <CountrySelect {...item} />
  if (choices) {
    return <Select {...item} options={choices.map(({ value: code, label }) => ({ value: code, label: label[locale] }))} />
  }
  return <RecordSelect {...item} path={PATHS[type] ?? ''} />
}

const CountrySelect = (item: Omit<Props, 'subject'>) => {
  const host = useHost()
  const [options, setOptions] = useState<readonly { value: string; label: string }[]>([])
  useEffect(() => {
    ready('country').then(
      () => setOptions(countryOptions(host.locale).map(({ code, label }) => ({ value: code, label: `${label} (${code})` }))),
      (error: unknown) => host.report(error, { where: 'rule settings' }),
    )
  }, [host])
  return <SearchSelect {...item} options={options} />
}

const RecordSelect = ({ path, id, value, onChange }: Omit<Props, 'subject'> & { path: string }) => {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  return (
    <RemoteSelect
      host={useHost()}
      path={path}
      id={id}
      value={value === undefined ? [] : [value]}
      titleOf={(one) => titles.get(one)}
      onChange={([one], found) => {
        setTitles(found)
        onChange?.(one)
      }}
    />
  )
}
