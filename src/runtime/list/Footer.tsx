import './footer.css'
import type { ListBodyModel } from '../../schema/model'
import type { ListController, ListState } from './controller'
import type { ListTexts } from '../../headless/list/texts'

interface PagesProps {
  total: number
  /** The total in words. */
  count: string
  page: number
  size: number
  sizes: readonly number[]
  number(value: number): string
  texts: ListTexts
  onPage(page: number): void
  onSize(size: number): void
}

/** Sizes that a user can choose, with the page's own. */
export const pageSizes = (...own: readonly number[]): number[] =>
  [...new Set([10, 20, 50, 100, 200, 500, ...own])].sort((a, b) => a - b)

/** Page numbers around the current one; null stands for a gap. */
export const pageNumbers = (page: number, pages: number): (number | null)[] => {
  if (pages <= 7) return Array.from({ length: pages }, (_, index) => index + 1)
  const near = [1, page - 1, page, page + 1, pages].filter((entry) => entry >= 1 && entry <= pages)
  if (page <= 3) near.push(2, 3, 4)
  if (page >= pages - 2) near.push(pages - 1, pages - 2, pages - 3)
  const sorted = [...new Set(near)].sort((a, b) => a - b)
  return sorted.flatMap((entry, index) => {
    const before = sorted[index - 1]
    if (before === undefined || entry === before + 1) return [entry]
    return entry === before + 2 ? [before + 1, entry] : [null, entry]
  })
}

/** Total, page size and pages. Plain elements: antd's size select alone costs a tenth of a 50-row mount. */
const Pages = ({ total, count, page, size, sizes, number, texts, onPage, onSize }: PagesProps) => {
  const pages = Math.max(1, Math.ceil(total / size))
  return (
    <div className="sb-foot">
      <span role="status">{texts.total(count)}</span>
      <select
        className="sb-size"
        aria-label={texts.perPage}
        value={size}
        onChange={(event) => onSize(Number(event.target.value))}
      >
        {sizes.map((entry) => (
          <option key={entry} value={entry}>
            {texts.perPageOption(entry)}
          </option>
        ))}
      </select>
      {pages > 1 && (
        <nav className="sb-pages" aria-label={texts.pages}>
          <button
            type="button"
            className="sb-turn"
            aria-label={texts.previous}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            ‹
          </button>
          {pageNumbers(page, pages).map((entry, index) =>
            entry === null ? (
              <span key={`gap${index}`} className="sb-turn" aria-hidden="true">
                …
              </span>
            ) : (
              <button
                key={entry}
                type="button"
                className="sb-turn"
                aria-label={texts.page(entry)}
                aria-current={entry === page ? 'page' : undefined}
                onClick={() => onPage(entry)}
              >
                {number(entry)}
              </button>
            ),
          )}
          <button
            type="button"
            className="sb-turn"
            aria-label={texts.next}
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            ›
          </button>
        </nav>
      )}
    </div>
  )
}

interface MoreProps {
  count: string
  /** Rows that the next step adds; 0 = all are shown. */
  left: number
  busy: boolean
  number(value: number): string
  texts: ListTexts
  onMore(): void
}

/** Total, and the way to more rows below. */
const More = ({ count, left, busy, number, texts, onMore }: MoreProps) => (
  <div className="sb-foot">
    <span role="status">{texts.total(count)}</span>
    {left > 0 && (
      <button type="button" className="sb-link" disabled={busy} onClick={onMore}>
        {texts.moreRows(number(left))}
      </button>
    )}
  </div>
)

interface FooterProps {
  list: ListController
  state: ListState
  body: ListBodyModel
  /** The total in words. */
  count: string
  number(value: number): string
  texts: ListTexts
}

/** What stands below the rows: pages to turn, or more rows on demand. */
export const Footer = ({ list, state, body, count, number, texts }: FooterProps) => {
  const { query, rows, total, size } = state
  if (rows.length === 0) return null
  if (body.paging === 'more') {
    const left = state.next === null ? 0 : Math.max(1, Math.min(size, total - rows.length))
    return <More count={count} left={left} busy={state.busy} number={number} texts={texts} onMore={() => void list.loadMore()} />
  }
  return (
    <Pages
      total={total}
      count={count}
      page={query.page}
      size={size}
      sizes={pageSizes(body.pageSize, size)}
      number={number}
      texts={texts}
      onPage={list.setPage}
      onSize={list.setSize}
    />
  )
}
