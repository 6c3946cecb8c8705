import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RequestError } from '../../../../src/headless/host'
import { bodyOf, changesOf, clean, isSame, pathOf } from '../../../../src/runtime/form/session/body'
import { createDraftStore, draftKey } from '../../../../src/runtime/form/session/draft'
import { createSubmitter, outcomeOf } from '../../../../src/runtime/form/session/submit'
import { fakeHost } from '../../../support/fakeHost'
import { formModel, object } from './support'

const base = { model: formModel(), id: undefined, version: undefined, baseline: {}, values: {}, given: {}, scope: {} }

describe('the body of a submission', () => {
  test('holds what was filled in for a new record, and what the opener gave', () => {
    expect(
      bodyOf({ ...base, values: { name: 'A', code: '', note: undefined }, given: { customerId: 'c1', $countryCode: 'DE' } }),
    ).toEqual({
      name: 'A',
      customerId: 'c1',
    })
  })

  test('holds only what changed for a record; what was emptied or hidden is null', () => {
    const body = bodyOf({
      ...base,
      id: '7',
      version: 3,
      baseline: { name: 'A', code: 'C', tags: ['x'], gone: 1 },
      values: { name: 'B', code: '', tags: ['x'] },
    })
    expect(body).toEqual({ id: '7', version: 3, name: 'B', code: null, gone: null })
  })

  test('names the transition and the record for a form of a transition', () => {
    const model = formModel({ submit: { ...formModel().submit, transition: 'release' } })
    expect(bodyOf({ ...base, model, id: '7', version: 3, values: { reason: 'r' } })).toEqual({
      ids: ['7'],
      version: 3,
      transition: 'release',
      reason: 'r',
    })
  })

  test('is what the parameters of the page say, over values, record and what was given', () => {
    const model = formModel({
      submit: {
        ...formModel().submit,
        params: (scope) => ({ ids: (scope.values as { ids: unknown }).ids, to: (scope.values as { to: unknown }).to }),
      },
    })
    expect(bodyOf({ ...base, model, values: { to: 's1' }, given: { ids: ['1', '2'] } })).toEqual({ ids: ['1', '2'], to: 's1' })
  })

  test('holds the version that a stale save taught the form, not the one of its opener', () => {
    const model = formModel({ submit: { ...formModel().submit, params: () => ({ ids: ['1'], version: 3 }) } })
    expect(bodyOf({ ...base, model })).toEqual({ ids: ['1'], version: 3 })
    expect(bodyOf({ ...base, model, version: 5 })).toEqual({ ids: ['1'], version: 5 })
    const bulk = formModel({ submit: { ...formModel().submit, params: () => ({ ids: ['1', '2'] }) } })
    expect(bodyOf({ ...base, model: bulk, version: 5 })).toEqual({ ids: ['1', '2'] })
  })

  test('leaves out what the form of an entity only shows', () => {
    const schema = object({
      name: { type: 'string' },
      money: { type: 'void', properties: { expected: { type: 'string', 'x-pattern': 'readPretty' } } },
    })
    const values = { name: 'A', expected: '12' }
    const model = formModel({ schema, entity: 'crm.opportunity' })
    expect(bodyOf({ ...base, model, values })).toEqual({ name: 'A' })
    expect(bodyOf({ ...base, model, id: '7', version: 1, values })).toEqual({ id: '7', version: 1, name: 'A' })
    expect(bodyOf({ ...base, model: formModel({ schema }), values })).toEqual(values)
  })

  test('never holds the row mark of ArrayTable', () => {
    expect(clean({ rows: [{ a: 1, __DO_NOT_USE_THIS_PROPERTY_index__: 0 }] })).toEqual({ rows: [{ a: 1 }] })
  })

  test('the order of members is no change, an empty text is nothing', () => {
    expect(isSame({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(isSame('', null)).toBe(true)
    expect(changesOf({ a: null }, { a: '' })).toEqual({})
  })

  test('names in a path are filled in and encoded', () => {
    expect(pathOf('/v2/x/{id}/y', { id: 'a/b' })).toBe('/v2/x/a%2Fb/y')
  })
})

describe('sending', () => {
  const request = { method: 'POST' as const, path: '/v2/test/thing/save', body: { name: 'A' } }
  const pause = () => Promise.resolve()

  test('a second call while the first runs is the same call (R283)', async () => {
    const host = fakeHost({ answer: ({ method }) => (method === 'GET' ? { key: 'k' } : { id: '1' }) })
    const submitter = createSubmitter(host, true, '', pause)
    const [a, b] = await Promise.all([submitter.send(request), submitter.send(request)])
    expect(a).toEqual({ type: 'saved', answer: { id: '1' } })
    expect(b).toBe(a)
    expect(host.requests.map(({ path }) => path)).toEqual(['/v2/sys/staff/common/request/idempotence', '/v2/test/thing/save'])
  })

  test('a broken connection is retried with the same key, also by hand; other content gets a new key (R284)', async () => {
    let keys = 0
    let failures = 5
    const host = fakeHost({
      answer: ({ method }) => {
        if (method === 'GET') return { key: `k${++keys}` }
        if (failures-- > 0) throw new RequestError('network', 'down')
        return { id: '1' }
      },
    })
    const submitter = createSubmitter(host, true, '', pause)
    expect((await submitter.send(request)).type).toBe('unknown')
    expect((await submitter.send(request)).type).toBe('saved')
    const used = host.requests.filter(({ method }) => method === 'POST').map(({ idempotent }) => idempotent)
    expect(used).toHaveLength(6)
    expect(new Set(used)).toEqual(new Set(['k1']))
    await submitter.send({ ...request, body: { name: 'B' } })
    expect(host.requests.at(-1)?.idempotent).toBe('k2')
  })

  test('a request that is still running is asked for again, then answers', async () => {
    let runs = 0
    const host = fakeHost({
      answer: ({ method }) => {
        if (method === 'GET') return { key: 'k' }
        if (++runs < 3) throw new RequestError('business', 'running', 10010010)
        return { id: '1' }
      },
    })
    expect((await createSubmitter(host, true, '', pause).send(request)).type).toBe('saved')
  })

  test('a form that is not idempotent asks for no key and retries nothing (R285)', async () => {
    const host = fakeHost({
      answer: () => {
        throw new RequestError('network', 'down')
      },
    })
    await createSubmitter(host, false, '', pause).send(request)
    expect(host.requests).toHaveLength(1)
  })

  test.each([
    [10010005, 'fields'],
    [10010001, 'fields'],
    [10010008, 'fields'],
    [10030001, 'duplicate'],
    [10010003, 'refused'],
    [10030002, 'refused'],
  ])('the answer code %i is %s', (code, type) => {
    expect(outcomeOf(new RequestError('business', 'm', code, { errors: [] }), '').type).toBe(type)
  })

  test('a stale answer that says nothing about the version is shown as its message', () => {
    expect(outcomeOf(new RequestError('business', 'm', 10010006, null), '')).toEqual({ type: 'refused', message: 'm' })
    expect(
      outcomeOf(
        new RequestError('business', 'm', 10010006, {
          version: 4,
          changes: [{ field: 'a', before: 1, after: 2 }, 'junk', { field: 'b', label: 'B', before: null, after: 'x', text: 'X' }],
        }),
        '',
      ),
    ).toMatchObject({
      type: 'stale',
      conflict: {
        version: 4,
        changes: [
          { field: 'a', before: 1, after: 2 },
          { field: 'b', label: 'B', before: null, after: 'x', text: 'X' },
        ],
      },
    })
  })

  test('an http fault of the server leaves open whether it was saved, a refusal does not', () => {
    expect(outcomeOf(new RequestError('http', 'm', 502), '').type).toBe('unknown')
    expect(outcomeOf(new RequestError('http', 'm', 413), '').type).toBe('refused')
    expect(outcomeOf(new RequestError('signedOut', 'm'), '').type).toBe('aborted')
  })
})

describe('the draft', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is written once after a pause, read back, and dropped', async () => {
    const host = fakeHost()
    const key = draftKey('crm/customer', undefined)
    const store = createDraftStore(host, key, 2)
    const saved = vi.fn()
    store.schedule(() => ({ name: 'A' }), saved)
    store.schedule(() => ({ name: 'AB' }), saved)
    expect(store.read()).toBeNull()
    await vi.advanceTimersByTimeAsync(1000)
    expect(saved).toHaveBeenCalledTimes(1)
    expect(store.read()).toEqual({ at: '2026-03-10T02:00:00.000Z', version: 2, values: { name: 'AB' } })
    store.drop()
    expect(store.read()).toBeNull()
  })

  test('is one per page and record', () => {
    expect(new Set([draftKey('p', undefined), draftKey('p', '1'), draftKey('q', '1')]).size).toBe(3)
  })

  test('that was written while the form was submitted is not told any more', async () => {
    const store = createDraftStore(fakeHost(), 'x', undefined)
    const settled = vi.fn()
    store.schedule(() => ({ a: 1 }), settled)
    store.flush()
    store.drop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(settled).not.toHaveBeenCalled()
    expect(store.read()).toBeNull()
  })

  test('that cannot be read is thrown away', async () => {
    const host = fakeHost()
    await host.drafts.set('x', '{ broken')
    expect(createDraftStore(host, 'x', undefined).read()).toBeNull()
    expect(host.drafts.get('x')).toBeNull()
  })

  test('a full store does not stop the form, and nothing is called kept', async () => {
    const host = fakeHost({
      overrides: {
        drafts: { get: () => null, set: () => Promise.resolve(false), remove: () => {}, forget: () => {} },
      },
    })
    const store = createDraftStore(host, 'x', undefined)
    const settled = vi.fn()
    store.schedule(() => ({ a: 1 }), settled)
    store.flush()
    await vi.advanceTimersByTimeAsync(0)
    expect(settled.mock.calls).toEqual([[null]])
  })
})
