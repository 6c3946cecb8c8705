import '../../../runtime/list/list.css'
import { Button, Input, Select } from 'antd'
import { dequal } from 'dequal/lite'
import { memo, useMemo, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { FilterControl } from '../../../runtime/list/FilterControl'
import { useRefTitles } from '../../../runtime/list/Filters'
import { isUnary } from '../../../headless/list/query'
import { listTexts } from '../../../headless/list/texts'
import { isObject, splitAddress } from '../../../schema/overlay'
import type { FilterModel, FilterOperator } from '../../../schema/model'
import { parentOf, valueAt } from '../document/address'
import { useDesign } from '../editor/design'
import { beginningOf, comparedForm, filterBy, isComputed, relativeValues, type ValueForm } from '../language/values'
import { designerTexts } from '../texts'
import { JsonValue, ValueBox } from './JsonValue'
import { textOf, type WithId } from './controlProps'

/** Words that hold a value of a field: of the field that the part names, or that it is. */
export const OF_VALUES: ReadonlySet<string> = new Set(['default', 'value', 'x-backfill'])

interface Wanted {
  filter: FilterModel
  form: ValueForm
  /** It may follow who looks and on which day. */
  relative: boolean
}

/** The control that people know of the field whose value this is; without a known field the value is typed. */
export const ValueControl = (props: WithId) => {
  const wanted = useWanted(props)
  const texts = designerTexts[useHost().locale]
  if (!wanted) return <JsonValue {...props} />
  const { filter, form, relative } = wanted
  if (isUnary(filter.operator)) return <small className="sb-design-help">{texts.noValueNeeded}</small>
  const { id, value, onChange } = props
  if (form === 'typed') return <TypedValue id={id} value={value} onChange={onChange} />
  return (
    <ChosenValue
      key={`${filter.field.name} ${filter.operator}`}
      id={id}
      filter={filter}
      relative={relative}
      value={value}
      onChange={onChange}
    />
  )
}

const useWanted = ({ at, name }: WithId): Wanted | undefined => {
  const { document, labels, dictionaries } = useDesign()
  const { locale } = useHost()
  const here = parentOf(at).parent
  const part = valueAt(document, here)
  const given = isObject(part) ? part : {}
  // What narrows a reference compares fields of the record that is referred to.
  const about = splitAddress(at).includes('x-refFilter') ? undefined : fieldOf(here, given)
  const field = about?.name
  const entity = about?.entity ?? labels.entityAt(at)?.name
  const compares = typeof given.field === 'string'
  const operator = typeof given.operator === 'string' ? (given.operator as FilterOperator) : undefined
  const { entities } = labels
  return useMemo((): Wanted | undefined => {
    if (field === undefined || entity === undefined) return undefined
    const found = filterBy(entity, field, { entities, dictionaries, locale })
    const filter = found && (compares ? { ...found, operator: operator ?? found.operator } : beginningOf(found))
    const form = filter && comparedForm(filter)
    return form && { filter, form, relative: name !== 'x-backfill' }
  }, [field, entity, entities, dictionaries, locale, compares, operator, name])
}

/** The field that a part is about: `field` of a filter or condition, `$field` of a form, or the field of an entity itself. */
const fieldOf = (here: string, given: Readonly<Record<string, unknown>>): { entity?: string; name: string } | undefined => {
  if (typeof given.field === 'string') return { name: given.field }
  if (typeof given.$field === 'string') {
    const dot = given.$field.lastIndexOf('.')
    return { entity: given.$field.slice(0, dot), name: given.$field.slice(dot + 1) }
  }
  const { parent, last } = parentOf(here)
  return parent === 'properties' && isObject(given['x-label']) ? { name: last } : undefined
}

type ValueProps = Pick<WithId, 'id' | 'value' | 'onChange'>

/** A text as it is; an expression is typed the same way. */
const TypedValue = memo(function TypedValue({ id, value, onChange }: ValueProps) {
  return (
    <Input.TextArea
      id={id}
      size="small"
      autoSize={{ minRows: 1, maxRows: 8 }}
      value={textOf(value)}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    />
  )
})

const FIXED = 'fixed'
const EXPRESSION = 'expression'

/** A value from the control of its field, one that follows the day or the person, or an expression. */
export const ChosenValue = memo(function ChosenValue({
  id,
  filter,
  relative,
  value,
  onChange,
}: ValueProps & { filter: FilterModel; relative: boolean }) {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const choices = relative ? relativeValues(filter) : []
  const [writes, setWrites] = useState(false)
  const named = choices.find(([, known]) => dequal(known, value))?.[0]
  const given = writes ? EXPRESSION : (named ?? (isComputed(value) ? EXPRESSION : FIXED))
  const give = (next: string): void => {
    setWrites(next === EXPRESSION)
    const choice = choices.find(([moment]) => moment === next)
    if (choice) onChange(choice[1])
    else if (next === FIXED && isComputed(value)) onChange(undefined)
  }
  return (
    <div id={id} role="group" aria-labelledby={`${id}-label`} className="sb-design-value">
      {relative && (
        <Select
          size="small"
          aria-label={texts.givenAs}
          value={given}
          onChange={give}
          options={[
            { value: FIXED, label: texts.givenFixed },
            ...choices.map(([moment]) => ({ value: moment, label: texts.moments[moment] })),
            { value: EXPRESSION, label: texts.givenExpression },
          ]}
        />
      )}
      {given === EXPRESSION && <ValueBox id={`${id}-text`} label={texts.givenExpression} value={value} onChange={onChange} />}
      {given === FIXED && <FixedValue filter={filter} value={value} onChange={onChange} />}
    </div>
  )
})

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.every(isNothing))

const FixedValue = ({ filter, value, onChange }: { filter: FilterModel; value: unknown; onChange(value: unknown): void }) => {
  const host = useHost()
  const filters = useMemo(() => [filter], [filter])
  const draft = useMemo(() => ({ operator: filter.operator, value }), [filter, value])
  const query = useMemo(() => ({ filters: { [filter.id]: draft } }), [filter, draft])
  const [titles, learn] = useRefTitles(host, filters, query)
  const texts = designerTexts[host.locale]
  return (
    <div className="sb-design-given">
      <FilterControl
        filter={filter}
        draft={draft}
        host={host}
        texts={listTexts[host.locale]}
        titles={titles[filter.id] ?? {}}
        inline
        onTitles={(found) => learn(filter.id, found)}
        onChange={(next) => onChange(isNothing(next) ? undefined : next)}
      />
      {!isNothing(value) && (
        <Button size="small" type="link" onClick={() => onChange(undefined)}>
          {texts.clear}
        </Button>
      )}
    </div>
  )
}
