import { Select } from 'antd'
import { useText } from '../view/session'
import type { ControlProps } from './control'

/** A list of short texts. Enter, a comma or a line break ends one; a pasted list becomes many. */
const Strings = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, cell }: ControlProps) => {
  const t = useText()
  return (
    <Select
      id={id}
      className="sb-control-wide"
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', '，', '、', ';', '；', '\n', '\t']}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next: string[]) => onChange([...new Set(next.map((one) => one.trim()).filter(Boolean))])}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('addTag')}
      aria-describedby={describedBy}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default Strings
