import './lines.css'
import type { Locale } from '../../schema/problem'
import { lineTexts } from './texts'

/** What differs in the lines of a record, in the words of the gateway. */
export interface LinesInWords {
  entries: readonly {
    kind: 'added' | 'removed' | 'changed'
    position: number
    title: string
    cells: readonly { label: string; before?: string; after?: string }[]
  }[]
  moved: boolean
  more: number
}

/** Lines that came, went or changed, each with its place and its cells. */
export const LinesChange = ({ lines, locale }: { lines: LinesInWords; locale: Locale }) => {
  const texts = lineTexts[locale]
  const side = (text: string | undefined): string => text || texts.nothing
  return (
    <ul className="sb-lines-change">
      {lines.entries.map(({ kind, position, title, cells }) => (
        <li key={`${kind} ${position}`} data-kind={kind}>
          <span>
            {texts.line(position)} <bdi>{title}</bdi> {texts[kind]}
          </span>
          {kind === 'removed'
            ? null
            : cells.map(({ label, before, after }) => (
                <span key={label} className="sb-lines-cell">
                  {label}:{' '}
                  {kind === 'changed' ? (
                    <>
                      <del>{side(before)}</del> <span className="sb-hidden-text">{texts.to}</span>
                      <span aria-hidden="true">→</span>{' '}
                    </>
                  ) : null}
                  <ins>{side(after)}</ins>
                </span>
              ))}
        </li>
      ))}
      {lines.moved ? <li>{texts.moved}</li> : null}
      {lines.more > 0 ? <li>{texts.more(lines.more)}</li> : null}
    </ul>
  )
}

export default LinesChange
