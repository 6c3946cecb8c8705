import { useSession } from '../view/session'
import type { ControlProps } from './control'
import RichEditor from './RichEditor'

/** Formatted text, kept as sanitised HTML. */
const RichText = ({ id, value, onChange, disabled, readOnly, describedBy }: ControlProps) => (
  <RichEditor
    id={id}
    locale={useSession().locale}
    html={typeof value === 'string' ? value : ''}
    onChange={onChange}
    fixed={disabled || readOnly}
    labelledBy={`${id}-label`}
    describedBy={describedBy}
  />
)

export default RichText
