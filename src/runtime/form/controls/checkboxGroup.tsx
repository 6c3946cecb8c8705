import { Checkbox } from 'antd'
import type { ControlProps } from './registry'

const CheckboxGroup = ({ value, onChange, disabled, readOnly, choices }: ControlProps) => (
  <Checkbox.Group
    value={Array.isArray(value) ? (value as (string | number | boolean)[]) : []}
    onChange={(next) => onChange(next)}
    disabled={disabled || readOnly}
    options={choices.map(({ label, value: code, disabled: off }) => ({ label, value: code, disabled: off }))}
  />
)

export default CheckboxGroup
