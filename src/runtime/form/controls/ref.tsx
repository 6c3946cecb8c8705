import { EntitySelect, referenceOf } from './EntitySelect'
import type { ControlProps } from './registry'

const Ref = (props: ControlProps) => <EntitySelect {...props} reference={referenceOf(props)} multiple={false} />

export default Ref
