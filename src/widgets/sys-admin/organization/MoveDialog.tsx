import { TreeSelect } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { departmentName, type DepartmentNode } from './departments'
import { organizationTexts } from './texts'
import { Dialog } from '../../../runtime/dialog/Dialog'

interface MoveDialogProps {
  department: DepartmentNode
  departments: readonly DepartmentNode[]
  onPick(parentId: string): void
  onClose(): void
}

interface Option {
  value: string
  title: string
  children: Option[]
}

/** Chooses the new parent of a department without a mouse; itself and what is below it are left out. */
export const MoveDialog = ({ department, departments, onPick, onClose }: MoveDialogProps) => {
  const { locale } = useHost()
  const texts = organizationTexts[locale]
  const [target, setTarget] = useState<string | null>(department.parentId)
  const toOptions = (nodes: readonly DepartmentNode[]): Option[] =>
    nodes
      .filter(({ id }) => id !== department.id)
      .map((node) => ({ value: node.id, title: departmentName(node, locale), children: toOptions(node.children) }))
  return (
    <Dialog
      open
      title={texts.moveTo(departmentName(department, locale))}
      okText={texts.move}
      okButtonProps={{ disabled: target === null || target === department.parentId }}
      onOk={() => target !== null && onPick(target)}
      onCancel={onClose}
    >
      <TreeSelect<string | null>
        autoFocus
        showSearch
        treeDefaultExpandAll
        treeNodeFilterProp="title"
        style={{ width: '100%' }}
        aria-label={texts.parent}
        placeholder={texts.parent}
        value={target}
        treeData={toOptions(departments)}
        onChange={setTarget}
      />
    </Dialog>
  )
}
