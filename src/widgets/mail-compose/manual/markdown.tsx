import type { ReactNode } from 'react'

const INLINE = /\*\*([^*]+)\*\*|`([^`]+)`/gu

/** A line of a manual: bold and fixed-width words. */
const inline = (text: string): ReactNode[] => {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(end, match.index))
    const [whole, bold, code] = match
    parts.push(bold === undefined ? <code key={match.index}>{code}</code> : <strong key={match.index}>{bold}</strong>)
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}

/** The chapters of a document whose headings begin so. */
export const chaptersOf = (text: string, begin: string): string =>
  text
    .split(/^(?=## )/mu)
    .filter((chapter) => chapter.startsWith(`## ${begin}`))
    .join('\n')

/** A document as it is read: headings and paragraphs. */
export const Markdown = ({ text }: { text: string }) =>
  text
    .split(/\n{2,}/u)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block, index) =>
      block.startsWith('## ') ? (
        <h2 key={index}>{block.slice('## '.length)}</h2>
      ) : (
        <p key={index}>{inline(block.replace(/\n/gu, ' '))}</p>
      ),
    )
