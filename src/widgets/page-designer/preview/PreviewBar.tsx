import { Segmented, Select, Switch } from 'antd'
import { memo, useEffect, useState } from 'react'
import { useFound } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import type { Locale } from '../../../schema/problem'
import { designerTexts } from '../texts'
import type { TargetState } from '../types'
import type { PreviewSettings } from './Preview'
import { SAMPLE_ID } from './sample'
import { ViewerSelect } from './ViewerSelect'

interface Props {
  settings: PreviewSettings
  /** What is looked at; null: it looks the same for everybody. */
  target: string | null
  roles: TargetState['roles']
  /** What records are called and where they are read; null: the page shows no single record. */
  records: { path: string; title: string; optional: boolean } | null
  onChange(part: Partial<PreviewSettings>): void
}

/** As whom, in which language, on which device and in which theme the preview is seen. */
export const PreviewBar = memo(function PreviewBar({ settings, target, roles, records, onChange }: Props) {
  const host = useHost()
  const texts = designerTexts[host.locale]
  return (
    <div className="sb-design-bar" role="toolbar" aria-label={texts.preview}>
      {target !== null && <ViewerSelect target={target} roles={roles} onChange={(viewer) => onChange({ viewer })} />}
      {records && (
        <RecordSelect key={records.path} {...records} value={settings.record} onChange={(record) => onChange({ record })} />
      )}
      <Segmented
        size="small"
        aria-label={texts.language}
        value={settings.locale}
        onChange={(locale: Locale) => onChange({ locale })}
        options={[
          { value: 'zh', label: '中文' },
          { value: 'en', label: 'English' },
        ]}
      />
      <Segmented
        size="small"
        aria-label={texts.width}
        value={settings.phone ? 'phone' : 'wide'}
        onChange={(width) => onChange({ phone: width === 'phone' })}
        options={[
          { value: 'wide', label: texts.wide },
          { value: 'phone', label: texts.phone },
        ]}
      />
      <label className="sb-design-switch">
        <Switch size="small" checked={settings.dark} onChange={(dark) => onChange({ dark })} /> {texts.dark}
      </label>
    </div>
  )
})

interface RecordProps {
  path: string
  title: string
  optional: boolean
  value: string | null
  onChange(record: string | null): void
}

/** One of the records of an entity; the first one is chosen by itself where the page cannot do without. */
const RecordSelect = ({ path, title, optional, value, onChange }: RecordProps) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const [typed, setTyped] = useState('')
  const { rows, busy, failure } = useFound<Readonly<Record<string, unknown>>>(host, `${path}/queryPage`, typed)
  const first = !optional && value === null && typed === '' && !busy
  useEffect(() => {
    // Where nobody has recorded anything yet, and without the right to read the data, an example stands in its place.
    if (first) onChange(rows[0] ? String(rows[0].id) : SAMPLE_ID)
  }, [first, rows, onChange])
  const found = rows.map((record) => ({ value: String(record.id), label: String(record[title] ?? record.id) }))
  return (
    <Select
      size="small"
      className="sb-design-who"
      aria-label={texts.record}
      placeholder={optional ? texts.newRecord : texts.record}
      showSearch
      filterOption={false}
      allowClear={optional}
      value={value}
      onSearch={setTyped}
      onChange={(next: string | undefined) => onChange(next ?? null)}
      options={[...(value === SAMPLE_ID || failure ? [{ value: SAMPLE_ID, label: texts.example }] : []), ...found]}
    />
  )
}
