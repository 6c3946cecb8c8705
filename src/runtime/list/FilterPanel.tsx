import { Button, Popover, Select } from 'antd'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { FilterModel, FilterOperator } from '../../schema/model'
import type { Host } from '../../headless/host'
import { DAYS, isUnread } from '../picker/notation'
import { useTokenStyle } from '../tokens'
import { FilterControl } from './FilterControl'
import { list } from './filterControls'
import { isUnary, isVoid, takesList, type FilterValue } from '../../headless/list/query'
import type { ListTexts } from '../../headless/list/texts'
import { isComposing, isEnter } from '../typing'

interface FilterPanelProps {
  filter: FilterModel
  value: FilterValue | undefined
  host: Host
  texts: ListTexts
  titles: Readonly<Record<string, string>>
  onTitles(titles: Readonly<Record<string, string>>): void
  onClose(): void
  onChange(value: FilterValue | null): void
}

/** Keeps what was entered when the operator changes, as far as it can mean the same. */
const withOperator = (given: FilterValue, operator: FilterOperator): FilterValue => {
  if (isUnary(operator)) return { operator }
  const { value } = given
  if (operator === 'between')
    return { operator, value: Array.isArray(value) ? [value[0] ?? null, value[1] ?? null] : [value ?? null, null] }
  if (takesList(operator))
    return {
      operator,
      value: Array.isArray(value)
        ? value.filter((entry) => entry !== null)
        : value === undefined || value === null
          ? []
          : [value],
    }
  return { operator, value: Array.isArray(value) ? (value[0] ?? null) : value }
}

/** The control of one filter with its operator. Enter applies, Escape closes. */
const FilterPanel = ({ filter, value, host, texts, titles, onTitles, onClose, onChange }: FilterPanelProps) => {
  const style = useTokenStyle()
  const [draft, setShown] = useState<FilterValue>(value ?? { operator: filter.operator })
  // Enter takes over what was typed and applies it at once, before it is drawn
  const latest = useRef(draft)
  const setDraft = (next: FilterValue): void => {
    latest.current = next
    setShown(next)
  }
  const ofDays = filter.field.kind === 'date' || filter.field.kind === 'dateTime'
  const operators = filter.field.operators.includes(filter.operator)
    ? filter.field.operators
    : [filter.operator, ...filter.field.operators]
  const apply = (next: FilterValue): void => {
    if (ofDays && list(next.value).some((day) => isUnread(day, DAYS))) return
    onChange(isVoid(next) ? null : next)
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (isEnter(event) && event.target instanceof HTMLInputElement && event.target.type !== 'search') {
      event.preventDefault()
      apply(latest.current)
    }
  }
  const content = (
    <div className="sb-panel" style={style} role="dialog" aria-label={texts.filterBy(filter.title)} onKeyDown={onKeyDown}>
      {operators.length > 1 && (
        <Select<FilterOperator>
          size="small"
          variant="filled"
          aria-label={texts.operator}
          value={draft.operator}
          options={operators.map((operator) => ({ value: operator, label: texts.operators[operator] }))}
          onChange={(operator) => setDraft(withOperator(draft, operator))}
        />
      )}
      {!isUnary(draft.operator) && (
        <FilterControl
          filter={filter}
          draft={draft}
          host={host}
          texts={texts}
          titles={titles}
          onTitles={onTitles}
          onChange={(next) => setDraft({ ...draft, value: next })}
        />
      )}
      <div className="sb-panel-foot">
        <Button size="small" onClick={() => apply({ operator: filter.operator })}>
          {texts.reset}
        </Button>
        <Button size="small" type="primary" onClick={() => apply(latest.current)}>
          {texts.apply}
        </Button>
      </div>
    </div>
  )
  return (
    <Popover
      open
      arrow={false}
      placement="bottomLeft"
      trigger="click"
      content={content}
      getPopupContainer={(node) => node.parentElement ?? document.body}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <span className="sb-anchor" />
    </Popover>
  )
}
export default FilterPanel
