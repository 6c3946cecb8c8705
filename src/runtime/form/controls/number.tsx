import { NumberInput } from './NumberInput'
import type { ControlProps } from './control'

const NumberControl = (props: ControlProps) => (
  <NumberInput
    {...props}
    as="number"
    decimals={typeof props.props.precision === 'number' ? props.props.precision : (props.field?.scale ?? 4)}
  />
)

export default NumberControl
