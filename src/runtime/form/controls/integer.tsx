import { NumberInput } from './NumberInput'
import type { ControlProps } from './registry'

const Integer = (props: ControlProps) => <NumberInput {...props} as="number" decimals={0} />

export default Integer
