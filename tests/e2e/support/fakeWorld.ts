import type { PageBundle } from '../../../src/headless/host'
import type { RouteFacts } from '../../../src/schema/routes'
import type { RouteTableData } from '../../../src/shell/guard/routeTable'
import type { MenuResource } from '../../../src/shell/layout/menu'

/** A small world for the shell's tests: three modules, pages of every kind of route, one person. */

const route = (path: string, zh: string, en: string, more: Partial<RouteFacts> = {}): RouteFacts => ({
  path,
  module: path.split('/')[1] ?? '',
  title: { zh, en },
  kind: 'widget',
  menu: true,
  single: false,
  bookmark: true,
  aside: true,
  detail: false,
  page: path,
  ...more,
})

/** More entries than fit, so that tab bar and menus have something to scroll. */
const MANY = Array.from({ length: 14 }, (_, index) =>
  route(`/srm/many/p${index + 1}`, `供应商页面${index + 1}`, `Supplier page ${index + 1}`),
)

export const ROUTES: RouteTableData = {
  revision: 'r1',
  modules: [
    { name: 'home', title: { zh: '首页', en: 'Home' }, sort: 1 },
    { name: 'crm', title: { zh: '客户管理', en: 'Customers' }, icon: 'team', sort: 2, embed: 'crm' },
    { name: 'srm', title: { zh: '供应商管理', en: 'Suppliers' }, icon: 'shop', sort: 3, embed: 'srm' },
    { name: 'offerManage', title: { zh: '报价管理', en: 'Quotes' }, sort: 4, embed: 'offerManage' },
    { name: 'message', title: { zh: '消息中心', en: 'Messages' }, sort: 5, embed: 'message' },
  ],
  routes: [
    route('/home', '首页', 'Home Overview', { module: 'home', kind: 'dashboard', menu: false, bookmark: false, aside: false }),
    route('/crm/list', '我的客户', 'My customers', { permission: 'crm:list' }),
    route('/crm/sea', '客户公海', 'Open sea', { permission: 'crm:sea', single: true }),
    route('/crm/list/details', '客户详情', 'Customer', {
      menu: false,
      detail: true,
      activeMenu: '/crm/list',
      titleFrom: '{{ query.name }}',
      aliases: ['/crm/customerDetail'],
    }),
    route('/crm/list/edit', '编辑客户', 'Edit customer', { menu: false, activeMenu: '/crm/list' }),
    route('/crm/secret', '机密', 'Secret'),
    route('/crm/coming', '未上线页面', 'Coming page', { page: null }),
    route('/crm/plain', '无标签页面', 'Page without a tab', { bookmark: false, aside: false, menu: false, detail: true }),
    route('/crm/:page*', '客户子应用', 'CRM sub-application', { kind: 'embed', menu: false, page: null }),
    route('/srm/:page*', '供应商子应用', 'SRM sub-application', { kind: 'embed', menu: false, page: null }),
    route('/offerManage', '报价管理', 'Quotes', { kind: 'embed', bookmark: false, menu: false, page: null }),
    route('/offerManage/customerQuotation', '客户报价', 'Customer quotation', { menu: false, detail: true }),
    route('/message/email', '邮件', 'Mail', { kind: 'redirect', menu: false, page: null, redirect: '/message/email/inbox' }),
    route('/message/email/inbox', '收件箱', 'Inbox', { detail: true, menu: false }),
    route('/message/email/none', '未绑定邮箱', 'No mailbox', { detail: true, menu: false }),
    ...MANY,
  ],
}

const entry = (path: string, name: string, nameEn: string): MenuResource => ({
  id: path,
  name,
  nameEn,
  router: path,
  international: path.slice(1).replaceAll('/', ':'),
  webShowFlag: true,
  children: [],
})

export const MENU: readonly MenuResource[] = [
  {
    id: 'crm',
    name: '客户管理',
    nameEn: 'Customers',
    international: 'crm:crm',
    icon: 'team',
    webShowFlag: true,
    children: [
      {
        id: 'crm.group',
        name: '客户与伙伴',
        nameEn: 'Customers and partners',
        international: 'crm:group',
        icon: 'team',
        webShowFlag: true,
        children: [
          entry('/crm/list', '我的客户', 'My customers'),
          entry('/crm/sea', '客户公海', 'Open sea'),
          entry('/crm/coming', '未上线页面', 'Coming page'),
        ],
      },
    ],
  },
  {
    id: 'srm',
    name: '供应商管理',
    nameEn: 'Suppliers',
    international: 'srm:srm',
    icon: 'shop',
    webShowFlag: true,
    children: [
      {
        id: 'srm.many',
        name: '许多页面',
        nameEn: 'Many pages',
        international: 'srm:many',
        icon: 'shop',
        webShowFlag: true,
        children: MANY.map(({ path, title }) => entry(path, title.zh, title.en)),
      },
    ],
  },
]

export const BUTTONS = [{ international: 'crm:list:add' }]

export const USER = {
  userId: 'u1',
  staffId: 's1',
  name: '王伟',
  jobNumber: 'S0042',
  avatar: null,
  jobTime: null,
  deptNames: ['销售一部'],
}

/** Every page is the home widget: the shell's tests are about what stands around it. */
export const bundles: Readonly<Record<string, PageBundle>> = Object.fromEntries(
  ROUTES.routes.flatMap(({ path, title, page }) =>
    page === null
      ? []
      : [
          [
            path,
            {
              page: { formatVersion: 3, kind: 'widget', path, title, widget: 'home.overview' },
              where: page,
              revision: 'r1',
              entities: {},
              dictionaries: {},
            } satisfies PageBundle,
          ],
        ],
  ),
)
