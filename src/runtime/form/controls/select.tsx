import { SearchSelect } from '../../choice/SearchSelect'
import { usePhone } from '../../media'
import { offered, searchedBy } from '../view/choices'
import { useText } from '../view/session'
import type { ControlProps } from './control'

/** On a phone a keyboard over a few values is in the way. */
const SEARCHED = 8

/** One of a list, or of a dictionary. A value that the list no longer holds stays visible as it is. */
const Select = ({
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
  const options = offered(choices, [value])
  const phone = usePhone()
  return (
    <SearchSelect
      id={id}
      className="sb-control-wide"
      value={value === null || value === '' ? undefined : (value as string | number | boolean | undefined)}
      onChange={(next: unknown) => onChange(next ?? null)}
      options={options}
      allowClear
      showSearch={!phone || options.length > SEARCHED}
      {...searchedBy(props)}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      notFoundContent={t('nothingYet')}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default Select
