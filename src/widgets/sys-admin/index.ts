import { defineWidget } from '../../runtime/widget'

const noProps = { type: 'object', properties: {}, additionalProperties: false } as const

/** /setModule/authManage/permissions: roles with menus, buttons, row scopes, field rules and members; who has a key; comparison. */
export const rolePermissions = defineWidget({
  name: 'sys.rolePermissions',
  description: {
    zh: '权限管理：权限组的菜单、按钮、数据范围、字段规则与成员；谁有某个权限；对比',
    en: 'Roles: menus, buttons, row scopes, field rules and members; who has a permission; comparison',
  },
  props: noProps,
  load: async () => (await import('./screens')).rolePermissions(),
  example: { props: {} },
})

/** /setModule/authManage/menu: the tree of menus and permission keys. */
export const menuTree = defineWidget({
  name: 'sys.menuTree',
  description: { zh: '菜单管理：菜单树、移动排序、详情与按钮', en: 'The tree of menus: moving, details, permission keys' },
  props: noProps,
  load: async () => (await import('./screens')).menuTree(),
  example: { props: {} },
})

/** /setModule/departmentalOrganization: the departments as a tree with their staff. */
export const organizationTree = defineWidget({
  name: 'sys.organizationTree',
  description: { zh: '部门组织架构：部门树、移动、部门员工', en: 'The tree of departments: moving, details, staff' },
  props: noProps,
  load: async () => (await import('./screens')).organizationTree(),
  example: { props: {} },
})

/** Tab of a person's details. The place gives `staffId`. */
export const staffAccount = defineWidget({
  name: 'sys.staffAccount',
  description: {
    zh: '员工账号：登录状态、禁止与恢复登录、重置密码；values.staffId 为员工',
    en: 'The account of a person: sign-in state, disabling, password reset; values.staffId names the person',
  },
  props: noProps,
  load: async () => (await import('./screens')).staffAccount(),
  example: { props: {}, values: { staffId: 's1' } },
})

/** Tab of a person's details. The place gives `staffId`. */
export const effectiveRights = defineWidget({
  name: 'sys.effectiveRights',
  description: {
    zh: '员工的有效权限及其来源；values.staffId 为员工',
    en: 'What a person may do, and from which roles; values.staffId names the person',
  },
  props: noProps,
  load: async () => (await import('./screens')).effectiveRights(),
  example: { props: {}, values: { staffId: 's1' } },
})

/** /message/access-requests: what waits for a second person. */
export const accessRequests = defineWidget({
  name: 'sys.accessRequests',
  description: {
    zh: '账号与权限申请：等待确认的申请（重置密码、登录邮箱、恢复登录、授权）和自己提出的',
    en: 'Requests about accounts and rights: those to confirm (password, e-mail, sign-in, roles), and those that one has made',
  },
  props: noProps,
  load: async () => (await import('./screens')).accessRequests(),
  example: { props: {} },
})

/** /setModule/crm/dictionary and the dictionary pages of the other modules. */
export const dictionaries = defineWidget({
  name: 'sys.dictionaries',
  description: {
    zh: '字典：一个模块的字典和它们的值，新增、改名、排序、停用、使用次数与修改记录',
    en: 'The dictionaries of a module: adding, renaming, ordering and retiring values, their use and history',
  },
  props: {
    type: 'object',
    properties: { module: { type: 'string', description: 'Owning module of the dictionaries.' } },
    required: ['module'],
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).dictionaries(),
  example: { props: { module: 'crm' } },
})
