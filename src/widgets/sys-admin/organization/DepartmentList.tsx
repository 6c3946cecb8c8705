import { Tag, Tree } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { SearchedList } from '../split/SearchedList'
import { departmentName, flatDepartments, searchDepartments, type DepartmentNode } from './departments'
import { organizationTexts } from './texts'

interface DepartmentListProps {
  departments: readonly DepartmentNode[]
  chosen: string | null
  editable: boolean
  onChoose(id: string): void
  /** Dropped onto another department. */
  onMove(id: string, parentId: string): void
}

interface TreeNode {
  key: string
  title: ReactNode
  children: TreeNode[]
}

/** The departments with headcount and leader; dropped onto another one, a department moves below it. */
export const DepartmentList = ({ departments, chosen, editable, onChoose, onMove }: DepartmentListProps) => {
  const { locale } = useHost()
  const texts = organizationTexts[locale]
  const [search, setSearch] = useState('')
  const [expanded, setExpanded] = useState<readonly string[] | null>(null)
  const searching = search.trim() !== ''
  const shown = useMemo(() => searchDepartments(departments, search), [departments, search])
  const all = useMemo(() => flatDepartments(shown), [shown])
  // At first two levels are open; a company has few of them.
  const open = searching
    ? all.map(({ id }) => id)
    : (expanded ?? departments.flatMap((root) => [root.id, ...root.children.map(({ id }) => id)]))
  const toNode = (node: DepartmentNode): TreeNode => ({
    key: node.id,
    title: (
      <span className="sb-node">
        <bdi>{departmentName(node, locale)}</bdi>
        <span className="sb-choice-count">{node.staffCount}</span>
        {node.leader && <span className="sb-choice-more">{node.leader}</span>}
        {node.enabled === false && <Tag>{texts.disabledTag}</Tag>}
      </span>
    ),
    children: node.children.map(toNode),
  })
  return (
    <SearchedList
      search={search}
      onSearch={setSearch}
      label={texts.search}
      nothing={shown.length === 0 ? (searching ? texts.nothingFound : texts.nothing) : null}
      clearLabel={texts.clear}
    >
      <div className="sb-split-scroll">
        <Tree
          blockNode
          motion={false}
          aria-label={texts.tree}
          treeData={shown.map(toNode)}
          selectedKeys={chosen ? [chosen] : []}
          expandedKeys={[...open]}
          onExpand={(keys) => setExpanded(keys.map(String))}
          onSelect={(_, { node }) => onChoose(node.key)}
          draggable={editable && !searching ? { icon: false } : false}
          allowDrop={({ dropPosition }) => dropPosition === 0}
          onDrop={({ node, dragNode }) => onMove(dragNode.key, node.key)}
        />
      </div>
    </SearchedList>
  )
}
