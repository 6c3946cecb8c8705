// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Authorize } from '../../../src/runtime/Authorize'
import type { Host } from '../../../src/headless/host'
import { HostProvider } from '../../../src/runtime/hostContext'

it('a guarded element is in the document only for people who hold the permission (R266)', () => {
  const host = { can: (key: string) => key === 'crm:customer:export' } as unknown as Host
  const draw = (permission: string) =>
    renderToStaticMarkup(
      <HostProvider value={host}>
        <Authorize permission={permission}>
          <button>Export</button>
        </Authorize>
      </HostProvider>,
    )
  expect(draw('crm:customer:export')).toBe('<button>Export</button>')
  expect(draw('crm:customer:delete')).toBe('')
})
