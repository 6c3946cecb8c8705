import { EntitySelect, referenceOf } from './EntitySelect'
import type { ControlProps } from './control'

const Refs = (props: ControlProps) => <EntitySelect {...props} reference={referenceOf(props)} multiple />

export default Refs
