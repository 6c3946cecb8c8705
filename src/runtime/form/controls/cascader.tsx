import { Cascader as AntCascader } from 'antd'
import { useText } from '../view/session'
import type { ControlProps } from './control'

interface Branch {
  label: string
  value: string | number
  children?: Branch[]
}

/** A path through a tree of values, given in `x-component-props.options`. */
const Cascader = ({ id, value, onChange, disabled, readOnly, placeholder, props, opened }: ControlProps) => {
  const t = useText()
  return (
    <AntCascader
      id={id}
      className="sb-control-wide"
      value={Array.isArray(value) ? (value as (string | number)[]) : undefined}
      onChange={(next) => onChange(next ?? null)}
      options={Array.isArray(props.options) ? (props.options as Branch[]) : []}
      showSearch
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      defaultOpen={opened && !readOnly}
    />
  )
}

export default Cascader
