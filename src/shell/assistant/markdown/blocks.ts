/** A part of a Markdown text that is drawn by itself: what stands before the last one never changes again. */
export type MarkdownBlock =
  | { kind: 'text'; text: string }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'table'; header: readonly string[]; align: readonly Align[]; rows: readonly string[] }

export type Align = 'left' | 'center' | 'right' | undefined

type Kind = 'text' | 'list' | 'code' | 'table'

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*([^\s`]*)/
const LIST = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const DELIMITERS = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
/** What ends a table without an empty line. */
const AFTER_TABLE = /^ {0,3}(?:#{1,6}\s|>)/

/**
 * Splits a Markdown text that grows: only the block that is still open is split anew for a further piece. Code between fences and
 * rows of tables are blocks that need no Markdown, for they are the longest.
 */
export class GrowingMarkdown {
  private text = ''
  private closed: readonly MarkdownBlock[] = []
  /** Where the open block begins. */
  private from = 0

  /** The blocks of the text, which is most often the one before with more behind it. */
  of(text: string): readonly MarkdownBlock[] {
    if (!text.startsWith(this.text)) {
      this.closed = []
      this.from = 0
    }
    this.text = text
    const { blocks, last } = split(text.slice(this.from))
    if (last > 0) {
      this.closed = [...this.closed, ...blocks.slice(0, -1)]
      this.from += last
    }
    const open = blocks.at(-1)
    return open === undefined ? this.closed : [...this.closed, open]
  }
}

/** The blocks of a text, and where the last one of them begins. */
function split(text: string): { blocks: MarkdownBlock[]; last: number } {
  const blocks: MarkdownBlock[] = []
  let kind: Kind | null = null
  let fence = ''
  let fenceClosed = false
  let start = 0
  let last = 0
  let empty = false
  const close = (end: number): void => {
    if (kind === null) return
    blocks.push(blockOf(kind, text.slice(start, end)))
    last = start
    kind = null
  }
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, newline < 0 ? next : newline)
    const isWhole = newline >= 0
    const opened = FENCE.exec(line)
    if (kind === 'code' && !fenceClosed) {
      if (isWhole && isFenceEnd(line, fence)) fenceClosed = true
    } else if (line.trim() === '') {
      empty = kind !== null
      // a table is over; a list may go on behind it
      if (kind === 'table' && isWhole) close(at)
    } else {
      const begins =
        kind === null || (kind === 'code' && fenceClosed) || beginsAnew(kind, line, empty, isWhole && opened !== null)
      if (begins) {
        close(at)
        start = at
        kind = isWhole && opened ? 'code' : isWhole && LIST.test(line) ? 'list' : 'text'
        if (kind === 'code') {
          fence = opened?.[1] ?? ''
          fenceClosed = false
        }
      } else if (isWhole && kind === 'text' && !empty && DELIMITERS.test(line) && isTable(text.slice(start, at), line))
        kind = 'table'
      empty = false
    }
    at = next
  }
  close(text.length)
  return { blocks, last }
}

/** Whether a line belongs to a block of its own; one that is not whole yet does only when whatever follows cannot change it. */
function beginsAnew(kind: Kind, line: string, empty: boolean, isFence: boolean): boolean {
  if (isFence) return kind !== 'list' || !line.startsWith(' ')
  if (kind === 'table') return AFTER_TABLE.test(line)
  if (!empty || /^\s/.test(line)) return false
  return kind !== 'list' || !/^(?:[-+*]|\d)/.test(line)
}

const isFenceEnd = (line: string, fence: string): boolean => {
  const marks = line.trim()
  return marks.length >= fence.length && !/^ {4}/.test(line) && marks === (fence[0] ?? '`').repeat(marks.length)
}

/** A table begins with one line of headings, as many as there are delimiters below. */
const isTable = (before: string, delimiters: string): boolean => {
  const lines = before.trimEnd().split('\n')
  const [header = ''] = lines
  return lines.length === 1 && header.includes('|') && cellsOf(header).length === cellsOf(delimiters).length
}

function blockOf(kind: Kind, text: string): MarkdownBlock {
  const lines = text.split('\n')
  if (kind === 'code') {
    const [first = '', ...rest] = lines
    const [, fence = '', language = ''] = FENCE.exec(first) ?? []
    const end = rest.findIndex((line, index) => index < rest.length - 1 && isFenceEnd(line, fence))
    const isLast = end < 0 && isFenceEnd(rest.at(-1) ?? '', fence)
    const code = end >= 0 ? rest.slice(0, end) : isLast ? rest.slice(0, -1) : rest
    return { kind: 'code', language, text: code.join('\n').replace(/\n$/, '') }
  }
  if (kind === 'table') {
    const [header = '', delimiters = '', ...rows] = lines
    return {
      kind: 'table',
      header: cellsOf(header),
      align: cellsOf(delimiters).map(alignOf),
      rows: rows.filter((row) => row.trim() !== ''),
    }
  }
  return { kind: 'text', text: text.trimEnd() }
}

const alignOf = (cell: string): Align => {
  const left = cell.startsWith(':')
  if (cell.endsWith(':')) return left ? 'center' : 'right'
  return left ? 'left' : undefined
}

/** The cells of a row, as Markdown each. */
export function cellsOf(row: string): string[] {
  const inside = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
