import { Input } from 'antd'
import type { ControlProps } from './control'

const Password = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy }: ControlProps) => (
  <Input.Password
    id={id}
    value={typeof value === 'string' ? value : ''}
    onChange={(event) => onChange(event.target.value)}
    disabled={disabled}
    readOnly={readOnly}
    placeholder={placeholder}
    autoComplete="new-password"
    aria-describedby={describedBy}
  />
)

export default Password
