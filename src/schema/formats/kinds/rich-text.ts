import { plainText, cellText, isBlank, textCell, type FieldFormat } from '../format'
import { validateText } from './texts'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The words of HTML, for lists, exports and search: never put back into a page as HTML. */
function wordsOf(html: string): string {
  let text = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    text += html.slice(at, open)
    const close = html.indexOf('>', open)
    if (close < 0) {
      at = html.length
      break
    }
    if (/^<\/?(?:p|div|br|li|tr|h[1-6]|blockquote|pre)\b/i.test(html.slice(open, open + 12))) text += ' '
    at = close + 1
  }
  return (text + html.slice(at))
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char)
}

/** HTML that the server has cleaned. Shown as words; the widget that draws it cleans it again. */
export const richTextFormat: FieldFormat = {
  kind: 'richText',
  store: { sql: 'text' },
  align: 'left',
  width: 280,
  operators: ['contains', 'empty', 'notEmpty'],
  control: 'richText',
  filterControl: 'text',
  validate: (value, field) => validateText(value, field, 500_000),
  show: (value) => (isBlank(value) ? '' : wordsOf(plainText(value))),
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    return {
      value: text
        .split(/\r\n?|\n/)
        .map((line) => `<p>${escapeHtml(line)}</p>`)
        .join(''),
    }
  },
  export: (value) => textCell(isBlank(value) ? '' : wordsOf(plainText(value))),
  example: {
    field: { type: 'string', format: 'richText' },
    value: '<p>a &lt; b</p>',
    shown: { zh: 'a < b', en: 'a < b' },
    typed: ['a < b'],
  },
}
