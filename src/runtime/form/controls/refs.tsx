import { EntitySelect, referenceOf } from './EntitySelect'
import type { ControlProps } from './registry'

const Refs = (props: ControlProps) => <EntitySelect {...props} reference={referenceOf(props)} multiple />

export default Refs
