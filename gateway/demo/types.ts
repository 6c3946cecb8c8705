/** Rows of the demo world. Ids are readable and stable; instants are ISO texts in UTC, days YYYY-MM-DD. */
export interface DemoDepartment {
  id: string
  code: string
  name: string
  nameEn: string
  parentId: string | null
  path: string
  leaderId: string | null
  kind: string
  sortNo: number
  enabled: boolean
}
export interface DemoStaff {
  id: string
  jobNumber: string
  name: string
  nameEn: string
  email: string
  phone: string
  mainDeptId: string
  deptIds: string[]
  position: string
  managerId: string | null
  status: string
  hiredOn: string
  leftOn: string | null
  countries: string[]
  languages: string[]
  onDuty: boolean
  timeZone: string
}
export interface DemoRole {
  id: string
  code: string
  name: string
  nameEn: string
  /** International keys of menu resources; the loader turns them into ids. */
  menus: readonly string[]
  buttonKeys: readonly string[]
  scopes: Readonly<Record<string, readonly string[]>>
  fieldRules: Readonly<Record<string, 'hide' | 'mask' | 'read'>>
  remark: string
}
export interface DemoMember {
  id: string
  staffId: string
  roleId: string
  from: string
  until: string | null
}
/** A record of the world with the columns of its entity by field name; createdAt and createdBy included. */
export type DemoRecord = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly createdAt: string
  readonly createdBy: string
}

export interface DemoWorld {
  departments: DemoDepartment[]
  staff: DemoStaff[]
  roles: DemoRole[]
  members: DemoMember[]
  customers: DemoRecord[]
  contacts: DemoRecord[]
  followUps: DemoRecord[]
  ownerLogs: DemoRecord[]
  seaRecords: DemoRecord[]
  shares: DemoRecord[]
  /** Rows of further entities by entity name, in the order of filling. */
  further: Readonly<Record<string, readonly DemoRecord[]>>
}
