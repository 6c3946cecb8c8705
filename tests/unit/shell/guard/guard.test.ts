import { describe, expect, it } from 'vitest'
import { chrome, decide, isBookmarkable, type GuardInput } from '../../../../src/shell/guard/guard'
import { mayOpen } from '../../../../src/shell/guard/authorization'
import { createRouteTable, isRouteTableData } from '../../../../src/shell/guard/routeTable'
import { ROUTES } from '../../../e2e/support/fakeWorld'

const table = createRouteTable(ROUTES)
const rights = { routers: new Set(['/crm/list', '/crm/coming']), keys: new Set<string>() }
const at = (address: string, more: Partial<GuardInput> = {}) => {
  const [path = '', query] = address.split('?')
  const search = query === undefined ? '' : `?${query}`
  return decide({
    path,
    search,
    origin: 'https://portal.example.com',
    signedIn: true,
    table,
    rights,
    platform: 'PC',
    h5: '',
    ...more,
  })
}

describe('the guard, signed in', () => {
  it('/ leads to /home (R024), /login and /authorize lead to / (R185, R027)', () => {
    expect(at('/')).toEqual({ type: 'redirect', to: '/home' })
    expect(at('/login?redirectPath=/crm/list')).toEqual({ type: 'redirect', to: '/' })
    expect(at('/authorize?code=1')).toEqual({ type: 'redirect', to: '/' })
  })

  it('/refresh leads to redirectPath with the rest of the query (R029, R030)', () => {
    expect(at('/refresh?redirectPath=/message/email/inbox&a=1')).toEqual({ type: 'refresh', to: '/message/email/inbox?a=1' })
    expect(at('/refresh?redirectPath=//evil.example')).toEqual({ type: 'refresh', to: '/home' })
  })

  it('is for people who are signed in only: whoever is not goes to the sign-in (R002)', () => {
    for (const path of ['/home', '/crm/list', '/crm/list/details', '/srm/a/b'])
      expect(at(path, { signedIn: false })).toMatchObject({ type: 'signIn' })
  })

  it('shows the sub-application that a menu entry names, below it too, where the portal has no page of its own', () => {
    const embeds = new Map([
      ['/crm/coming', { iframeName: 'boards', module: 'crm' }],
      ['/other', { iframeName: 'tools', module: 'report' }],
      ['/crm', { iframeName: 'far', module: 'crm' }],
    ])
    const mine = { rights: { ...rights, embeds } }
    expect(at('/crm/coming', mine)).toMatchObject({ type: 'embed', iframeName: 'boards', module: 'crm' })
    expect(at('/crm/coming/deep?x=1', mine)).toMatchObject({ type: 'embed', iframeName: 'boards' })
    expect(at('/other/any', mine)).toMatchObject({ type: 'embed', iframeName: 'tools', module: 'report', bookmark: true })
    expect(at('/crm/list', mine)).toMatchObject({ type: 'page' })
    expect(at('/others', mine)).toEqual({ type: 'notFound' })
    expect(at('/crm/coming')).toMatchObject({ type: 'notYet' })
  })

  it('aliases and redirect routes keep the query (R123)', () => {
    expect(at('/crm/customerDetail?id=7')).toEqual({ type: 'redirect', to: '/crm/list/details?id=7' })
    expect(at('/message/email')).toEqual({ type: 'redirect', to: '/message/email/inbox' })
  })

  it('leads from an address that stands for those below it to the first one that may be opened', () => {
    const page = (path: string) => ({ ...ROUTES.routes.find((route) => route.path === '/crm/list')!, path })
    const bare = { ...page('/tools'), page: null, redirect: '/tools/a' }
    const tools = createRouteTable({ ...ROUTES, routes: [bare, page('/tools/a'), page('/tools/b'), page('/tools/c')] })
    const whoHas = (...routers: string[]) =>
      at('/tools?x=1', { table: tools, rights: { routers: new Set(routers), keys: new Set() } })
    expect(whoHas('/tools/a', '/tools/b')).toEqual({ type: 'redirect', to: '/tools/a?x=1' })
    expect(whoHas('/tools/c', '/tools/b')).toEqual({ type: 'redirect', to: '/tools/b?x=1' })
    expect(whoHas()).toEqual({ type: 'redirect', to: '/tools/a?x=1' })
  })

  it('always allows /home, /login, /authorize, /refresh and /ddNotice (R045, R262, R031)', () => {
    for (const path of ['/home', '/login', '/authorize', '/refresh', '/ddNotice'])
      expect(mayOpen(table, path, { routers: new Set(), keys: new Set() })).toBe(true)
    expect(at('/ddNotice')).toEqual({ type: 'ddNotice' })
    const notice = (target: string) => at('/ddNotice', { search: `?target=${encodeURIComponent(target)}` })
    expect(notice('/general/process/my-agent/profile?taskId=1')).toEqual({
      type: 'redirect',
      to: '/general/process/my-agent/profile?taskId=1',
    })
    for (const other of ['https://elsewhere.example/x', '//elsewhere.example', '/\\elsewhere.example', ''])
      expect(notice(other)).toEqual({ type: 'ddNotice' })
  })

  it('shows a page whose router is held (R264), also through its parent menu route, and refuses the others (R265)', () => {
    expect(at('/crm/list')).toMatchObject({ type: 'page' })
    expect(at('/crm/list/edit')).toMatchObject({ type: 'page' })
    expect(at('/crm/secret')).toEqual({ type: 'forbidden' })
    expect(at('/crm/list', { rights: { routers: new Set(), keys: new Set(['crm:list']) } })).toEqual({ type: 'forbidden' })
  })

  it('shows detail routes to everybody (R050, R261) and what is absent from the table (R263)', () => {
    const none = { routers: new Set<string>(), keys: new Set<string>() }
    expect(at('/crm/list/details?id=1', { rights: none })).toMatchObject({ type: 'page' })
    expect(at('/crm/no-such-page', { rights: none })).toMatchObject({ type: 'embed', iframeName: 'crm' })
  })

  it('an unknown path below a module reaches its catch-all (R032, R035, R036), any other path is not found (R034)', () => {
    expect(at('/srm/a/b/c')).toMatchObject({ type: 'embed', iframeName: 'srm' })
    expect(at('/offerManage')).toMatchObject({ type: 'embed', bookmark: false })
    expect(at('/message/nothing')).toEqual({ type: 'notFound' })
    expect(at('/nowhere')).toEqual({ type: 'notFound' })
    expect(at('/crm/list/')).toMatchObject({ type: 'page' })
  })

  it('a route whose page is not there yet has a screen of its own', () => {
    expect(at('/crm/coming')).toMatchObject({ type: 'notYet' })
  })

  it('sends people of the mobile platform to the mobile site, when there is one (R194)', () => {
    expect(at('/crm/list?a=1', { platform: 'H5', h5: 'https://m.example.com' })).toEqual({
      type: 'leave',
      to: 'https://m.example.com/crm/list?a=1',
    })
    expect(at('/crm/list', { platform: 'H5' })).toMatchObject({ type: 'page' })
  })
})

describe('the guard, signed out', () => {
  it('opens /login, /authorize and /offerManage only (R186); anything else goes to /login and keeps the query (R187)', () => {
    expect(at('/offerManage/customerQuotation?accountId=1', { signedIn: false })).toEqual({ type: 'offerNotice' })
    expect(at('/crm/list?id=1', { signedIn: false })).toEqual({ type: 'signIn', to: '/login?id=1&redirectPath=%2Fcrm%2Flist' })
    expect(at('/home', { signedIn: false })).toEqual({ type: 'signIn', to: '/login' })
    expect(at('/offerManageX', { signedIn: false })).toMatchObject({ type: 'signIn' })
  })
})

describe('what stands around a page', () => {
  it('the route flags decide about tab bar and side menu (R082, R083)', () => {
    expect(chrome('/crm/plain', { bookmark: false, aside: true }, 'crm')).toEqual({ tabs: false, aside: true })
    expect(chrome('/crm/plain', { bookmark: true, aside: false }, 'crm')).toEqual({ tabs: true, aside: false })
  })

  it('/home has neither in the home layout (R025) and both in any other (R084)', () => {
    expect(chrome('/home', { bookmark: false, aside: false }, 'home')).toEqual({ tabs: false, aside: false })
    expect(chrome('/home', { bookmark: false, aside: false }, 'crm')).toEqual({ tabs: true, aside: true })
  })

  it('never makes a tab of /home (R026), of bare /offerManage (R191), or of a quotation link (R192, R193)', () => {
    expect(isBookmarkable('/home', '', true)).toBe(false)
    expect(isBookmarkable('/offerManage', '', true)).toBe(false)
    expect(isBookmarkable('/offerManage/customerQuotation', '?accountId=1', true)).toBe(false)
    expect(isBookmarkable('/offerManage/customerQuotation/sendSmsQuotation', '?accountId=1', true)).toBe(false)
    expect(isBookmarkable('/offerManage/customerQuotation', '', true)).toBe(true)
    expect(isBookmarkable('/crm/list', '?accountId=1', true)).toBe(true)
    expect(isBookmarkable('/crm/list', '', false)).toBe(false)
  })
})

describe('the route list', () => {
  it('is believed only when it has the shape of one', () => {
    expect(isRouteTableData(ROUTES)).toBe(true)
    for (const wrong of [null, [], {}, { modules: [], routes: [{}] }, { modules: [null], routes: [] }, '<html>'])
      expect(isRouteTableData(wrong)).toBe(false)
  })
})
