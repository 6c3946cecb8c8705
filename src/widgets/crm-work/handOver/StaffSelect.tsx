import { Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { isAborted } from '../../../runtime/failure'
import { useHost } from '../../../runtime/hostContext'
import { handOverTexts } from './texts'

interface StaffOption {
  id: string
  title: string
}
interface StaffSelectProps {
  label: string
  most: number
  /** Somebody who cannot be chosen. */
  without: string
  value: readonly string[]
  onChange(ids: readonly string[], titles: ReadonlyMap<string, string>): void
}

const PAUSE = 250
const ACTIVE = [{ field: 'status', operator: 'in', value: ['active', 'probation'] }]

/** Active members of staff, searched on the server. */
export const StaffSelect = ({ label, most, without, value, onChange }: StaffSelectProps) => {
  const host = useHost()
  const texts = handOverTexts[host.locale]
  const [keyword, setKeyword] = useState('')
  const [found, setFound] = useState<readonly StaffOption[]>([])
  const titles = useRef(new Map<string, string>())
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      host
        .request<StaffOption[]>({
          method: 'POST',
          path: '/v2/sys/staff/user/select',
          body: { keyword, where: ACTIVE, pageSize: 20 },
          signal: abort.signal,
        })
        .then((options) => {
          for (const { id, title } of options) titles.current.set(id, title)
          setFound(options)
        })
        .catch((error: unknown) => {
          if (!isAborted(error)) setFound([])
        })
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [host, keyword])
  return (
    <Select
      mode="multiple"
      style={{ width: '100%', maxWidth: 560 }}
      aria-label={label}
      placeholder={texts.choose}
      maxCount={most}
      filterOption={false}
      value={[...value]}
      onSearch={setKeyword}
      onChange={(ids: string[]) => onChange(ids, titles.current)}
      options={found.filter(({ id }) => id !== without).map(({ id, title }) => ({ value: id, label: title }))}
    />
  )
}
