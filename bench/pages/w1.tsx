import { createRoot } from 'react-dom/client'
import { FormView } from '../../src/runtime/form'
import { loadControls } from '../../src/runtime/form/controls/registry'
import { Portal } from '../Portal'
import type { FormNode } from '../../src/schema/generated/page'
import { fakeHost } from '../../tests/support/fakeHost'
import { formModel } from '../formModel'
import type { BenchPage } from '../hooks'
import { FIELDS, OPTIONS, fieldName } from '../model'
import type { CellKind } from '../model'
import { linkStyles } from '../styles'

const COMPONENTS: Readonly<Record<CellKind, { type: string; component: string }>> = {
  text: { type: 'string', component: 'text' },
  number: { type: 'number', component: 'number' },
  select: { type: 'string', component: 'select' },
  date: { type: 'string', component: 'date' },
}

/** The 200 fields of W1 as a schema document. */
const schema = (): FormNode => ({
  type: 'object',
  properties: Object.fromEntries(
    FIELDS.map(({ name, label, kind, driver }): [string, FormNode] => [
      name,
      {
        type: COMPONENTS[kind].type,
        title: { zh: label, en: label },
        required: true,
        'x-component': COMPONENTS[kind].component,
        ...(kind === 'select' ? { enum: [...OPTIONS] } : {}),
        ...(driver ? { 'x-visible': `{{ !!$values.${driver} }}` } : {}),
      },
    ]),
  ),
})

const shown = (n: number): HTMLElement | null => document.querySelector(`[data-address="${fieldName(n)}"]`)

/** W1 through the portal's own form, from a compiled document. */
export const page: BenchPage = async (root) => {
  const host = fakeHost({ answer: ({ method }) => (method === 'GET' ? { key: 'bench' } : { id: '1' }) })
  const model = formModel(schema(), { layout: { columns: 1 } })
  await Promise.all([linkStyles(), loadControls(['text', 'number', 'select', 'date'])])
  return {
    mount: () =>
      createRoot(root).render(
        <Portal host={host}>
          <FormView model={model} scope={{}} onDone={() => {}} />
        </Portal>,
      ),
    fields: () => root.querySelectorAll('.sb-form-item').length,
    field: (n) => {
      const item = shown(n)
      item?.querySelector<HTMLElement>('.sb-form-box[tabindex]')?.focus()
      return item?.querySelector('input') ?? null
    },
    submit: () => root.querySelector('[data-submit]'),
    errors: () => root.querySelectorAll('.sb-form-item .sb-form-error').length,
  }
}
