import { Slider as AntSlider } from 'antd'
import type { ControlProps } from './control'

const Slider = ({ id, value, onChange, disabled, readOnly, props, field }: ControlProps) => (
  <AntSlider
    id={id}
    ariaLabelledByForHandle={`${id}-label`}
    value={typeof value === 'number' ? value : undefined}
    onChange={(next) => onChange(next)}
    min={typeof props.min === 'number' ? props.min : field?.minimum}
    max={typeof props.max === 'number' ? props.max : field?.maximum}
    disabled={disabled || readOnly}
  />
)

export default Slider
