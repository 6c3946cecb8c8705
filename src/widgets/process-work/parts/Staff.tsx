import { useState } from 'react'
import { RemoteSelect, SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import type { Person } from './types'
import { partTexts } from './texts'

const STAFF = '/v2/sys/staff/user'

interface StaffProps {
  id?: string
  label: string
  /** Whom to choose from; empty: everybody. */
  among?: readonly Person[]
  multiple?: boolean
  value: readonly string[]
  onChange(ids: readonly string[]): void
}

/** Chooses members of staff by name. */
export const Staff = ({ id, label, among = [], multiple = false, value, onChange }: StaffProps) => {
  const host = useHost()
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map())
  const placeholder = partTexts[host.locale].people
  if (among.length > 0)
    return (
      <SearchSelect<string | readonly string[] | null>
        id={id}
        aria-label={label}
        placeholder={placeholder}
        style={{ width: '100%' }}
        mode={multiple ? 'multiple' : undefined}
        value={multiple ? value : (value[0] ?? null)}
        options={among.map((person) => ({ value: person.id, label: person.name }))}
        onChange={(next) => onChange([next ?? []].flat())}
      />
    )
  return (
    <RemoteSelect
      host={host}
      id={id}
      aria-label={label}
      placeholder={placeholder}
      style={{ width: '100%' }}
      path={STAFF}
      multiple={multiple}
      allowClear
      value={value}
      titleOf={(one) => known.get(one)}
      onChange={(ids, titles) => {
        setKnown(new Map([...known, ...titles]))
        onChange(ids)
      }}
    />
  )
}
