import { describe, expect, it, vi } from 'vitest'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { applyChanges, type Change } from '../../../../src/schema/overlay'
import { withValue } from '../../../../src/widgets/page-designer/document/address'
import { DesignSession } from '../../../../src/widgets/page-designer/document/session'
import type { Draft, TargetState } from '../../../../src/widgets/page-designer/types'

const base = {
  kind: 'list',
  title: { zh: '甲', en: 'A' },
  columns: [{ field: 'name' }, { field: 'level', width: 80 }, { field: 'code' }],
}
const target = (part: Partial<TargetState> = {}): TargetState => ({
  target: 'page:crm/my-client',
  role: null,
  base,
  released: null,
  gray: null,
  draft: null,
  unused: [],
  bundle: null,
  entities: [],
  dictionaries: [],
  revisions: [],
  roles: [],
  others: [],
  companions: [],
  ...part,
})

/** A gateway that keeps one draft by the rules of the contract. */
const gateway = () => {
  const state = { version: 0, changes: [] as readonly Change[], saves: 0, down: false }
  const other = { staffId: 's2', name: { zh: '李娜', en: 'Li Na' } }
  const request = <T>({ path, body }: HostRequest): Promise<T> => {
    if (state.down) return Promise.reject(new RequestError('network', 'No connection.'))
    if (path.endsWith('/discard')) {
      state.version = 0
      return Promise.resolve({} as T)
    }
    const { version, changes } = body as { version: number; changes: readonly Change[] }
    if (version !== state.version) {
      const draft: Draft = { version: state.version, changes: state.changes, by: other, at: '', note: null, origin: null }
      return Promise.reject(new RequestError('business', 'Stale.', 10010006, { draft }))
    }
    state.saves += 1
    state.version += 1
    state.changes = changes
    return Promise.resolve({ version: state.version, problems: [], outcomes: [], bundle: null } as T)
  }
  const store = new Map<string, string>()
  const local = {
    get: (key: string) => store.get(key) ?? null,
    set: (key: string, value: string) => store.set(key, value).has(key),
    remove: (key: string) => void store.delete(key),
  }
  return { state, store, host: { request, locale: 'en' as const, local } }
}

const open = (part?: Partial<TargetState>) => {
  const { state, host } = gateway()
  state.version = part?.draft?.version ?? 0
  return { state, session: new DesignSession(host, target(part), { delay: 60_000, now: () => 0 }) }
}
const widen = (session: DesignSession, width: number): void =>
  session.edit(withValue(session.document, 'columns/level/width', width))

describe('work on a draft', () => {
  it('saves the changes by ids, once, and nothing when nothing differs', async () => {
    const { state, session } = open()
    await session.flush()
    expect(state.saves).toBe(0)
    widen(session, 120)
    expect(session.snapshot().saving).toBe('waiting')
    await session.flush()
    await session.flush()
    expect(state).toMatchObject({ saves: 1, version: 1, changes: [{ at: 'columns/level/width', set: 120 }] })
    expect(session.snapshot().saving).toBe('saved')
  })

  it('makes a draft of what is in gray when it is to be released to everybody', async () => {
    const changes: Change[] = [{ at: 'columns/level/width', set: 99 }]
    const { state, session } = open({ gray: { number: 1, changes } })
    await session.flush(true)
    expect(state).toMatchObject({ version: 1, changes })
  })

  it('takes undo for a change of its own', async () => {
    const { state, session } = open()
    widen(session, 120)
    await session.flush()
    session.undo()
    await session.flush()
    expect(state.changes).toEqual([])
    session.redo()
    await session.flush()
    expect(state.changes).toEqual([{ at: 'columns/level/width', set: 120 }])
  })

  it('says why it could not save, and saves with the next attempt', async () => {
    const { state, session } = open()
    state.down = true
    widen(session, 120)
    await session.flush()
    expect(session.snapshot()).toMatchObject({ saving: 'failed', failure: 'No connection.' })
    state.down = false
    await session.flush()
    expect(session.snapshot()).toMatchObject({ saving: 'saved', failure: null, version: 1 })
  })

  it('keeps changes whose place is gone until somebody drops them', async () => {
    const lost: Change = { at: 'columns/gone/width', set: 1 }
    const { state, session } = open({
      draft: { version: 3, changes: [lost], by: { staffId: 's1', name: { zh: 'W', en: 'W' } }, at: '', note: null, origin: null },
    })
    expect(session.snapshot().orphans).toEqual([lost])
    widen(session, 120)
    await session.flush()
    expect(state.changes).toContainEqual(lost)
    session.dropOrphans()
    await session.flush()
    expect(state.changes).not.toContainEqual(lost)
  })

  it('brings back what was not saved when the page was left, beside what others saved since', async () => {
    const { state, store, host } = gateway()
    state.down = true
    const first = new DesignSession(host, target(), { delay: 60_000 })
    widen(first, 120)
    await first.flush()
    state.down = false
    state.version = 1
    state.changes = [{ at: 'columns/name/pin', set: 'left' }]
    const draft: Draft = {
      version: 1,
      changes: state.changes,
      by: { staffId: 's2', name: { zh: '李娜', en: 'Li Na' } },
      at: '',
      note: null,
      origin: null,
    }
    const again = new DesignSession(host, target({ draft }), { delay: 60_000 })
    expect(again.snapshot()).toMatchObject({ restored: true, saving: 'waiting' })
    await again.flush()
    expect(applyChanges(base, state.changes).document.columns).toEqual([
      { field: 'name', pin: 'left' },
      { field: 'level', width: 120 },
      { field: 'code' },
    ])
    expect(store.size).toBe(0)
  })

  it('puts what was typed aside after the key, at once when the page goes, and again what was typed while it was sent', async () => {
    vi.useFakeTimers()
    try {
      const { store, host } = gateway()
      const kept = (): unknown => JSON.parse([...store.values()][0] ?? 'null')
      const session = new DesignSession(host, target(), { delay: 60_000 })
      widen(session, 120)
      expect(store.size).toBe(0)
      session.keep()
      expect(kept()).toEqual({ held: [], changes: [{ at: 'columns/level/width', set: 120 }] })
      widen(session, 130)
      await vi.advanceTimersByTimeAsync(1_000)
      expect(kept()).toMatchObject({ changes: [{ set: 130 }] })
      const sent = session.flush()
      widen(session, 140)
      await sent
      await vi.advanceTimersByTimeAsync(1_000)
      expect(kept()).toMatchObject({ held: [{ set: 130 }], changes: [{ set: 140 }] })
      await session.flush()
      expect(store.size).toBe(0)
      session.keep()
      expect(store.size).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps a document that no file has as a whole', async () => {
    const made = { kind: 'list', columns: [{ field: 'name' }, { field: 'level' }] }
    const changes: Change[] = [{ at: '', set: made }]
    const draft: Draft = {
      version: 1,
      changes,
      by: { staffId: 's1', name: { zh: 'W', en: 'W' } },
      at: '',
      note: null,
      origin: null,
    }
    const { state, session } = open({ base: null, draft })
    expect(session.document).toEqual(made)
    widen(session, 120)
    await session.flush()
    expect(state.changes).toEqual([{ at: '', set: { ...made, columns: [{ field: 'name' }, { field: 'level', width: 120 }] } }])
  })

  it('gives the draft up', async () => {
    const { state, session } = open()
    widen(session, 120)
    await session.flush()
    await session.discard()
    expect(state.version).toBe(0)
    expect(session.document).toEqual(base)
  })

  it('leaves no empty draft behind when a page that only the draft had is given up', async () => {
    const draft = { version: 3, changes: [{ at: '', set: base }], by: { staffId: 's1', name: { zh: 'W', en: 'W' } } }
    const { state, session } = open({ base: null, draft: { ...draft, at: '', note: null, origin: null } })
    await session.discard()
    await session.flush()
    expect(state).toMatchObject({ version: 0, saves: 0 })
  })
})

describe('two admins at once', () => {
  const theirs = (state: { version: number; changes: readonly Change[] }, ...changes: Change[]): void => {
    state.version += 1
    state.changes = changes
  }

  it('are merged by ids without a question when they changed different places', async () => {
    const { state, session } = open()
    widen(session, 120)
    theirs(state, { at: 'columns/name/pin', set: 'left' })
    await session.flush()
    await session.flush()
    expect(session.snapshot()).toMatchObject({ conflict: null, merged: { name: { zh: '李娜', en: 'Li Na' } }, saving: 'saved' })
    const { document } = applyChanges(base, state.changes)
    expect(document.columns).toContainEqual({ field: 'name', pin: 'left' })
    expect(document.columns).toContainEqual({ field: 'level', width: 120 })
  })

  it.each([
    ['mine', ['columns/level/width'], 120],
    ['theirs', [], 200],
  ] as const)('ask about the same place only; %s stands when it is chosen', async (_, mine, width) => {
    const { state, session } = open()
    widen(session, 120)
    session.edit(withValue(session.document, 'columns/code/hidden', true))
    theirs(state, { at: 'columns/level/width', set: 200 }, { at: 'columns/name/pin', set: 'left' })
    await session.flush()
    expect(session.snapshot().conflict?.conflicts.map(({ at }) => at)).toEqual(['columns/level/width'])
    session.settle(new Set(mine))
    await session.flush()
    const { document } = applyChanges(base, state.changes)
    expect(document.columns).toEqual([
      { field: 'name', pin: 'left' },
      { field: 'level', width },
      { field: 'code', hidden: true },
    ])
  })
})
