import { Checkbox as AntCheckbox } from 'antd'
import type { ControlProps } from './control'

const Checkbox = ({ id, value, onChange, disabled, readOnly, props }: ControlProps) => (
  <AntCheckbox
    id={id}
    checked={value === true}
    onChange={(event) => onChange(event.target.checked)}
    disabled={disabled || readOnly}
  >
    {typeof props.children === 'string' ? props.children : null}
  </AntCheckbox>
)

export default Checkbox
