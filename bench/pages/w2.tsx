import { createRoot } from 'react-dom/client'
import type { HostRequest } from '../../src/headless/host'
import { HostProvider } from '../../src/runtime/hostContext'
import { ListView } from '../../src/runtime/list'
import type { QueryBody } from '../../src/headless/list/request'
import type { Row } from '../../src/headless/row'
import { fakeHost } from '../../tests/support/fakeHost'
import { column, listBody } from '../../tests/support/models'
import { queryRows } from '../../tests/support/rows'
import type { BenchPage } from '../hooks'
import { COLUMNS, makeRows, pageSize, SORT_COLUMN } from '../model'

/** W2 through the portal's own list: headless controller, cells by kind, our table; the rows come from memory. */
export const page: BenchPage = (root) => {
  const rows = makeRows() as unknown as readonly Row[]
  const size = pageSize() || rows.length
  const host = fakeHost({ answer: ({ body }: HostRequest) => queryRows(rows, body as QueryBody) })
  const body = listBody({
    columns: COLUMNS.map(({ key, title, type }) => column(key, type === 'number' ? 'integer' : 'string', { title })),
    pageSize: size,
    operations: { add: false, edit: false, delete: false, import: false, export: false },
  })
  return {
    mount: () =>
      createRoot(root).render(
        <HostProvider value={host}>
          <ListView id="bench" title="Items" body={body} scope={{}} search="" />
        </HostProvider>,
      ),
    // A windowed table tells its length to everybody in aria-rowcount, header included; a page holds its own rows.
    rows: () => {
      const grid = root.querySelector('[role="grid"]')
      return grid ? Math.min(Number(grid.getAttribute('aria-rowcount')) - 1, size) : 0
    },
    firstRow: () => root.querySelector<HTMLElement>('tbody tr[data-key]'),
    sorter: () => root.querySelector<HTMLElement>(`th[data-column="${SORT_COLUMN}"] button`),
    scroller: () => root.querySelector<HTMLElement>('.sb-scroller'),
  }
}
