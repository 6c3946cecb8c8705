import { TreeSelect } from 'antd'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { isAborted } from '../../../headless/failure'
import { useSession, useText } from '../view/session'
import { referenceOf } from './EntitySelect'
import type { ControlProps } from './control'

interface Department {
  id: string
  name: string
  nameEn?: string | null
  parentId?: string | null
  enabled?: boolean
}
interface Branch {
  value: string
  title: string
  disabled: boolean
  children: Branch[]
}

const FALLBACK = { entity: 'sys.department', path: '/v2/sys/department', label: '', where: () => [] }
const MOST = 500

/** Departments as a tree; one whose parent is not in the list stands at the top. */
const treeOf = (departments: readonly Department[], english: boolean): Branch[] => {
  const branches = new Map(
    departments.map(({ id, name, nameEn, enabled }): [string, Branch] => [
      id,
      { value: id, title: (english && nameEn) || name, disabled: enabled === false, children: [] },
    ]),
  )
  const roots: Branch[] = []
  for (const { id, parentId } of departments) {
    const branch = branches.get(id)
    if (!branch) continue
    const parent = parentId ? branches.get(parentId) : undefined
    ;(parent && parent !== branch ? parent.children : roots).push(branch)
  }
  return roots
}

/** A department, chosen from the tree of the company. */
const DepartmentControl = (props: ControlProps) => {
  const { id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, node, field } = props
  const { host, titles } = useSession()
  const t = useText()
  const { entity, path } = referenceOf(props, FALLBACK) ?? FALLBACK
  const multiple = props.props.multiple === true || node.type === 'array' || field?.kind === 'refs'
  const [departments, setDepartments] = useState<readonly Department[] | null>(null)
  const [failure, setFailure] = useState('')
  const [open, setOpen] = useState(opened === true && !readOnly)
  useSyncExternalStore(titles.subscribe, titles.version)
  const chosen = (Array.isArray(value) ? value : [value]).flatMap((one) => (one ? [String(one)] : []))

  useEffect(() => {
    titles.ask(
      entity,
      path,
      (Array.isArray(value) ? value : [value]).flatMap((one) => (one ? [String(one)] : [])),
    )
  }, [titles, entity, path, value])

  useEffect(() => {
    if (!open || departments) return
    const abort = new AbortController()
    host
      .request<{ records: Department[] }>({
        method: 'POST',
        path: `${path}/queryPage`,
        body: { pageNo: 1, pageSize: MOST },
        signal: abort.signal,
      })
      .then(({ records }) => setDepartments(records))
      .catch((error: unknown) => {
        if (!isAborted(error)) setFailure(error instanceof Error ? error.message : String(error))
      })
    return () => abort.abort()
  }, [departments, host, open, path])

  const known = treeOf(departments ?? [], host.locale === 'en')
  const missing = chosen.filter((one) => !departments?.some((department) => department.id === one))
  const branches = [
    ...known,
    ...missing.map((one): Branch => ({ value: one, title: titles.get(entity, one) ?? one, disabled: false, children: [] })),
  ]

  return (
    <TreeSelect
      id={id}
      className="sb-control-wide"
      multiple={multiple}
      value={multiple ? chosen : chosen[0]}
      onChange={(next: unknown) => onChange(multiple ? next : (next ?? null))}
      treeData={branches}
      treeDefaultExpandAll
      showSearch
      treeNodeFilterProp="title"
      allowClear
      open={open}
      onOpenChange={setOpen}
      loading={open && !departments && !failure}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? t('choose')}
      notFoundContent={failure ? t('searchFailed', { reason: failure }) : departments ? t('nothingYet') : '…'}
      aria-describedby={describedBy}
    />
  )
}

export default DepartmentControl
