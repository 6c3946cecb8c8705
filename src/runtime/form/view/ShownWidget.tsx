import { WidgetOutlet } from '../../widget'

/** A widget in a form that is no control of a field: it reads the form around it. */
const ShownWidget = ({ name, path, props }: { name: string; path: string; props: Readonly<Record<string, unknown>> }) => (
  <WidgetOutlet name={name} props={props} values={{ path, readOnly: true }} source={{ where: path, at: path }} />
)
export default ShownWidget
