// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { frameDocument, PAPER } from '../../../../src/widgets/mail-client/read/frame'
import { cleanHtml, linksOf, plainText } from '../../../../gateway/platform/mail'
import { HOSTILE, LEAK } from '../../../fixtures/mail/hostileMail'

/** What of a document would run or fetch something. */
function active(html: string): string[] {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const found: string[] = []
  for (const element of page.querySelectorAll('*')) {
    const name = element.localName
    if (/^(?:script|iframe|frame|object|embed|link|meta|base|form|svg|math|style|template|video|audio|source)$/u.test(name))
      found.push(name)
    for (const { name: key, value } of element.attributes) {
      if (/^on|^(?:srcset|srcdoc|poster|background|ping|action|formaction|xlink:href)$/u.test(key)) found.push(`${name}.${key}`)
      if (key === 'src' && !value.startsWith('cid:')) found.push(`${name}.src ${value}`)
      if (key === 'href' && !/^(?:https?:|mailto:|tel:)/u.test(new URL(value, 'https://portal.example').protocol))
        found.push(`${name}.href ${value}`)
      if (key === 'style' && /url|\\|expression|position|image|behavior|binding|z-index|transform|--/iu.test(value))
        found.push(`style ${value}`)
    }
  }
  return found
}

describe('hostile mail (M15)', () => {
  it('knows more than two hundred shapes', () => expect(new Set(HOSTILE).size).toBeGreaterThan(300))

  it.each(HOSTILE.map((vector) => [vector]))('leaves nothing that runs or fetches: %s', (vector) => {
    const { html } = cleanHtml(vector)
    expect(active(html)).toEqual([])
    // what is clean stays so when it is cleaned again, and in the frame's document
    expect(cleanHtml(html).html).toBe(html)
    const shown = { content: html, colours: PAPER, language: 'en', quoted: 'Quoted', inside: new Map(), outside: new Map() }
    const page = new DOMParser().parseFromString(frameDocument(shown), 'text/html')
    expect(active(page.body.innerHTML)).toEqual([])
    expect(page.querySelectorAll('script, [src]').length).toBe(0)
  })

  it('is read in a second at most, however it is made to be slow', () => {
    const slow = [
      '<table><tr><td>'.repeat(20_000),
      `${'<table><tr><td>'.repeat(20_000)}x${'</td></tr></table>'.repeat(20_000)}`,
      '<p><td>'.repeat(100_000),
      '<a href="x">'.repeat(100_000),
      '<style '.repeat(100_000),
      '<'.repeat(500_000),
      '<!--'.repeat(200_000),
      '&'.repeat(500_000),
      `<a ${'x=y '.repeat(200_000)}>`,
    ]
    for (const html of slow) {
      const begun = performance.now()
      cleanHtml(html)
      const cleaned = performance.now() - begun
      linksOf(html)
      plainText(html)
      // a machine that does other things as well is given three times as long
      expect([html.slice(0, 30), cleaned < 3_000, performance.now() - begun < 6_000]).toEqual([html.slice(0, 30), true, true])
    }
  })

  it('keeps the text of what lies too deep, and letters whose writers close nothing', () => {
    expect(plainText(cleanHtml(`${'<div>'.repeat(1_000)}deep${'</div>'.repeat(1_000)}<p>after</p>`).html)).toBe('deep\n\nafter')
    const open = cleanHtml(
      `${'<p>a<br>'.repeat(1_000)}<ul>${'<li>b'.repeat(1_000)}</ul><table>${'<tr><td>c'.repeat(1_000)}</table>`,
    ).html
    for (const tag of ['<p>', '<li>', '<td>']) expect(open.split(tag).length).toBe(1_001)
  })

  it('leads nowhere by itself', () => {
    for (const vector of HOSTILE)
      expect(cleanHtml(vector).html.replaceAll(/data-src="[^"]*"|href="[^"]*"/gu, '')).not.toMatch(
        new RegExp(`=["'][^"']*${LEAK}`, 'u'),
      )
  })
})
