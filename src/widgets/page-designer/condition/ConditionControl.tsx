import { CloseOutlined } from '@ant-design/icons'
import { Button, InputNumber, Select, Space } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import type { FilterModel, FilterOperator } from '../../../schema/model'
import { useDesign } from '../editor/design'
import { choiceName } from '../language/choices'
import { filterBy, isComputed } from '../language/values'
import type { WithId } from '../panel/controlProps'
import { ValueBox } from '../panel/JsonValue'
import { ChosenValue } from '../panel/ValueControl'
import { conditionFields, operatorsOf, type ConditionField } from './fields'
import { isComplete, isGroup, isUnary, parseTerms, printTerms, type Operator, type Term, type Terms } from './terms'

/** Words whose value says when something holds. */
export const CONDITIONS: ReadonlySet<string> = new Set([
  ...['x-visible', 'x-hidden', 'x-disabled', 'x-required', 'visible', 'disabled', 'when', 'requiredIf'],
])

const TEXTS = {
  zh: {
    add: '添加条件',
    group: '添加条件组',
    all: '全部满足',
    any: '满足其一',
    joined: '条件之间',
    field: '字段',
    operator: '比较方式',
    value: '值',
    remove: '移除条件',
    other: '这个表达式不能显示为条件，按表达式保留。',
    incomplete: '没有填完的条件不会保存。',
  },
  en: {
    add: 'Add a condition',
    group: 'Add a group',
    all: 'All hold',
    any: 'One is enough',
    joined: 'Conditions',
    field: 'Field',
    operator: 'Operator',
    value: 'Value',
    remove: 'Remove the condition',
    other: 'This expression cannot be shown as conditions; it stays as it is.',
    incomplete: 'A condition that is not filled in is not saved.',
  },
} as const
type Texts = (typeof TEXTS)['zh' | 'en']

const EMPTY: Terms = { any: false, members: [] }
const BLANK: Term = { field: '', operator: 'eq' }

/** When something holds: conditions as people say them above the expression that they make; either can be changed. */
export const ConditionControl = ({ id, at, value, onChange, expression }: WithId & { expression: ReactNode }) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const design = useDesign()
  const fields = useMemo(() => conditionFields(design, at, locale), [design, at, locale])
  // What is not complete yet is in no expression.
  const [draft, setDraft] = useState<{ of: unknown; terms: Terms } | null>(null)
  const terms = draft && draft.of === value ? draft.terms : parseTerms(value)
  const change = (next: Terms): void => {
    const text = printTerms(next)
    setDraft({ of: text, terms: next })
    if (text !== value) onChange(text)
  }
  if (!terms || typeof value === 'boolean')
    return (
      <>
        {expression}
        {typeof value === 'string' && <small className="sb-design-help">{texts.other}</small>}
      </>
    )
  return (
    <>
      <GroupRows id={id} terms={terms} fields={fields} texts={texts} top onChange={(next) => change(next ?? EMPTY)} />
      {!isComplete(terms) && <small className="sb-design-help">{texts.incomplete}</small>}
      {expression}
    </>
  )
}

interface RowsProps {
  id: string
  terms: Terms
  fields: readonly ConditionField[]
  texts: Texts
  top?: boolean
  /** Undefined: nothing is left of it. */
  onChange(next: Terms | undefined): void
}

const GroupRows = ({ id, terms, fields, texts, top = false, onChange }: RowsProps) => {
  const { any, members } = terms
  const put = (index: number, next: Term | Terms | undefined): void => {
    const rest = next ? members.with(index, next) : members.filter((_, position) => position !== index)
    onChange(rest.length === 0 ? undefined : { any, members: rest })
  }
  return (
    <div className={members.length === 0 ? undefined : 'sb-design-row'}>
      {members.length > 1 && (
        <Select
          size="small"
          aria-label={texts.joined}
          value={any}
          options={[
            { value: false, label: texts.all },
            { value: true, label: texts.any },
          ]}
          onChange={(next) => onChange({ any: next, members })}
        />
      )}
      {members.map((member, index) =>
        isGroup(member) ? (
          <GroupRows
            key={index}
            id={`${id}-${index}`}
            terms={member}
            fields={fields}
            texts={texts}
            onChange={(next) => put(index, next)}
          />
        ) : (
          <TermRow
            key={index}
            id={`${id}-${index}`}
            term={member}
            fields={fields}
            texts={texts}
            onChange={(next) => put(index, next)}
          />
        ),
      )}
      <Space size={4}>
        <Button size="small" onClick={() => onChange({ any, members: [...members, BLANK] })}>
          {texts.add}
        </Button>
        {top && members.length > 0 && (
          <Button size="small" onClick={() => onChange({ any, members: [...members, { any: !any, members: [BLANK, BLANK] }] })}>
            {texts.group}
          </Button>
        )}
      </Space>
    </div>
  )
}

interface TermProps {
  id: string
  term: Term
  fields: readonly ConditionField[]
  texts: Texts
  onChange(next: Term | undefined): void
}

const TermRow = ({ id, term, fields, texts, onChange }: TermProps) => {
  const { locale } = useHost()
  const field = fields.find(({ path }) => path === term.field)
  const operators = operatorsOf(field)
  const choices = operators.includes(term.operator) ? operators : [...operators, term.operator]
  const options = fields.map(({ path, label }) => ({ value: path, label: `${label} · ${path.replace(/^\$values\./, '')}` }))
  const own = field || term.field === '' ? [] : [{ value: term.field, label: term.field }]
  const compare = (operator: Operator): void => {
    const several = operator === 'in' || operator === 'notIn'
    const fits = several === Array.isArray(term.value)
    onChange({ field: term.field, operator, ...(isUnary(operator) || !fits ? {} : { value: term.value }) })
  }
  return (
    <div className="sb-design-term" role="group" aria-label={field?.label ?? term.field}>
      <div className="sb-design-compared">
        <SearchSelect
          size="small"
          aria-label={texts.field}
          placeholder={texts.field}
          value={term.field === '' ? undefined : term.field}
          options={[...own, ...options]}
          onChange={(path: string | undefined) => {
            const next = fields.find((one) => one.path === path)
            onChange({ field: path ?? '', operator: operatorsOf(next)[0] ?? 'eq' })
          }}
        />
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined />}
          aria-label={texts.remove}
          title={texts.remove}
          onClick={() => onChange(undefined)}
        />
      </div>
      <div className="sb-design-compared">
        <Select
          size="small"
          className="sb-design-operator"
          aria-label={texts.operator}
          value={term.operator}
          options={choices.map((operator) => ({ value: operator, label: choiceName(operator, locale) }))}
          popupMatchSelectWidth={false}
          onChange={compare}
        />
        {!isUnary(term.operator) && (
          <div className="sb-design-compared-value">
            <ComparedValue
              key={`${term.field} ${term.operator}`}
              id={`${id}-value`}
              term={term}
              field={field}
              label={texts.value}
              onChange={(value) => onChange({ ...term, value })}
            />
          </div>
        )}
      </div>
    </div>
  )
}

interface ComparedProps {
  id: string
  term: Term
  field: ConditionField | undefined
  label: string
  onChange(value: unknown): void
}

/** Kinds whose values are picked with the control that people know of lists. */
const PICKED: ReadonlySet<string> = new Set(['date', 'dateTime', 'ref', 'country'])
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'percent'])

const ComparedValue = ({ id, term, field, label, onChange }: ComparedProps) => {
  const { locale } = useHost()
  const { labels, dictionaries } = useDesign()
  const { value, operator } = term
  const several = operator === 'in' || operator === 'notIn'
  const filter = useMemo((): FilterModel | undefined => {
    if (!field?.of || !PICKED.has(field.kind)) return undefined
    const found = filterBy(field.of.entity, field.of.name, { entities: labels.entities, dictionaries, locale })
    return found && { ...found, operator: several ? 'in' : (AS_FILTER[operator] ?? 'eq') }
  }, [field, labels, dictionaries, locale, several, operator])
  if (filter) return <ChosenValue id={id} filter={filter} relative value={value} onChange={onChange} />
  if (field && !isComputed(value)) {
    const options =
      field.options ??
      (field.kind === 'boolean'
        ? [
            { value: 'true', label: choiceName('yes', locale) },
            { value: 'false', label: choiceName('no', locale) },
          ]
        : undefined)
    if (options && field.kind === 'boolean')
      return (
        <Select
          size="small"
          aria-label={label}
          value={value === undefined ? undefined : String(value)}
          options={[...options]}
          onChange={(next: string) => onChange(next === 'true')}
        />
      )
    if (options)
      return (
        <SearchSelect
          size="small"
          className="sb-design-wide"
          aria-label={label}
          {...(several ? { mode: 'multiple' as const } : {})}
          value={value}
          options={options.map((one) => ({ value: one.value, label: one.label }))}
          onChange={(next: unknown) => onChange(Array.isArray(next) && next.length === 0 ? undefined : next)}
        />
      )
    if (NUMBERS.has(field.kind))
      return (
        <InputNumber
          size="small"
          className="sb-design-wide"
          aria-label={label}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )
  }
  return <ValueBox id={id} label={label} value={value} onChange={onChange} />
}

const AS_FILTER: Partial<Record<Operator, FilterOperator>> = { gte: 'gte', lte: 'lte', gt: 'gte', lt: 'lte', ne: 'eq' }
