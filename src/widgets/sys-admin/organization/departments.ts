import type { Locale } from '../../../schema/problem'

/** A department as the entity engine answers it. */
export interface Department {
  id: string
  version: number
  code: string
  name: string
  nameEn: string | null
  parentId: string | null
  leaderId: string | null
  kind: string
  sortNo: number | null
  enabled: boolean | null
  /** Active staff, those of the departments below included. */
  staffCount: number
  $write: boolean
}
export interface DepartmentAnswer {
  records: readonly Department[]
  refs: Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
}
export interface DepartmentNode extends Department {
  leader: string | null
  children: DepartmentNode[]
}

export const DEPARTMENT = '/v2/sys/department'
export const EDIT_DEPARTMENTS = 'setModule:departmentalOrganization:edit'

export const departmentName = (department: Pick<Department, 'name' | 'nameEn'>, locale: Locale): string =>
  (locale === 'en' && department.nameEn) || department.name

/** The departments as a tree in their order. One whose parent is not there stands at the top. */
export const departmentTree = ({ records, refs }: DepartmentAnswer): DepartmentNode[] => {
  const nodes = new Map(
    records.map((record): [string, DepartmentNode] => [
      record.id,
      { ...record, leader: record.leaderId ? (refs['sys.staff']?.[record.leaderId]?.title ?? null) : null, children: [] },
    ]),
  )
  const roots: DepartmentNode[] = []
  for (const node of nodes.values()) (nodes.get(node.parentId ?? '')?.children ?? roots).push(node)
  return roots
}

/** Every department below, itself first. */
export const flatDepartments = (nodes: readonly DepartmentNode[]): DepartmentNode[] =>
  nodes.flatMap((node) => [node, ...flatDepartments(node.children)])

/** The part of the tree that holds what is looked for by name, code or leader. */
export const searchDepartments = (nodes: readonly DepartmentNode[], search: string): readonly DepartmentNode[] => {
  const wanted = search.trim().toLocaleLowerCase()
  if (wanted === '') return nodes
  return nodes.flatMap((node) => {
    const own = `${node.name} ${node.nameEn ?? ''} ${node.code} ${node.leader ?? ''}`.toLocaleLowerCase().includes(wanted)
    if (own) return [node]
    const children = searchDepartments(node.children, search)
    return children.length > 0 ? [{ ...node, children: [...children] }] : []
  })
}
