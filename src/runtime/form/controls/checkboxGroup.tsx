import { Checkbox } from 'antd'
import { offered } from '../view/choices'
import type { ControlProps } from './control'

const CheckboxGroup = ({ value, onChange, disabled, readOnly, choices }: ControlProps) => (
  <Checkbox.Group
    value={Array.isArray(value) ? (value as (string | number | boolean)[]) : []}
    onChange={(next) => onChange(next)}
    disabled={disabled || readOnly}
    options={offered(choices, Array.isArray(value) ? value : [])}
  />
)

export default CheckboxGroup
