// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { frameDocument, PAPER, picturesOf } from '../../../../src/widgets/mail-client/read/frame'

const DARK = { isDark: true, text: '#eee', ground: '#111', link: '#9cf' }
const drawn = (content: string, more: object = {}): Document =>
  new DOMParser().parseFromString(
    frameDocument({
      ...{ content, colours: PAPER, language: 'en', quoted: 'Show quoted text', inside: new Map(), outside: new Map() },
      ...more,
    }),
    'text/html',
  )

describe('the frame of a letter', () => {
  it('has a policy of its own before anything of the mail: no scripts, nothing from elsewhere', () => {
    const page = drawn(
      '<p>Hi</p><script>1</script><base href="https://evil"><form><input></form><iframe src="https://evil"></iframe>',
    )
    const policy = page.head.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('img-src data:')
    expect(policy).not.toContain('http')
    expect(page.head.firstElementChild?.getAttribute('charset')).toBe('utf-8')
    expect(page.querySelectorAll('script, base, form, iframe').length).toBe(0)
    expect(page.body.textContent).toContain('Hi')
  })

  it('folds what is quoted once, and shows it whole on paper', () => {
    const quotes = '<p>New</p><blockquote class="gmail_quote">Old<blockquote type="cite">Older</blockquote></blockquote>'
    const page = drawn(quotes)
    expect(page.querySelectorAll('details').length).toBe(1)
    expect(page.querySelector('details > summary')?.getAttribute('aria-label')).toBe('Show quoted text')
    expect(page.querySelector('details')?.textContent).toContain('Older')
    expect(drawn(quotes, { quoted: null }).querySelectorAll('details').length).toBe(0)
  })

  it('shows pictures that came with it, and those from elsewhere only when they were fetched', () => {
    const content =
      '<img src="cid:logo%40x"><img data-src="https://a/1.png"><img data-src="https://a/2.gif" width="1" height="1"><img src="https://a/3.png">'
    expect(picturesOf(content)).toEqual({ inside: ['logo@x'], outside: 2 })
    const sources = (page: Document) => [...page.images].map((picture) => picture.getAttribute('src'))
    expect(sources(drawn(content))).toEqual([null, null, null, null])
    const shown = drawn(content, {
      inside: new Map([['logo@x', 'data:image/png;base64,AA']]),
      outside: new Map([[0, 'data:image/png;base64,BB']]),
    })
    expect(sources(shown)).toEqual(['data:image/png;base64,AA', 'data:image/png;base64,BB', null, null])
    expect([...shown.images].map((picture) => picture.hasAttribute('data-tiny'))).toEqual([false, false, true, false])
    expect(shown.documentElement.outerHTML).not.toContain('https://a')
  })

  it('is dark with the theme, unless the letter chose colours: then it keeps its white paper', () => {
    const ground = (content: string) => /background: (#\w+)/.exec(drawn(content, { colours: DARK }).head.innerHTML)?.[1]
    expect(ground('<p>Plain</p>')).toBe('#111')
    expect(ground('<p style="color: #333">Grey</p>')).toBe('#ffffff')
    expect(ground('<table bgcolor="#fff"><tr><td>x</td></tr></table>')).toBe('#ffffff')
  })
})
