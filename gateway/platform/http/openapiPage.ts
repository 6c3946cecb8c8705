import { escapeHtml } from './html'
import type { Locale } from './text'

interface Described {
  info: { title: string; version: string }
  paths?: object
}
interface Operation {
  summary?: string
  description?: string
  tags?: string[]
  security?: unknown[]
}

/** A plain page of all calls for people; no script, works under the strict policy. */
export function renderApiPage(document: Described): string {
  const groups = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      const tag = operation.tags?.[0] ?? ''
      const text = [operation.summary, operation.description].filter((part) => part !== undefined).join(' — ')
      const open = operation.security?.length === 0 ? ' <small>(open)</small>' : ''
      const row = `<tr><td><code>${method.toUpperCase()}</code></td><td><code>${escapeHtml(path)}</code>${open}</td><td>${escapeHtml(text)}</td></tr>`
      groups.set(tag, [...(groups.get(tag) ?? []), row])
    }
  }
  const sections = [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([tag, rows]) => `<h2>${escapeHtml(tag)}</h2><table>${rows.join('')}</table>`)
  return layout(
    'en',
    document.info.title,
    `<h1>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</h1>
<p>Machine-readable: <a href="/docs/api.json">/docs/api.json</a> (OpenAPI 3). Every JSON answer is <code>{ code, msg, data }</code>; 0 is success.</p>
${sections.join('\n')}`,
  )
}

/** What a browser without a session sees instead. */
export function renderSignInFirst(locale: Locale): string {
  const [title, text, link] =
    locale === 'zh'
      ? ['接口说明', '接口说明仅供已登录的员工查看。请先登录门户，然后刷新本页。', '打开门户']
      : [
          'API description',
          'The API description is for signed-in staff. Please sign in to the portal, then reload this page.',
          'Open the portal',
        ]
  return layout(
    locale === 'zh' ? 'zh-CN' : 'en',
    title,
    `<h1>${title}</h1><p>${text}</p><p><a href="/home" target="_blank">${link}</a></p>`,
  )
}

function layout(lang: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.6 system-ui, 'PingFang SC', 'Microsoft YaHei', sans-serif }
  body { max-width: 1080px; margin: 32px auto; padding: 0 16px }
  table { width: 100%; border-collapse: collapse } td { padding: 6px 8px; border-bottom: 1px solid #8884; vertical-align: top }
  td:first-child { width: 64px } td:nth-child(2) { width: 50% } h2 { margin: 32px 0 8px; font-size: 16px }
  td { overflow-wrap: anywhere } @media (max-width: 600px) { td { display: block; width: auto !important; padding: 0; border: 0 } tr { display: block; padding: 8px 0; border-bottom: 1px solid #8884 } }
</style></head>
<body>${body}</body></html>`
}
