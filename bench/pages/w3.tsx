import { createRoot } from 'react-dom/client'
import { FormView } from '../../src/runtime/form'
import { loadControls } from '../../src/runtime/form/controls/registry'
import { Portal } from '../Portal'
import type { FormNode } from '../../src/schema/generated/page'
import { fakeHost } from '../../tests/support/fakeHost'
import { formModel } from '../formModel'
import type { BenchPage } from '../hooks'
import { EDIT_COLUMNS, OPTIONS, makeEditRows } from '../model'
import { linkStyles } from '../styles'

/** The rows of W3 as a schema document. */
const schema = (): FormNode => ({
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      'x-component': 'arrayTable',
      items: {
        type: 'object',
        properties: Object.fromEntries(
          EDIT_COLUMNS.map(({ key, title, kind }): [string, FormNode] => [
            key,
            {
              type: kind === 'number' ? 'number' : 'string',
              title: { zh: title, en: title },
              required: true,
              'x-component': kind,
              ...(kind === 'select' ? { enum: [...OPTIONS] } : {}),
            },
          ]),
        ),
      },
    },
  },
})

/** W3 through the portal's own table of editable rows. */
export const page: BenchPage = async (root) => {
  const host = fakeHost({ answer: ({ method }) => (method === 'GET' ? { key: 'bench' } : { id: '1' }) })
  const model = formModel(schema(), { initial: { rows: makeEditRows() } })
  await Promise.all([linkStyles(), loadControls(['text', 'number', 'select'])])
  return {
    mount: () =>
      createRoot(root).render(
        <Portal host={host}>
          <FormView model={model} scope={{}} onDone={() => {}} />
        </Portal>,
      ),
    rows: () => root.querySelectorAll('.sb-rows tbody tr').length,
    cell: (row) => {
      const cell = root.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="0"]`)
      cell?.focus()
      return cell?.querySelector('input') ?? null
    },
    submit: () => root.querySelector('[data-submit]'),
  }
}
