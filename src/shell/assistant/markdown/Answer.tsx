import { CopyOutlined, DownloadOutlined, ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { createContext, memo, use, useMemo, useState, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import type { AssistantTexts } from '../texts'
import { cellsOf, GrowingMarkdown, type Align, type MarkdownBlock } from './blocks'
import { CITED, remarkCitations } from './citations'

/** What an answer can do besides being read. */
export interface AnswerHost {
  texts: AssistantTexts
  /** How many sources stand below the answer. */
  sources: number
  openSource: (number: number) => void
  /** Goes to a place of the portal. */
  go: (path: string) => void
  copy: (text: string) => void
  copyCode: (code: string) => void
  saveTable: (lines: readonly (readonly string[])[]) => void
}

const AnswerContext = createContext<AnswerHost | null>(null)
export const AnswerHostProvider = AnswerContext.Provider

export function useAnswerHost(): AnswerHost {
  const host = use(AnswerContext)
  if (host === null) throw new Error('useAnswerHost() was called outside an answer.')
  return host
}

/** An answer in Markdown that may still grow (R241, R294): of a further piece only the open block is drawn anew. Never HTML (R295). */
export const Answer = memo(function Answer({ text }: { text: string }) {
  const [growing] = useState(() => new GrowingMarkdown())
  const blocks = growing.of(text)
  return (
    <div className="sb-answer">
      {blocks.map((block, index) => (
        <AnswerBlock key={index} block={block} />
      ))}
    </div>
  )
})

const AnswerBlock = memo(function AnswerBlock({ block }: { block: MarkdownBlock }) {
  switch (block.kind) {
    case 'code':
      return <Code language={block.language} text={block.text} />
    case 'table':
      return <Table {...block} />
    case 'text':
      return <Words text={block.text} />
  }
})

const PLUGINS: ComponentProps<typeof Markdown>['remarkPlugins'] = [remarkGfm, remarkBreaks, remarkCitations]

const Words = memo(function Words({ text }: { text: string }) {
  return (
    <Markdown remarkPlugins={PLUGINS} components={WORDS}>
      {text}
    </Markdown>
  )
})

const Link = ({ href = '', children }: { href?: string; children?: ReactNode }) => {
  const { texts, go, sources, openSource } = useAnswerHost()
  if (href.startsWith(CITED)) {
    const number = Number(href.slice(CITED.length))
    if (number < 1 || number > sources) return <>[{children}]</>
    return (
      <button type="button" className="sb-citation" aria-label={texts.source(number)} onClick={() => openSource(number)}>
        {children}
      </button>
    )
  }
  if (/^\/(?![/\\])/.test(href)) {
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      go(href)
    }
    return (
      <a href={href} onClick={open}>
        {children}
      </a>
    )
  }
  const host = hostOf(href)
  if (host === null) return <>{children}</>
  return (
    <a className="sb-outside" href={href} target="_blank" rel="noopener noreferrer" title={texts.outside(host)}>
      {children}
      <span className="sb-outside-host"> ({host})</span> <ExportOutlined aria-label={texts.outside(host)} />
    </a>
  )
}

/** Where an address outside of the portal leads, in words; null for what leads nowhere. */
function hostOf(address: string): string | null {
  try {
    const { protocol, host, pathname } = new URL(address)
    if (protocol === 'mailto:') return pathname
    return protocol === 'https:' || protocol === 'http:' ? host : null
  } catch {
    return null
  }
}

/** A picture would be fetched from wherever the answer says: it is a link. */
const WORDS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Link href={typeof src === 'string' ? src : ''}>{alt || (typeof src === 'string' ? src : '')}</Link>,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
}

const Code = ({ language, text }: { language: string; text: string }) => {
  const { texts, copyCode } = useAnswerHost()
  return (
    <figure className="sb-code">
      <figcaption>
        <span>{language}</span>
        <Button size="small" type="text" icon={<CopyOutlined />} onClick={() => copyCode(text)}>
          {texts.copyCode}
        </Button>
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

interface TableProps {
  header: readonly string[]
  align: readonly Align[]
  rows: readonly string[]
}

const Table = ({ header, align, rows }: TableProps) => {
  const { texts, saveTable } = useAnswerHost()
  const aligned = align.join(' ')
  const alignOf = useMemo(() => aligned.split(' ').map((side) => (side || undefined) as Align), [aligned])
  return (
    <figure className="sb-answer-table">
      <div className="sb-table-frame" tabIndex={0} role="group" aria-label={texts.table}>
        <table>
          <thead>
            <tr>
              {header.map((cell, index) => (
                <th key={index} style={{ textAlign: alignOf[index] }}>
                  <Cell text={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row key={index} row={row} align={alignOf} />
            ))}
          </tbody>
        </table>
      </div>
      <Button
        size="small"
        type="text"
        icon={<DownloadOutlined />}
        onClick={() => saveTable([header, ...rows.map((row) => cellsOf(row))].map((cells) => cells.map(withoutMarks)))}
      >
        {texts.csv}
      </Button>
    </figure>
  )
}

/** What a cell says, without the marks of Markdown around it. */
const withoutMarks = (cell: string): string =>
  cell
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|~<>])/g, '$1')

const Row = memo(function Row({ row, align }: { row: string; align: readonly Align[] }) {
  const cells = cellsOf(row)
  return (
    <tr>
      {align.map((side, index) => (
        <td key={index} style={{ textAlign: side }}>
          <Cell text={cells[index] ?? ''} />
        </td>
      ))}
    </tr>
  )
})

const MARKED = /[\\`*_~[\]<>&!@]|:\/\/|www\./
const IN_CELLS = ['a', 'strong', 'em', 'code', 'del', 'br', 'img']

const Cell = memo(function Cell({ text }: { text: string }) {
  if (!MARKED.test(text)) return text
  return (
    <Markdown remarkPlugins={PLUGINS} components={WORDS} allowedElements={IN_CELLS} unwrapDisallowed>
      {text}
    </Markdown>
  )
})
