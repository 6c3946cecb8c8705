import { escapeHtml, type Locale } from '../../../platform/http'

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/1.6 -apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif}
main{max-width:440px;margin:12vh auto;padding:0 20px}h1{font-size:22px}button{font:inherit;min-height:44px;padding:8px 20px;margin:8px 8px 0 0;border-radius:6px;border:1px solid #8c8c8c;cursor:pointer}
.main{background:#1f5eff;border-color:#1f5eff;color:#fff}p{overflow-wrap:anywhere}`

const TEXTS = {
  zh: {
    subscribed: {
      title: '退订营销邮件',
      text: (email: string) => `${email} 将不再收到我们的营销邮件。账单、报价和通知不受影响。`,
    },
    unsubscribed: { title: '已退订', text: (email: string) => `${email} 不会再收到我们的营销邮件。` },
    again: { title: '已重新订阅', text: (email: string) => `${email} 会继续收到我们的营销邮件。` },
    unsubscribe: '确认退订',
    complain: '退订并举报为垃圾邮件',
    subscribe: '重新订阅',
    lost: { title: '链接无效', text: '请从邮件中重新打开，或直接回复邮件说明。' },
  },
  en: {
    subscribed: {
      title: 'Unsubscribe',
      text: (email: string) => `${email} will get no more campaign mail from us. Bills, quotes and notices are not affected.`,
    },
    unsubscribed: { title: 'You are unsubscribed', text: (email: string) => `${email} gets no more campaign mail from us.` },
    again: { title: 'You are subscribed again', text: (email: string) => `${email} will get our campaign mail again.` },
    unsubscribe: 'Unsubscribe',
    complain: 'Unsubscribe and report as spam',
    subscribe: 'Subscribe again',
    lost: { title: 'This link is not valid', text: 'Open it from the mail again, or answer the mail and say so.' },
  },
} as const

const framed = (locale: Locale, title: string, body: string): string =>
  `<!doctype html><html lang="${locale === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`

const button = (wish: string, text: string, main = false): string =>
  `<button name="wish" value="${wish}"${main ? ' class="main"' : ''}>${escapeHtml(text)}</button>`

/** The page on which somebody says that he wants no more campaigns, or wants them again; it works without scripts. */
export function unsubscribePage(shown: {
  locale: Locale
  email: string
  state: 'subscribed' | 'unsubscribed' | 'again'
}): string {
  const { locale, email, state } = shown
  const texts = TEXTS[locale]
  const { title, text } = texts[state]
  const buttons =
    state === 'unsubscribed'
      ? button('subscribe', texts.subscribe)
      : button('unsubscribe', texts.unsubscribe, state === 'subscribed') + button('complain', texts.complain)
  return framed(locale, title, `<p>${escapeHtml(text(email))}</p><form method="post">${buttons}</form>`)
}

/** An address that nobody was given: in both languages, because nobody knows whose it was. */
export const lostPage = (): string =>
  framed(
    'en',
    TEXTS.en.lost.title,
    `<p>${TEXTS.en.lost.text}</p><p lang="zh-CN">${TEXTS.zh.lost.title}：${TEXTS.zh.lost.text}</p>`,
  )
