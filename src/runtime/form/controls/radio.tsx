import { Radio as AntRadio } from 'antd'
import { offered } from '../view/choices'
import type { ControlProps } from './control'

/** `buttons`: side by side in one bar, for steps of a scale. */
const Radio = ({ id, value, onChange, disabled, readOnly, choices, props }: ControlProps) => {
  const One = props.buttons === true ? AntRadio.Button : AntRadio
  return (
    <AntRadio.Group id={id} value={value} onChange={(event) => onChange(event.target.value)} disabled={disabled || readOnly}>
      {offered(choices, [value]).map((choice) => (
        <One key={String(choice.value)} value={choice.value} disabled={choice.disabled}>
          {choice.label}
        </One>
      ))}
    </AntRadio.Group>
  )
}

export default Radio
