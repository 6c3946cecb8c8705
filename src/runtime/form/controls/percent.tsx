import { NumberInput } from './NumberInput'
import type { ControlProps } from './control'

const Percent = (props: ControlProps) => <NumberInput {...props} as="text" decimals={props.field?.scale ?? 4} suffix="%" />

export default Percent
