import { WidgetOutlet } from '../../widget'
import { controlName } from '../../../headless/form/node'
import type { ControlProps } from './control'

/** A widget that serves as a control: its values are what every control gets. */
const WidgetControl = (props: ControlProps) => (
  <WidgetOutlet
    name={controlName(props.node)}
    props={props.props}
    values={{ ...props }}
    source={{ where: props.field?.name ?? props.path, at: props.path }}
  />
)
export default WidgetControl
