import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSchemas } from '../../../../gateway/pages'
import { callsOf, normalizeCall } from '../../../../src/schema/validate/catalog'
import { startGateway } from '../../../support/gateway'
import type { TestGateway } from '../../../support/gateway'

/** Sign-in, probes and the portal's own files: nothing that a page of the portal asks. */
/** Besides: what the reader of a campaign's mail opens. */
const NOT_FOR_PAGES =
  /^(GET|POST|HEAD) \/(?:(auth|health|ready|metrics|docs|assets|schemas)?(\/|$)(?!v2)|v2\/crm\/mail\/(?:open|click|unsubscribe)\/)/

let test: TestGateway
beforeAll(async () => {
  test = await startGateway()
})
afterAll(() => test.close())

/** What the gateway serves, normalized (`GET /v2/crm/customer/view/{}`). */
function servedCalls(): string[] {
  const { paths = {} } = test.gateway.app.swagger() as { paths?: Record<string, Record<string, unknown>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => normalizeCall(`${method.toUpperCase()} ${path}`)),
  )
}

/** Matches calls with something in the place of each parameter: rules are named in the address. */
const patternOf = (served: string): RegExp =>
  new RegExp(`^${served.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\}/g, '[^/]+')}$`)

describe('The calls that pages may name', () => {
  it('are those that the gateway serves, and no other', async () => {
    const documents = await readSchemas('schemas')
    const listed = documents
      .filter(({ type }) => type === 'calls')
      .flatMap(({ text = '' }) => (JSON.parse(text) as { calls: string[] }).calls)
    // those of a rule set follow from the set
    const ofRules = ['preview', 'test'].map((call) => `POST /v2/sys/rule/${call}/{key}`)
    const known = [...callsOf(test.gateway.registry.entities, [...listed, ...ofRules])]
    const served = servedCalls()
    expect(served.length).toBeGreaterThan(100)
    const patterns = served.map(patternOf)
    const unserved = known.filter((call) => !patterns.some((pattern) => pattern.test(call)))
    const unlisted = served.filter((call) => !NOT_FOR_PAGES.test(call) && !known.some((one) => patternOf(call).test(one)))
    expect({ unserved, unlisted }).toEqual({ unserved: [], unlisted: [] })
  })
})
