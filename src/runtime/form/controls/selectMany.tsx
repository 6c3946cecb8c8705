import { SearchSelect } from '../../choice/SearchSelect'
import { TAGS_ON_PHONE, usePhone } from '../../media'
import { offered, searchedBy } from '../view/choices'
import { useText } from '../view/session'
import type { ControlProps } from './control'

/** Several of a list, or of a dictionary. */
const SelectMany = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  placeholder,
  choices,
  props,
  describedBy,
  opened,
  cell,
}: ControlProps) => {
  const t = useText()
  const phone = usePhone()
  return (
    <SearchSelect
      id={id}
      className="sb-control-wide"
      mode={props.mode === 'tags' ? 'tags' : 'multiple'}
      value={Array.isArray(value) ? (value as (string | number | boolean)[]) : []}
      onChange={(next: unknown) => onChange(next)}
      options={offered(choices, Array.isArray(value) ? value : [])}
      {...searchedBy(props)}
      allowClear
      maxTagCount={phone && !cell ? TAGS_ON_PHONE : 'responsive'}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      notFoundContent={t('nothingYet')}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default SelectMany
