import type { Locale } from '../../../schema/problem'

const zh = {
  menu: '放进菜单',
  module: '模块',
  group: '菜单分组',
  top: '（模块第一层）',
  after: '排在其后',
  first: '（最前）',
  last: '（最后）',
  icon: '图标',
  roles: '授权给权限组',
  rolesHelp: '发布时授予；之后在“权限管理”中调整。',
  newKey: '新的键，随菜单项一起建立。',
  outside: '不在菜单中的页面从其他页面打开：知道地址的人都能打开，数据仍按各自的权限。',
  taken: '已被使用',
  needed: '请填写名称',
  entityNeeded: '请选择实体',
  help: '页面、菜单与权限键一起存为草稿，一起检查和发布；发布前只有您能看到。',
}
const en: typeof zh = {
  menu: 'Put it into a menu',
  module: 'Module',
  group: 'Menu group',
  top: '(first level of the module)',
  after: 'Stands after',
  first: '(first)',
  last: '(last)',
  icon: 'Icon',
  roles: 'Roles that get it',
  rolesHelp: 'Granted with the release; afterwards managed with the permissions.',
  newKey: 'A new key, made with the menu entry.',
  outside:
    'A page outside of the menu is opened from other pages: whoever knows the address may open it, its data keep their own permissions.',
  taken: 'Taken already',
  needed: 'Give it a name',
  entityNeeded: 'Choose an entity',
  help: 'The page, its menu entry and its permission key are one draft; they are checked and released together. Nobody else sees them before.',
}
export const newPageTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
