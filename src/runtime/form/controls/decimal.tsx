import { NumberInput } from './NumberInput'
import type { ControlProps } from './control'

/** An exact number; it travels as text. */
const Decimal = (props: ControlProps) => <NumberInput {...props} as="text" decimals={props.field?.scale ?? 4} />

export default Decimal
