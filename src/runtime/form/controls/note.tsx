import type { ControlProps } from './control'

/** A sentence between the fields; drawn by the layout, never as an input. */
const Note = ({ node }: ControlProps) => <span className="sb-form-help">{node.description ?? node.title}</span>

export default Note
