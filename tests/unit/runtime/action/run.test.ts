import { describe, expect, it, vi } from 'vitest'
import { outcomeLines, toCsv } from '../../../../src/runtime/action/outcome'
import { offeredActions } from '../../../../src/runtime/action/rowActions'
import { runAction } from '../../../../src/runtime/action/run'
import type { ActionScreen, ActionTarget, FormRequest } from '../../../../src/runtime/action/target'
import { changedSince, onChanged } from '../../../../src/runtime/changes'
import { RequestError } from '../../../../src/headless/host'
import type { ActionModel, FormModel, TransitionModel } from '../../../../src/schema/model'
import { fakeHost, type FakeHostOptions } from '../../../support/fakeHost'
import { action, field } from '../../../support/models'

const transition = (more: Partial<TransitionModel> = {}): TransitionModel => ({
  id: 'release',
  label: 'Release',
  field: 'status',
  from: ['active'],
  to: 'sea',
  danger: false,
  fields: [],
  required: [],
  inputs: [],
  refusedBecause: () => null,
  ...more,
})

const targetOf = (options: FakeHostOptions = {}, more: Partial<ActionTarget> = {}) => {
  const host = fakeHost(options)
  const seen: string[] = []
  const forms: FormRequest[] = []
  const screen: ActionScreen = {
    openForm: async (request) => {
      forms.push(request)
      return { id: 'new' }
    },
    showOutcome: (label, outcome) => seen.push(`outcome ${label} ${outcome.done.length}/${outcome.refused.length}`),
    showFailure: (label, failure) => seen.push(`failure ${label} ${failure.message}`),
    startExport: () => seen.push('export'),
  }
  const target: ActionTarget = {
    host,
    scope: { row: { id: '7' } },
    path: '/v2/crm/customer',
    entityLabel: 'Customer',
    amount: 'one',
    rows: [{ id: '7', name: 'Acme', version: 3 }],
    ids: () => Promise.resolve(['7']),
    titleOf: (row) => String(row.name),
    restorable: true,
    screen,
    reload: () => void seen.push('reload'),
    ...more,
  }
  return { host, target, seen, forms }
}
const run = (model: ActionModel, target: ActionTarget) => runAction(model, target)

describe('actions', () => {
  it('open, copy and download without reloading the page', async () => {
    const { host, target, seen } = targetOf()
    await run(action('open', { type: 'open', address: () => '/a?id=7', newWindow: true }), target)
    await run(action('copy', { type: 'copy', text: () => 'CU1' }), target)
    await run(action('file', { type: 'download', address: () => '/v2/file/1' }), target)
    expect(host.events).toEqual(['navigate window /a?id=7', 'copy CU1', 'downloadFile /v2/file/1'])
    expect(seen).toEqual([])
  })

  it('delete after asking, with the version that was seen, and offer to undo (restore)', async () => {
    const { host, target, seen } = targetOf()
    const changes = vi.fn()
    const deaf = onChanged('/v2/crm/customer', changes)
    await run(action('delete', { type: 'operation', entity: 'crm.customer', operation: 'delete' }), target)
    expect(host.events[0]).toBe('confirm Delete Acme?')
    expect(host.requests[0]).toMatchObject({ method: 'GET', path: '/v2/crm/customer/delete/7', query: { version: 3 } })
    expect(seen).toEqual(['reload'])
    expect(host.events[1]).toBe('notify success Deleted Acme. [Undo]')
    expect(changes).not.toHaveBeenCalled()
    host.offered[0]?.()
    await vi.waitFor(() => expect(changes).toHaveBeenCalledOnce())
    expect(host.requests[1]).toMatchObject({ path: '/v2/crm/customer/restore/7' })
    expect(host.events[2]).toBe('notify success Restored.')
    deaf()
  })

  it('do nothing when the question is answered with no, and pass the phrase that has to be typed', async () => {
    const { host, target, seen } = targetOf({ confirm: () => false })
    const model = action(
      'wipe',
      { type: 'call', call: { method: 'POST', path: '/v2/x' }, params: () => ({}) },
      { confirm: () => ({ title: 'Wipe?', phrase: 'Acme' }) },
    )
    expect(await run(model, target)).toBe('cancelled')
    expect(host.events).toEqual(['confirm Wipe? [Acme]'])
    expect(host.requests).toEqual([])
    expect(seen).toEqual([])
  })

  it('fill the path of a call from its parameters and send the rest, with an idempotence key (R283)', async () => {
    const { host, target } = targetOf()
    await run(
      action(
        'claim',
        { type: 'call', call: { method: 'POST', path: '/v2/crm/{id}/claim' }, params: () => ({ id: 'a/b', note: 'x' }) },
        { success: 'Claimed.' },
      ),
      target,
    )
    expect(host.requests[0]).toMatchObject({ path: '/v2/crm/a%2Fb/claim', body: { note: 'x' }, idempotent: true })
    expect(host.events).toEqual(['notify success Claimed.'])
  })

  it('move records to another state, one call for all, and show each refusal', async () => {
    const { host, target, seen } = targetOf(
      { answer: () => ({ done: ['7'], refused: [{ id: '8', title: 'Beta', reason: 'It has open opportunities.' }] }) },
      { amount: 'many', rows: [{ id: '7' }, { id: '8' }], ids: () => Promise.resolve(['7', '8']) },
    )
    await run(
      action('release', {
        type: 'transition',
        entity: 'crm.customer',
        transition: transition(),
        values: () => ({ reason: 'x' }),
      }),
      target,
    )
    expect(host.requests[0]).toMatchObject({
      path: '/v2/crm/customer/stateUpdate',
      body: { ids: ['7', '8'], field: 'status', transition: 'release', reason: 'x' },
    })
    expect(seen).toEqual(['outcome Release 1/1', 'reload'])
  })

  it('let the fields be typed that only a transition sets', async () => {
    const { target, forms } = targetOf()
    const asked = { ...field('reason'), readOnly: true }
    const model = action('release', {
      type: 'transition',
      entity: 'crm.customer',
      transition: transition({ fields: [asked] }),
      values: () => ({}),
    })
    await run(model, target)
    expect((forms[0]?.form as FormModel).schema.properties?.reason?.['x-field']?.readOnly).toBe(false)
  })

  it('ask for the fields of a transition in a form that submits them', async () => {
    const { host, target, forms } = targetOf()
    const model = action('release', {
      type: 'transition',
      entity: 'crm.customer',
      transition: transition({ fields: [field('reason')], required: ['reason'], confirm: 'Release it?' }),
      values: () => ({}),
    })
    await run(model, target)
    const form = forms[0]?.form as FormModel
    expect(form.schema.properties?.reason).toMatchObject({ required: true, title: 'reason' })
    expect(form.submit.params?.({ $values: { reason: 'because' } })).toEqual({
      ids: ['7'],
      field: 'status',
      transition: 'release',
      version: 3,
      reason: 'because',
    })
    expect(host.events.filter((event) => event.startsWith('confirm'))).toEqual([])
  })

  it.each([true, false])('show the danger of a transition (%s) where its fields are submitted', async (danger) => {
    const { target, forms } = targetOf()
    const asked = transition({ fields: [field('reason')], danger })
    await run(action('lose', { type: 'transition', entity: 'crm.opportunity', transition: asked, values: () => ({}) }), target)
    expect((forms[0]?.form as FormModel).submit.danger).toBe(danger)
  })

  it('ask by the name of the action and of the record where a transition takes no fields but has something to say', async () => {
    const { host, target } = targetOf({ confirm: () => false })
    const model = action('release', {
      type: 'transition',
      entity: 'crm.customer',
      transition: transition({ confirm: 'Others may claim it.' }),
      values: () => ({}),
    })
    await run(model, target)
    expect(host.events).toEqual([expect.stringMatching(/^confirm .+: Acme\?$/)])
  })

  it('go in several calls when there are many records, and keep what was done when a later call fails', async () => {
    const ids = Array.from({ length: 1100 }, (_, index) => String(index + 1))
    let calls = 0
    const { host, target, seen } = targetOf(
      {
        answer: ({ body }) => {
          calls += 1
          if (calls === 3) throw new RequestError('network', 'No connection.')
          return { done: (body as { ids: string[] }).ids, refused: [] }
        },
      },
      { amount: 'many', ids: () => Promise.resolve(ids) },
    )
    await run(action('delete', { type: 'operation', entity: 'e', operation: 'delete' }), target)
    expect(host.requests.map(({ body }) => (body as { ids: string[] }).ids.length)).toEqual([500, 500, 100])
    expect(seen).toContain('outcome Delete 1000/100')
    expect(host.offered).toHaveLength(1)
  })

  it('show why one failed where it stands, without reloading', async () => {
    const { target, seen } = targetOf({
      answer: () => {
        throw new RequestError('business', 'The state does not allow it.', 10010007)
      },
    })
    expect(
      await run(action('release', { type: 'transition', entity: 'e', transition: transition(), values: () => ({}) }), target),
    ).toBe('failed')
    expect(seen).toEqual(['failure Release The state does not allow it.'])
  })

  it('R370 say nothing of a refusal that the shell has told in its dialog', async () => {
    const { target, seen } = targetOf({
      answer: () => {
        throw new RequestError('business', 'Held by DOC-1.', 10060054, undefined, true)
      },
    })
    expect(await run(action('delete', { type: 'operation', entity: 'e', operation: 'delete' }), target)).toBe('failed')
    expect(seen).toEqual([])
  })

  it('leave the page afterwards when they say so', async () => {
    const { host, target } = targetOf({}, { restorable: false })
    await run(action('delete', { type: 'operation', entity: 'e', operation: 'delete' }, { after: 'back' }), target)
    expect(host.events).toContain('closePage')
    expect(changedSince('/v2/crm/customer', Date.now() - 5_000)).toBe(true)
  })

  it('open a form page as a page when it has a route', async () => {
    const bundle = { page: { path: '/crm/followUp' } } as unknown as Awaited<
      ReturnType<ActionTarget['host']['loadPage']>
    >['bundle']
    const { host, target, forms } = targetOf({ overrides: { loadPage: () => Promise.resolve({ bundle, from: 'gateway' }) } })
    await run(
      action('follow', {
        type: 'form',
        page: 'crm/follow-up',
        container: 'page',
        values: () => ({ customerId: '7', tags: ['a'] }),
      }),
      target,
    )
    expect(host.events).toEqual(['navigate /crm/followUp?customerId=7&tags=%5B%22a%22%5D'])
    expect(forms).toEqual([])
  })
})

describe('offered actions', () => {
  it('leave out invisible ones, keep disabled ones with the reason, make links of plain openings', () => {
    const offers = offeredActions(
      [
        action('hidden', { type: 'copy', text: () => '' }, { visible: () => false }),
        action('later', { type: 'copy', text: () => '' }, { disabledBecause: () => 'Not before Monday.' }),
        action('open', { type: 'open', address: () => '/a', newWindow: false }),
        action(
          'broken',
          { type: 'copy', text: () => '' },
          {
            visible: () => {
              throw new Error('x')
            },
          },
        ),
      ],
      {},
      () => 'It could not be decided.',
    )
    expect(offers.map(({ action: { id }, disabledBecause, address }) => [id, disabledBecause, address])).toEqual([
      ['later', 'Not before Monday.', null],
      ['open', null, '/a'],
      ['broken', 'It could not be decided.', null],
    ])
  })
})

describe('the result of a bulk action', () => {
  it('lists the refused first and is a file without formulas', () => {
    const lines = outcomeLines(
      {
        done: ['1'],
        refused: [
          { id: '2', title: '=cmd()', reason: 'No, "never"' },
          { id: '3', title: '3', reason: 'Not yet' },
        ],
      },
      [
        { id: '1', name: 'One' },
        { id: '3', name: 'Three' },
      ],
      (row) => String(row.name),
    )
    expect(lines).toEqual([
      { id: '2', title: '=cmd()', reason: 'No, "never"' },
      { id: '3', title: 'Three', reason: 'Not yet' },
      { id: '1', title: 'One', reason: null },
    ])
    expect(toCsv(lines.map((line) => [line.title, line.reason ?? '']))).toBe(
      '\uFEFF\'=cmd(),"No, ""never"""\r\nThree,Not yet\r\nOne,\r\n',
    )
  })
})
