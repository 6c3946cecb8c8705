import { Input } from 'antd'
import type { ControlProps } from './control'

/** Several lines of text; grows with its content. */
const Textarea = ({ id, value, onChange, disabled, readOnly, placeholder, field, props, describedBy, cell }: ControlProps) => (
  <Input.TextArea
    id={id}
    value={typeof value === 'string' ? value : ''}
    onChange={(event) => onChange(event.target.value)}
    disabled={disabled}
    readOnly={readOnly}
    placeholder={placeholder}
    autoSize={{ minRows: cell ? 1 : 3, maxRows: typeof props.rows === 'number' ? Math.max(props.rows, 3) : 12 }}
    showCount={!cell && field?.maxLength !== undefined ? { formatter: ({ count }) => `${count} / ${field.maxLength}` } : false}
    aria-describedby={describedBy}
    variant={cell ? 'borderless' : undefined}
  />
)

export default Textarea
