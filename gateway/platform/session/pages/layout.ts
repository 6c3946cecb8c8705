import { escapeHtml } from '../../http'
import type { Locale, Text } from '../../http'

/** A link to the same page in the other language. */
export interface PageLanguage {
  locale: Locale
  switchTo: string
}

/** The frame of every identity page: plain HTML that works without scripts, in both languages, light and dark. */
export function renderLayout(page: { title: Text; language: PageLanguage; body: string }): string {
  const { locale, switchTo } = page.language
  return `<!doctype html>
<html lang="${locale === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title[locale])} - Switchboard</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/auth/identity/identity.css">
<script src="/auth/identity/identity.js" defer></script>
</head>
<body>
<header><span class="brand"><img src="/favicon.svg" alt="" width="24" height="24">Switchboard</span><a class="language" href="${escapeHtml(switchTo)}" hreflang="${locale === 'zh' ? 'en' : 'zh-CN'}">${locale === 'zh' ? 'English' : '中文'}</a></header>
<main>
<h1>${escapeHtml(page.title[locale])}</h1>
${page.body}
</main>
</body>
</html>`
}

/** A message above a form; errors are read out by screen readers. */
export function renderNotice(kind: 'error' | 'info', message: string): string {
  return `<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${escapeHtml(message)}</p>`
}
