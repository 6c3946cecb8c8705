import { EntitySelect, referenceOf } from './EntitySelect'
import type { ControlProps } from './control'

const Ref = (props: ControlProps) => <EntitySelect {...props} reference={referenceOf(props)} multiple={false} />

export default Ref
