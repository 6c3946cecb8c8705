import { Radio as AntRadio } from 'antd'
import { offered } from '../view/choices'
import type { ControlProps } from './control'

const Radio = ({ id, value, onChange, disabled, readOnly, choices }: ControlProps) => (
  <AntRadio.Group id={id} value={value} onChange={(event) => onChange(event.target.value)} disabled={disabled || readOnly}>
    {offered(choices, [value]).map((choice) => (
      <AntRadio key={String(choice.value)} value={choice.value} disabled={choice.disabled}>
        {choice.label}
      </AntRadio>
    ))}
  </AntRadio.Group>
)

export default Radio
