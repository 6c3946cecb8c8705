import { TreeSelect as AntTreeSelect } from 'antd'
import { useText } from '../view/session'
import type { ControlProps } from './control'

interface Branch {
  title: string
  value: string | number
  children?: Branch[]
}

/** One of a tree of values, given in `x-component-props.treeData`. */
const TreeSelect = ({ id, value, onChange, disabled, readOnly, placeholder, props, opened }: ControlProps) => {
  const t = useText()
  return (
    <AntTreeSelect
      id={id}
      className="sb-control-wide"
      value={typeof value === 'string' || typeof value === 'number' ? value : undefined}
      onChange={(next: unknown) => onChange(next ?? null)}
      treeData={Array.isArray(props.treeData) ? (props.treeData as Branch[]) : []}
      showSearch
      treeNodeFilterProp="title"
      allowClear
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      defaultOpen={opened && !readOnly}
    />
  )
}

export default TreeSelect
