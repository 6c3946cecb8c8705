import { escapeHtml } from '../../http'
import type { Locale, Text } from '../../http'
import type { DemoStaff } from '../options'
import { renderLayout, renderNotice } from './layout'
import type { PageLanguage } from './layout'

export interface SignInPage {
  /** Signed authorization request; every form carries it. */
  request: string
  language: PageLanguage
  tab: 'demo' | 'password'
  /** Null = no demo data: only name and password. */
  people: readonly DemoStaff[] | null
  /** Address of the other tab. */
  otherTab: string
  error?: Text
  wrongField?: 'name' | 'password' | 'verification'
  name?: string
  /** Id of a verification code that has to be typed. */
  verificationId?: string
}

const words = {
  title: { zh: '登录', en: 'Sign in' },
  demo: { zh: '选择演示员工', en: 'Demo staff' },
  password: { zh: '账号密码', en: 'Name and password' },
  name: { zh: '工号或企业邮箱', en: 'Job number or e-mail' },
  secret: { zh: '密码', en: 'Password' },
  verification: { zh: '验证码', en: 'Verification code' },
  again: { zh: '点击图片换一个', en: 'Click the image for another one' },
  enter: { zh: '登录', en: 'Sign in' },
  search: { zh: '搜索姓名、工号、部门', en: 'Name, job number, department' },
  empty: { zh: '还没有员工，请先用账号密码登录。', en: 'There are no staff yet. Please sign in with name and password.' },
} as const satisfies Record<string, Text>

/** The embedded identity page: choose a demo member of staff, or name and password (R280-R282). */
export function renderSignInPage(page: SignInPage): string {
  const { locale } = page.language
  const tabs = page.people === null ? '' : renderTabs(page, locale)
  const error = page.error ? renderNotice('error', page.error[locale]) : ''
  const body =
    page.tab === 'demo' && page.people !== null ? renderPeople(page, page.people, locale) : renderPasswordForm(page, locale)
  return renderLayout({ title: words.title, language: page.language, body: tabs + error + body })
}

function renderTabs({ tab, otherTab }: SignInPage, locale: Locale): string {
  const link = (id: SignInPage['tab'], text: Text) =>
    id === tab ? `<a href="#" aria-current="page">${text[locale]}</a>` : `<a href="${escapeHtml(otherTab)}">${text[locale]}</a>`
  return `<nav>${link('demo', words.demo)}${link('password', words.password)}</nav>`
}

function renderPeople({ request }: SignInPage, people: readonly DemoStaff[], locale: Locale): string {
  if (people.length === 0) return renderNotice('info', words.empty[locale])
  const groups = new Map<string, DemoStaff[]>()
  for (const person of people) groups.set(person.department[locale], [...(groups.get(person.department[locale]) ?? []), person])
  const sections = [...groups].map(
    ([department, members]) =>
      `<section data-group><h2>${escapeHtml(department)}</h2>${members.map((person) => renderPerson(person, department, locale)).join('')}</section>`,
  )
  return `<div hidden><input type="search" data-search placeholder="${words.search[locale]}" aria-label="${words.search[locale]}"></div>
<form method="post" action="/auth/identity/demo">${hidden('request', request)}${hidden('lang', locale)}<div class="people">${sections.join('')}</div></form>`
}

function renderPerson(person: DemoStaff, department: string, locale: Locale): string {
  const name = locale === 'en' && person.nameEn ? person.nameEn : person.name
  const text = [person.name, person.nameEn, person.jobNumber, department, person.position?.[locale]]
    .filter(Boolean)
    .join(' ')
    .toLowerCase()
  const position = person.position?.[locale] ?? ''
  return `<button class="person" name="staffId" value="${escapeHtml(person.staffId)}" data-text="${escapeHtml(text)}"><span>${escapeHtml(name)} (${escapeHtml(person.jobNumber)})</span><small>${escapeHtml(position)}</small></button>`
}

function renderPasswordForm(page: SignInPage, locale: Locale): string {
  const invalid = (field: SignInPage['wrongField']) => (page.wrongField === field ? ' aria-invalid="true"' : '')
  const verification =
    page.verificationId === undefined
      ? ''
      : `<label for="verification">${words.verification[locale]}</label>
<div class="verification"><input id="verification" name="verification" autocomplete="off" maxlength="4"${invalid('verification')}><img data-verification src="/dcode?id=${escapeHtml(page.verificationId)}" alt="${words.verification[locale]}" title="${words.again[locale]}"></div>
<p class="hint">${words.again[locale]}</p>${hidden('verificationId', page.verificationId)}`
  return `<form method="post" action="/auth/identity/password" novalidate>${hidden('request', page.request)}${hidden('lang', locale)}
<label for="name">${words.name[locale]}</label><input id="name" name="name" autocomplete="username" value="${escapeHtml(page.name ?? '')}"${invalid('name')}${page.name ? '' : ' autofocus'}>
<label for="password">${words.secret[locale]}</label><input id="password" name="password" type="password" autocomplete="current-password"${invalid('password')}>
${verification}<button class="primary">${words.enter[locale]}</button></form>`
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
}
