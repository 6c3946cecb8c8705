import { Input } from 'antd'
import type { ControlProps } from './control'

const KEYBOARDS = { email: 'email', url: 'url' } as const

/** One line of text; e-mail and web addresses get their keyboard. */
const Text = ({
  id,
  value,
  onChange,
  onBlur,
  disabled,
  readOnly,
  placeholder,
  field,
  props,
  describedBy,
  cell,
}: ControlProps) => (
  <Input
    id={id}
    value={typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value)}
    onChange={(event) => onChange(event.target.value)}
    onBlur={onBlur}
    disabled={disabled}
    readOnly={readOnly}
    placeholder={placeholder}
    inputMode={field?.kind === 'email' || field?.kind === 'url' ? KEYBOARDS[field.kind] : undefined}
    maxLength={typeof props.maxLength === 'number' ? props.maxLength : undefined}
    aria-describedby={describedBy}
    autoComplete="off"
    variant={cell ? 'borderless' : undefined}
  />
)

export default Text
