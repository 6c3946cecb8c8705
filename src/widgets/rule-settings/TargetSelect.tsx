import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { SearchSelect } from '../../runtime/choice/SearchSelect'
import { useHost } from '../../runtime/hostContext'
import { countryOptions, ready } from '../../schema/formats'
import type { RuleSubject } from './types'

const PATHS: Readonly<Partial<Record<string, string>>> = {
  staff: '/v2/sys/staff/user/select',
  department: '/v2/sys/department/select',
}

/** Chooses for whom an exception holds. Value and onChange come from the form item. */
export const TargetSelect = ({
  subject: { id: type, choices },
  id,
  value,
  onChange,
}: {
  subject: RuleSubject
  id?: string
  value?: string
  onChange?: (value: string) => void
}) => {
  const host = useHost()
  const [keyword, setKeyword] = useState('')
  const [options, setOptions] = useState<readonly { value: string; label: string }[]>([])
  const path = PATHS[type]
  useEffect(() => {
    if (type !== 'country') return
    ready('country').then(
      () => setOptions(countryOptions(host.locale).map(({ code, label }) => ({ value: code, label: `${label} (${code})` }))),
      (error: unknown) => host.report(error, { where: 'rule settings' }),
    )
  }, [host, type])
  useEffect(() => {
    if (!path) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      host
        .request<{ id: string; title: string }[]>({ method: 'POST', path, body: { keyword, pageSize: 30 }, signal: abort.signal })
        .then((found) => setOptions(found.map((one) => ({ value: one.id, label: one.title }))))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) host.report(error, { where: 'rule settings' })
        })
    }, 200)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [host, path, keyword])
  if (type === 'country') return <SearchSelect id={id} value={value} onChange={onChange} options={[...options]} />
  if (choices)
    return (
      <Select
        id={id}
        value={value}
        onChange={onChange}
        options={choices.map(({ value: code, label }) => ({ value: code, label: label[host.locale] }))}
      />
    )
  return (
    <Select
      id={id}
      showSearch
      filterOption={false}
      value={value}
      onSearch={setKeyword}
      onChange={onChange}
      options={[...options]}
    />
  )
}
