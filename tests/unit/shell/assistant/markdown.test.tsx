// @vitest-environment jsdom
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Answer, AnswerHostProvider, type AnswerHost } from '../../../../src/shell/assistant/markdown/Answer'
import { cellsOf, GrowingMarkdown } from '../../../../src/shell/assistant/markdown/blocks'
import { assistantTexts } from '../../../../src/shell/assistant/texts'

const LINES = [
  '# Title',
  'Some words',
  '',
  '- one',
  '  more of one',
  '1. first',
  '```ts',
  '```',
  '~~~',
  '| a | b |',
  '|---|--:|',
  '| 1 | `x` |',
  '> quoted',
  '    indented',
  '1',
  '-',
  '`code`',
  '***',
]

describe('a Markdown text that grows', () => {
  it('has the same blocks piece by piece as at once, and blocks that are closed stay the same objects', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 14 }), fc.integer({ min: 1, max: 7 }), (lines, step) => {
        const text = lines.join('\n')
        const growing = new GrowingMarkdown()
        let before = growing.of('')
        for (let end = 0; end <= text.length; end += step) {
          const now = growing.of(text.slice(0, end))
          expect(now.length).toBeGreaterThanOrEqual(before.length)
          before.slice(0, -1).forEach((block, index) => expect(now[index]).toBe(block))
          before = now
        }
        expect(growing.of(text)).toEqual(new GrowingMarkdown().of(text))
      }),
      { numRuns: 400 },
    )
  })

  it('keeps code, tables and lists whole, and begins anew with another text', () => {
    const text = 'Hello\nworld\n\n- a\n\n- b\n\nend\n```ts\nx\n\ny\n```\nafter\n\n| a | b |\n|:--|--:|\n| 1 | x\\|y |\n\nlast'
    const growing = new GrowingMarkdown()
    expect(growing.of(text)).toEqual([
      { kind: 'text', text: 'Hello\nworld' },
      { kind: 'text', text: '- a\n\n- b' },
      { kind: 'text', text: 'end' },
      { kind: 'code', language: 'ts', text: 'x\n\ny' },
      { kind: 'text', text: 'after' },
      { kind: 'table', header: ['a', 'b'], align: ['left', 'right'], rows: ['| 1 | x\\|y |'] },
      { kind: 'text', text: 'last' },
    ])
    expect(growing.of('other')).toEqual([{ kind: 'text', text: 'other' }])
    expect(cellsOf('| 1 | x\\|y |')).toEqual(['1', 'x|y'])
  })
})

const host: AnswerHost = {
  texts: assistantTexts.en,
  sources: 1,
  openSource: () => undefined,
  go: () => undefined,
  copy: () => undefined,
  copyCode: () => undefined,
  saveTable: () => undefined,
}
const drawn = (text: string): HTMLElement => {
  const element = document.createElement('div')
  element.innerHTML = renderToStaticMarkup(createElement(AnswerHostProvider, { value: host }, createElement(Answer, { text })))
  return element
}

describe('an answer', () => {
  it('never becomes HTML, loads nothing, and runs nothing (R295)', () => {
    const element = drawn(
      '<img src=x onerror=alert(1)> <b>bold</b>\n\n<script>alert(1)</script>\n\n![pic](https://evil.example/p.png) [go](javascript:alert(1)) <iframe src="https://evil.example"></iframe>\n\n| <b>x</b> |\n|---|\n| ![p](https://evil.example/q.png) |',
    )
    expect(element.querySelector('script, img, iframe, b, [onerror]')).toBeNull()
    expect([...element.querySelectorAll('a')].every(({ href }) => href.startsWith('https://evil.example/'))).toBe(true)
    expect(element.textContent).toContain('<b>bold</b>')
  })

  it('finds links and keeps line breaks; links outside say where they lead and open in a new tab (R294)', () => {
    const element = drawn('one\ntwo https://example.com/a [here](/crm/today) [there](//evil.example/x)')
    expect(element.querySelector('br')).not.toBeNull()
    const [outside, inside, ...more] = element.querySelectorAll('a')
    expect([outside?.target, outside?.rel, outside?.textContent]).toEqual([
      '_blank',
      'noopener noreferrer',
      expect.stringContaining('(example.com)'),
    ])
    expect([inside?.getAttribute('href'), inside?.target, more.length]).toEqual(['/crm/today', '', 0])
  })

  it('cites its sources by number, and only those that there are', () => {
    const element = drawn('known [1], unknown [7], code `[1]`')
    expect([...element.querySelectorAll('button.sb-citation')].map((each) => each.textContent)).toEqual(['1'])
    expect(element.textContent).toContain('unknown [7], code [1]')
  })
})
