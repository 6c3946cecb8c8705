import type { ControlProps } from './control'
import { plain } from './shown'

/** A value that is only shown. */
const ReadOnly = ({ value }: ControlProps) => <span className="sb-form-value">{plain(value)}</span>

export default ReadOnly
