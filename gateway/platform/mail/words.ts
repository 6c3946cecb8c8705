import { Parser, type ParserOptions } from 'htmlparser2'
import { shallow } from './nesting'

/** Characters of HTML that are read; what comes behind is nobody's letter. */
export const LONGEST_HTML = 2_000_000

const OPTIONS: ParserOptions = { decodeEntities: true, lowerCaseTags: true }
/** Elements that say nothing to a reader. */
const SILENT = new Set(['style', 'script', 'head', 'title', 'template', 'noscript'])
const LINES = new Set('p div h1 h2 h3 h4 h5 h6 li tr table blockquote'.split(' '))

/** The words of HTML, for whoever reads, searches or previews without it; in time that grows with its length only. */
export function plainText(html: string): string {
  const text: string[] = []
  let silent = 0
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (SILENT.has(name)) silent += 1
        if (name === 'br') text.push('\n')
      },
      ontext: (part) => {
        if (silent === 0) text.push(part.replace(/\n/gu, ' '))
      },
      onclosetag: (name) => {
        if (SILENT.has(name)) silent -= 1
        if (LINES.has(name)) text.push('\n')
      },
    },
    OPTIONS,
  )
  parser.end(shallow(html.slice(0, LONGEST_HTML)))
  const lines = text
    .join('')
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/gu, ' ').trim())
  return lines
    .filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trim()
}

/** The links of HTML with what is written on them. */
export function linksOf(html: string): { href: string; text: string }[] {
  const links: { href: string; text: string }[] = []
  let open: { href: string; text: string } | null = null
  const parser = new Parser(
    {
      onopentag: (name, { href }) => {
        if (name === 'a' && href !== undefined) links.push((open = { href, text: '' }))
      },
      ontext: (part) => {
        if (open && open.text.length < 300) open.text += part
      },
      onclosetag: (name) => {
        if (name === 'a') open = null
      },
    },
    OPTIONS,
  )
  parser.end(shallow(html.slice(0, LONGEST_HTML)))
  return links.map(({ href, text }) => ({ href, text: text.trim() }))
}
