import { Rate as AntRate } from 'antd'
import type { ControlProps } from './control'

const Rate = ({ id, value, onChange, disabled, readOnly, props }: ControlProps) => (
  <AntRate
    id={id}
    value={typeof value === 'number' ? value : 0}
    onChange={(next) => onChange(next || null)}
    count={typeof props.count === 'number' ? props.count : 5}
    disabled={disabled || readOnly}
  />
)

export default Rate
