import { Button, Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { RemoteSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { DAYS } from '../../../runtime/picker/notation'
import { SpanPicker } from '../../../runtime/picker/Picker'
import type { Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Mark } from '../parts/types'

interface FiltersProps {
  place: Place
  marks: readonly Mark[]
  onApply(place: Place): void
}

const FLAGS = ['file', 'unread', 'star', 'mine'] as const

/** Everything that a list of mail can be narrowed by beside words. */
const Filters = ({ place, marks, onApply }: FiltersProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const { filterNames: names } = texts
  const [draft, setDraft] = useState(place)
  const set = (part: Partial<Place>): void => setDraft({ ...draft, ...part })
  const day = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  return (
    <form
      className="sb-mail-filters"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(draft)
      }}
    >
      <label>
        {names.from}
        <Input value={draft.from ?? ''} onChange={({ target }) => set({ from: target.value || undefined })} />
      </label>
      <label>
        {names.to}
        <Input value={draft.to ?? ''} onChange={({ target }) => set({ to: target.value || undefined })} />
      </label>
      <div>
        {names.period}
        <SpanPicker
          notation={DAYS}
          value={[draft.since ?? null, draft.until ?? null]}
          onChange={([since, until]) => set({ since: day(since), until: day(until) })}
          allowEmpty={[true, true]}
          aria-label={names.period}
        />
      </div>
      <div>
        {names.mark}
        <Select<string>
          allowClear
          aria-label={names.mark}
          value={draft.mark}
          options={marks.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(mark: string | undefined) => set({ mark })}
        />
      </div>
      <div>
        {names.customer}
        <RemoteSelect
          host={host}
          path="/v2/crm/customer"
          allowClear
          aria-label={names.customer}
          value={draft.customer ? [draft.customer] : []}
          onChange={([customer]) => set({ customer })}
        />
      </div>
      <div className="sb-mail-flags">
        {FLAGS.map((name) => (
          <Checkbox
            key={name}
            checked={draft[name] === true}
            onChange={({ target }) => set({ [name]: target.checked || undefined })}
          >
            {names[name]}
          </Checkbox>
        ))}
      </div>
      <Button type="primary" htmlType="submit">
        {texts.apply}
      </Button>
    </form>
  )
}
export default Filters
