import { createElement, type ReactElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import Markdown from 'react-markdown'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import { Answer, AnswerHostProvider, type AnswerHost } from '../../src/shell/assistant/markdown/Answer'
import { assistantTexts } from '../../src/shell/assistant/texts'
import type { BenchPage } from '../hooks'

const PIECES = 4_000
const SENTENCE = 'Revenue of **Vertex Track** rose by 8 % to `12,340.50` USD, see [its bills](/crm/today) and [1].\n'

const repeated = (line: (n: number) => string, length: number): string => {
  let text = ''
  for (let n = 1; text.length < length; n += 1) text += line(n)
  return text
}

/** 64 KB: words in paragraphs and lists, a fence of 20 KB, a table of 10 KB. */
function answerText(): string {
  const words = repeated((n) => (n % 3 === 0 ? `- ${SENTENCE}- ${SENTENCE}\n` : `${SENTENCE.repeat(4)}\n`), 17_000)
  const code = `\n\`\`\`ts\n${repeated((n) => `const value${n} = await read('row-${n}', { limit: ${n} })\n`, 20_000)}\`\`\`\n\n`
  const table = `\n| Customer | Revenue, USD | Change |\n|---|--:|--:|\n${repeated((n) => `| Customer ${n} | ${n * 137}.50 | **${n % 9} %** |\n`, 10_000)}\n`
  return words + code + words + table
}

const host: AnswerHost = {
  texts: assistantTexts.en,
  sources: 3,
  openSource: () => undefined,
  go: () => undefined,
  copy: () => undefined,
  copyCode: () => undefined,
  saveTable: () => undefined,
}

const PLUGINS = [remarkGfm, remarkBreaks]

/** An answer that comes in 4,000 pieces, each drawn as it comes; with `?whole` by a Markdown that knows nothing of blocks. */
export const page: BenchPage = (root) => {
  const text = answerText()
  const step = Math.ceil(text.length / PIECES)
  const draw = location.search.includes('whole')
    ? (part: string): ReactElement => createElement(Markdown, { remarkPlugins: PLUGINS }, part)
    : (part: string): ReactElement => createElement(AnswerHostProvider, { value: host }, createElement(Answer, { text: part }))
  const target = createRoot(root)
  let pieces = 0
  return {
    mount() {
      const next = new MessageChannel()
      next.port1.onmessage = () => {
        pieces += 1
        flushSync(() => target.render(draw(text.slice(0, pieces * step))))
        if (pieces < PIECES) next.port2.postMessage(0)
      }
      next.port2.postMessage(0)
    },
    rows: () => pieces,
  }
}
