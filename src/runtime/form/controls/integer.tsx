import { NumberInput } from './NumberInput'
import type { ControlProps } from './control'

const Integer = (props: ControlProps) => <NumberInput {...props} as="number" decimals={0} />

export default Integer
