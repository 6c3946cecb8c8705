import { escapeHtml } from '../../http'
import type { Text } from '../../http'
import { renderLayout, renderNotice } from './layout'
import type { PageLanguage } from './layout'

/** After a sign-in with a one-time password: a password of one's own is chosen first. */
export function renderNewPasswordPage(page: { proof: string; language: PageLanguage; error?: Text }): string {
  const { locale } = page.language
  const text = {
    title: { zh: '设置新密码', en: 'Choose a new password' },
    why: {
      zh: '您使用的是一次性密码，请设置自己的密码后继续。',
      en: 'You signed in with a one-time password. Please choose your own to go on.',
    },
    first: { zh: '新密码（12 至 64 位，含字母和数字）', en: 'New password (12 to 64 characters, a letter and a digit)' },
    second: { zh: '再输入一次', en: 'The same again' },
    go: { zh: '保存并登录', en: 'Save and sign in' },
  } as const satisfies Record<string, Text>
  const body = `${page.error ? renderNotice('error', page.error[locale]) : renderNotice('info', text.why[locale])}
<form method="post" action="/auth/identity/new-password" novalidate>
<input type="hidden" name="proof" value="${escapeHtml(page.proof)}"><input type="hidden" name="lang" value="${locale}">
<label for="password">${text.first[locale]}</label><input id="password" name="password" type="password" autocomplete="new-password" autofocus>
<label for="repeat">${text.second[locale]}</label><input id="repeat" name="repeat" type="password" autocomplete="new-password">
<button class="primary">${text.go[locale]}</button></form>`
  return renderLayout({ title: text.title, language: page.language, body })
}

/** Sign-in cannot go on: why, and a way back to its beginning. */
export function renderFaultPage(page: { message: Text; language: PageLanguage }): string {
  const { locale } = page.language
  const title = { zh: '无法登录', en: 'Sign-in is not possible' }
  const back = { zh: '重新登录', en: 'Start again' }
  const body = `${renderNotice('error', page.message[locale])}<p><a href="/login">${back[locale]}</a></p>`
  return renderLayout({ title, language: page.language, body })
}
