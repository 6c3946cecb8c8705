import { Input, InputNumber, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useEffect, useId, useState } from 'react'
import { countryOptions, ready } from '../../schema/formats'
import { companyToday, companyZone, livesElsewhere } from '../../headless/scope'
import { besides, list, type Choice, type ControlProps } from './filterControls'
import { takesList } from '../../headless/list/query'
import { DAYS, daysFrom, isUnread, unreadReason } from '../picker/notation'
import { Picker, SpanPicker } from '../picker/Picker'
import { RecordSelect } from './RecordSelect'

const SEARCHED_FROM = 10

/** Values to choose from, as check boxes (several) or radio buttons (one); a search box when there are many. */
const Choices = ({ choices, draft, texts, inline = false, onChange }: ControlProps & { choices: readonly Choice[] }) => {
  const [search, setSearch] = useState('')
  const name = useId()
  const several = takesList(draft.operator)
  const chosen = list(draft.value).map(String)
  const wanted = search.trim().toLowerCase()
  const shown = wanted
    ? choices.filter((choice) => choice.label.toLowerCase().includes(wanted) || choice.value.toLowerCase() === wanted)
    : choices
  return (
    <>
      {choices.length > SEARCHED_FROM && (
        <Input
          type="search"
          autoFocus={!inline}
          size="small"
          aria-label={texts.searchOptions}
          placeholder={texts.searchOptions}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <fieldset className="sb-options" aria-label={texts.value}>
        {shown.map((choice, index) => (
          <label key={choice.value} className="sb-option">
            <input
              type={several ? 'checkbox' : 'radio'}
              name={name}
              autoFocus={!inline && index === 0 && choices.length <= SEARCHED_FROM}
              checked={chosen.includes(choice.value)}
              onChange={(event) => {
                if (!several) onChange(choice.value)
                else onChange(event.target.checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))
              }}
            />
            {choice.label}
          </label>
        ))}
        {shown.length === 0 && <span className="sb-dash">{texts.noOptions}</span>}
      </fieldset>
    </>
  )
}

const YesNo = (props: ControlProps) => {
  const { draft, texts, onChange } = props
  const text = draft.value === true ? 'true' : draft.value === false ? 'false' : null
  const choices = [
    { value: 'true', label: texts.yes },
    { value: 'false', label: texts.no },
  ]
  return (
    <Choices
      {...props}
      choices={choices}
      draft={{ operator: 'eq', value: text }}
      onChange={(value) => onChange(value === 'true')}
    />
  )
}

const Numbers = ({ filter, draft, texts, inline = false, onChange }: ControlProps) => {
  const exact = filter.field.kind !== 'integer'
  const read = (value: string | number | null): unknown =>
    value === null || value === '' ? null : exact ? String(value) : Number(value)
  const common = {
    style: { width: '100%' },
    stringMode: exact,
    precision: exact ? undefined : 0,
    controls: false,
    suffix: filter.field.unit,
  } as const
  const [from, to] = draft.operator === 'between' ? list(draft.value) : []
  if (draft.operator !== 'between') {
    return (
      <InputNumber<string | number>
        {...common}
        autoFocus={!inline}
        aria-label={filter.title}
        value={(draft.value as string | number | null) ?? null}
        onChange={(value) => onChange(read(value))}
      />
    )
  }
  return (
    <div className="sb-bar" style={{ flexWrap: 'nowrap' }}>
      <InputNumber<string | number>
        {...common}
        autoFocus={!inline}
        aria-label={texts.from}
        placeholder={texts.from}
        value={(from as string | number | null) ?? null}
        onChange={(value) => onChange([read(value), to ?? null])}
      />
      –
      <InputNumber<string | number>
        {...common}
        aria-label={texts.to}
        placeholder={texts.to}
        value={(to as string | number | null) ?? null}
        onChange={(value) => onChange([from ?? null, read(value)])}
      />
    </div>
  )
}

const fromDay = (value: Dayjs | null | undefined): string | null => value?.format('YYYY-MM-DD') ?? null

/** A span of days that is chosen by its name; null = open. */
interface Span {
  label: string
  value: [Dayjs | null, Dayjs]
}

const monthOf = (day: Dayjs): [Dayjs, Dayjs] => [day.startOf('month'), day.endOf('month')]

const spansBack = (today: Dayjs, { presets }: ControlProps['texts']): Span[] => [
  { label: presets.today, value: [today, today] },
  { label: presets.week, value: [today.subtract(6, 'day'), today] },
  { label: presets.month, value: [today.subtract(29, 'day'), today] },
  { label: presets.thisMonth, value: monthOf(today) },
  { label: presets.lastMonth, value: monthOf(today.subtract(1, 'month')) },
]

const spansAhead = (today: Dayjs, { presets }: ControlProps['texts']): Span[] => [
  { label: presets.overdue, value: [null, today.subtract(1, 'day')] },
  { label: presets.today, value: [today, today] },
  { label: presets.nextWeek, value: [today, today.add(6, 'day')] },
  { label: presets.nextDays, value: [today, today.add(29, 'day')] },
  { label: presets.thisMonth, value: monthOf(today) },
  { label: presets.nextMonth, value: monthOf(today.add(1, 'month')) },
]

/** Says why a typed day is none. */
const Unread = ({ values, host }: Pick<ControlProps, 'host'> & { values: readonly unknown[] }) => {
  const unread = values.find((value) => isUnread(value, DAYS))
  if (unread === undefined) return null
  return (
    <span role="alert" className="sb-unread">
      {unreadReason(unread, 'date', host.locale)}
    </span>
  )
}

const Dates = ({ filter, draft, host, texts, inline = false, onChange }: ControlProps) => {
  const today = dayjs(companyToday(host))
  const notation = daysFrom(() => companyToday(host))
  // a day without a clock is a day everywhere; of a moment it has to be said whose day is meant
  const whose = filter.field.kind === 'dateTime' && livesElsewhere(host) ? texts.companyDays(companyZone(host)) : undefined
  if (draft.operator !== 'between') {
    return (
      <>
        <Picker
          notation={notation}
          autoFocus={!inline}
          aria-label={filter.title}
          value={draft.value}
          {...besides(inline)}
          onChange={onChange}
        />
        <Unread values={[draft.value]} host={host} />
        {whose && <span className="sb-dash">{whose}</span>}
      </>
    )
  }
  const presets = filter.field.ahead ? spansAhead(today, texts) : spansBack(today, texts)
  return (
    <>
      <SpanPicker
        notation={notation}
        autoFocus={!inline}
        aria-label={filter.title}
        value={list(draft.value)}
        {...besides(inline)}
        onChange={onChange}
      />
      <Unread values={list(draft.value)} host={host} />
      {!inline && (
        <div className="sb-bar">
          {presets.map(({ label, value }) => (
            <button key={label} type="button" className="sb-link" onClick={() => onChange(value.map(fromDay))}>
              {label}
            </button>
          ))}
        </div>
      )}
      {whose && <span className="sb-dash">{whose}</span>}
    </>
  )
}

const PlainText = ({ filter, draft, inline = false, onChange }: ControlProps) => {
  if (takesList(draft.operator)) {
    return (
      <Select
        mode="tags"
        autoFocus={!inline}
        open={false}
        aria-label={filter.title}
        tokenSeparators={[',', '，', ';', '\n']}
        value={list(draft.value).map(String)}
        onChange={(value: string[]) => onChange(value)}
      />
    )
  }
  return (
    <Input
      autoFocus={!inline}
      aria-label={filter.title}
      maxLength={200}
      value={typeof draft.value === 'string' ? draft.value : ''}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** The control that fits the field: what the entity says about it decides. */
export const FilterControl = (props: ControlProps) => {
  const { field } = props.filter
  const { locale } = props.host
  const countries = field.kind === 'country' || field.kind === 'countries'
  const [, setReady] = useState(false)
  useEffect(() => {
    if (countries) void ready('country').then(() => setReady(true))
  }, [countries])
  const choices: readonly Choice[] = field.dictionary
    ? field.dictionary.options.map(({ code, label }) => ({ value: code, label }))
    : countries
      ? countryOptions(locale).map(({ code, label }) => ({ value: code, label: `${label} (${code})` }))
      : []
  if (choices.length > 0) return <Choices {...props} choices={choices} />
  if (field.kind === 'boolean') return <YesNo {...props} />
  if (field.ref) return <RecordSelect {...props} />
  if (field.kind === 'date' || field.kind === 'dateTime') return <Dates {...props} />
  if (['integer', 'decimal', 'money', 'percent'].includes(field.kind)) return <Numbers {...props} />
  return <PlainText {...props} />
}
