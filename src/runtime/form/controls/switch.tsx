import { Switch as AntSwitch } from 'antd'
import type { ControlProps } from './control'

const Switch = ({ id, value, onChange, disabled, readOnly, describedBy }: ControlProps) => (
  <AntSwitch
    id={id}
    checked={value === true}
    onChange={(next) => onChange(next)}
    disabled={disabled || readOnly}
    aria-describedby={describedBy}
  />
)

export default Switch
