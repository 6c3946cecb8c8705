import { describe, expect, it } from 'vitest'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { createListController, type ListOptions, type QueryAnswer } from '../../../../src/runtime/list'
import { shownTotal } from '../../../../src/runtime/list/counting'
import type { QueryBody } from '../../../../src/headless/list/request'
import { fakeHost, type FakeHostOptions } from '../../../support/fakeHost'
import { column, filter, listBody } from '../../../support/models'
import { queryRows } from '../../../support/rows'

const rows = Array.from({ length: 45 }, (_, index) => ({ id: String(index + 1), name: `Row ${index + 1}`, amount: index }))
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

const listOf = (options: FakeHostOptions = {}, more: Partial<ListOptions> = {}) => {
  const host = fakeHost({ answer: ({ body }) => queryRows(rows, body as QueryBody), ...options })
  const searches: string[] = []
  const list = createListController({
    host,
    body: listBody({ filters: [filter('name')] }),
    scope: {},
    id: 'things',
    search: '',
    onSearch: (search) => searches.push(search),
    ...more,
  })
  return { host, list, searches }
}
const sent = (requests: readonly HostRequest[]): QueryBody[] => requests.map((request) => request.body as QueryBody)

describe('the headless list', () => {
  it('loads the page that the address names', async () => {
    const { host, list } = listOf({}, { search: 'page=2&size=10&q=row' })
    list.start()
    await settle()
    expect(sent(host.requests)[0]).toMatchObject({ pageNo: 2, pageSize: 10, keyword: 'row' })
    expect(list.getState()).toMatchObject({ phase: 'ready', busy: false, total: 45 })
    expect(list.getState().rows[0]).toMatchObject({ id: '11' })
  })

  it('writes what changed into the address and goes back to page one', async () => {
    const { list, searches } = listOf({}, { search: 'page=3' })
    list.start()
    await settle()
    list.setKeyword('row 4')
    list.toggleSort('name')
    list.toggleSort('name')
    await settle()
    expect(searches.at(-1)).toBe('q=row+4&sort=name.desc')
    expect(list.getState().query.page).toBe(1)
    list.toggleSort('name')
    expect(list.getState().query.sort).toEqual([])
  })

  it('reads one row anew where it stands, with the sums; a row that it shows no more loads it anew', async () => {
    let now = rows
    const { host, list } = listOf({ answer: ({ body }) => queryRows(now, body as QueryBody) })
    list.start()
    await settle()
    now = rows.map((row) => (row.id === '3' ? { ...row, name: 'Another' } : { ...row, name: 'Elsewhere' }))
    const before = host.requests.length
    await list.refresh('3')
    expect(sent(host.requests.slice(before))[0]).toMatchObject({ where: [{ field: 'id', operator: 'eq', value: '3' }] })
    expect(
      list
        .getState()
        .rows.slice(1, 4)
        .map(({ name }) => name),
    ).toEqual(['Row 2', 'Another', 'Row 4'])
    now = now.filter(({ id }) => id !== '3')
    await list.refresh('3')
    expect(list.getState()).toMatchObject({ total: 44 })
  })

  it('follows a newer description of itself: words without a call, another order with one', async () => {
    const body = listBody({ filters: [filter('name')] })
    const { host, list } = listOf({}, { body })
    list.start()
    await settle()
    const before = host.requests.length
    list.follow({ ...body, entityLabel: 'Other things' })
    await settle()
    expect(host.requests).toHaveLength(before)
    list.follow({ ...body, pageSize: 10, sort: [{ field: 'amount', order: 'desc' }] })
    await settle()
    expect(sent(host.requests).at(-1)).toMatchObject({ pageSize: 10, sort: [{ field: 'amount', order: 'desc' }] })
    expect(list.getState().rows).toHaveLength(10)
    expect(list.getState().rows[0]).toMatchObject({ id: '45' })
  })

  it('shows very many rows before their sums, which it asks for alone', async () => {
    const sums: ((answer: QueryAnswer) => void)[] = []
    const amount = { ...column('amount', 'decimal'), summary: 'sum' as const }
    const { host, list } = listOf(
      {
        answer: ({ body }) =>
          (body as QueryBody).pageSize === 0
            ? new Promise<QueryAnswer>((resolve) => sums.push(resolve))
            : { ...queryRows(rows, body as QueryBody), total: 900_000 },
      },
      { body: listBody({ columns: [column('name'), amount], summary: true }) },
    )
    list.start()
    await settle()
    expect(list.getState()).toMatchObject({ phase: 'ready', busy: false, total: 900_000, summary: null })
    expect(sent(host.requests).at(-1)).toMatchObject({ pageSize: 0, summary: [{ field: 'amount', function: 'sum' }] })
    list.setKeyword('row')
    await settle()
    sums[0]?.({ records: [], total: 900_000, summary: { amount: '1' } })
    await settle()
    expect(list.getState().summary).toBeNull()
    sums[1]?.({ records: [], total: 900_000, summary: { amount: '2' } })
    await settle()
    expect(list.getState().summary).toEqual({ amount: '2' })
    list.setPage(2)
    await settle()
    expect(list.getState().summary).toEqual({ amount: '2' })
  })

  it('shows the rows before the number of very many is known, and the number without sums, too', async () => {
    const counts: ((answer: QueryAnswer) => void)[] = []
    const { host, list } = listOf({
      answer: ({ body }) =>
        (body as QueryBody).pageSize === 0
          ? new Promise<QueryAnswer>((resolve) => counts.push(resolve))
          : { ...queryRows(rows, body as QueryBody), total: 20_000, totalAtLeast: true },
    })
    list.start()
    await settle()
    expect(sent(host.requests).at(-2)).toMatchObject({ countUpTo: 10_000 })
    expect(sent(host.requests).at(-1)).not.toHaveProperty('countUpTo')
    expect(list.getState()).toMatchObject({ phase: 'ready', busy: false, total: 20_000, totalAtLeast: true })
    expect(shownTotal(list.getState(), String)).toBe('20000+')
    counts[0]?.({ records: [], total: 901_234 })
    await settle()
    expect(list.getState()).toMatchObject({ total: 901_234, totalAtLeast: false })
    expect(shownTotal(list.getState(), String)).toBe('901234')
    // another page of the same rows: their number stands until it is counted anew
    list.setPage(2)
    await settle()
    expect(list.getState()).toMatchObject({ total: 901_234, totalAtLeast: false, query: { page: 2 } })
    counts[1]?.({ records: [], total: 901_230 })
    await settle()
    expect(list.getState().total).toBe(901_230)
    // other rows: it is not known how many
    list.setKeyword('row')
    await settle()
    expect(list.getState()).toMatchObject({ total: 20_000, totalAtLeast: true })
  })

  it('shows the last answer that was asked for, whatever order they come in', async () => {
    const waiting: ((answer: QueryAnswer) => void)[] = []
    const signals: (AbortSignal | undefined)[] = []
    const { list } = listOf({
      answer: ({ signal }) => {
        signals.push(signal)
        return new Promise<QueryAnswer>((resolve) => waiting.push(resolve))
      },
    })
    list.start()
    list.setKeyword('one')
    list.setKeyword('two')
    await settle()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, false])
    waiting[2]?.({ records: [{ id: 'new' }], total: 1 })
    await settle()
    waiting[0]?.({ records: [{ id: 'old' }], total: 1 })
    waiting[1]?.({ records: [{ id: 'older' }], total: 1 })
    await settle()
    expect(list.getState().rows).toEqual([{ id: 'new' }])
  })

  it('answers a row with the version of the reload that is under way, not with the one still on the screen', async () => {
    let version = 1
    const { list } = listOf({ answer: () => Promise.resolve({ records: [{ id: 'a', version }], total: 1 }) })
    list.start()
    await settle()
    version = 2
    void list.reload()
    expect(list.getState().rows).toEqual([{ id: 'a', version: 1 }])
    expect(await list.current('a')).toEqual({ id: 'a', version: 2 })
    expect(await list.current('gone')).toBeUndefined()
  })

  it('shows the last page when the asked one is behind the end', async () => {
    const { list, searches } = listOf({}, { search: 'page=9' })
    list.start()
    await settle()
    await settle()
    expect(list.getState().query.page).toBe(3)
    expect(list.getState().rows).toHaveLength(5)
    expect(searches.at(-1)).toBe('page=3')
  })

  it('keeps the rows when a reload fails, says why, and recovers', async () => {
    let broken = false
    const { list } = listOf({
      answer: ({ body }) => {
        if (broken) throw new RequestError('network', 'No connection.')
        return queryRows(rows, body as QueryBody)
      },
    })
    list.start()
    await settle()
    broken = true
    await list.reload()
    expect(list.getState()).toMatchObject({ phase: 'failed', failure: { kind: 'failed', message: 'No connection.' } })
    expect(list.getState().rows).toHaveLength(20)
    broken = false
    await list.reload()
    expect(list.getState()).toMatchObject({ phase: 'ready', failure: null })
  })

  it('names the missing permission', async () => {
    const { list } = listOf({
      answer: () => {
        throw new RequestError('business', 'No permission.', 10010003, { permission: 'crm:customer:list' })
      },
    })
    list.start()
    await settle()
    expect(list.getState().failure).toMatchObject({ kind: 'denied', permission: 'crm:customer:list' })
  })

  it('keeps a selection over pages and forgets it when what matches changes', async () => {
    const { list } = listOf()
    list.start()
    await settle()
    list.select(['1', '2'], true)
    list.setPage(2)
    await settle()
    list.select(['21'], true)
    expect([...list.getState().selection.keys.keys()]).toEqual(['1', '2', '21'])
    list.select(['2'], false)
    expect(await list.selectedKeys(100)).toEqual(['1', '21'])
    list.setKeyword('x')
    expect(list.getState().selection.keys.size).toBe(0)
  })

  it('fetches the ids of all matching rows, and stops being "all" when one is taken out', async () => {
    const { list } = listOf({}, { search: 'q=row 1' })
    list.start()
    await settle()
    list.selectAllMatching()
    expect(list.getState().selection.all).toBe(true)
    expect(await list.selectedKeys(5000)).toHaveLength(11)
    list.select(['1'], false)
    expect(list.getState().selection.all).toBe(false)
  })

  it('opens with the first tab that has something to do, and an empty tab knows where the rows are', async () => {
    const only = (id: string, count: boolean, value?: string) => ({
      ...{ id, title: id, count },
      where: () => (value === undefined ? [] : [{ field: 'id', operator: 'eq' as const, value }]),
    })
    const body = listBody({
      views: [only('none', true, 'x'), only('quiet', false, '1'), only('work', true, '2'), only('all', true)],
    })
    const { list } = listOf({}, { body })
    list.start()
    await settle()
    expect(list.getState()).toMatchObject({ query: { view: 'work' }, total: 1, elsewhere: {} })
    // whoever chooses a tab stays there
    list.setView('none')
    await settle()
    expect(list.getState()).toMatchObject({
      query: { view: 'none' },
      total: 0,
      elsewhere: { none: 0, quiet: 1, work: 1, all: 45 },
    })
    const asked = listOf({}, { body, search: 'view=none' }).list
    asked.start()
    await settle()
    expect(asked.getState()).toMatchObject({ query: { view: 'none' }, total: 0 })
  })

  it('counts the rows of the tabs that want it', async () => {
    const body = listBody({
      views: [
        { id: 'all', title: 'All', where: () => [], count: true },
        { id: 'one', title: 'One', where: () => [{ field: 'id', operator: 'eq', value: '1' }], count: true },
        { id: 'quiet', title: 'Quiet', where: () => [], count: false },
      ],
    })
    const { host, list } = listOf({}, { body })
    list.start()
    await settle()
    expect(list.getState().counts).toEqual({ all: 45, one: 1 })
    // all tabs in one call
    expect(sent(host.requests).filter(({ pageSize }) => pageSize === 0)).toHaveLength(1)
    list.setView('one')
    await settle()
    expect(list.getState()).toMatchObject({ total: 1, query: { view: 'one' } })
  })

  it('reads the settings of the user and keeps a changed page size', async () => {
    const { host, list } = listOf({ preferences: { 'list:things': { pageSize: 10, density: 'compact' } } })
    list.start()
    await settle()
    await settle()
    expect(list.getState()).toMatchObject({ size: 10, settings: { density: 'compact' } })
    expect(list.getState().rows).toHaveLength(10)
    list.setSize(50)
    await settle()
    expect(list.getState().rows).toHaveLength(45)
    expect(await host.preference('list:things')).toMatchObject({ pageSize: 50, density: 'compact' })
  })

  it('shows what a saved view keeps, says what differs from it, and leaves the columns of the person alone', async () => {
    const view = {
      id: 'v1',
      title: 'By name',
      query: 'sort=name.desc',
      settings: { hidden: { amount: true } },
      roles: [],
      version: 1,
    }
    const { host, list, searches } = listOf({ views: [view], preferences: { 'list:things': { pageSize: 10 } } })
    list.start()
    await settle()
    await settle()
    list.setSaved('v1')
    await settle()
    expect(searches.at(-1)).toBe('saved=v1&sort=name.desc')
    expect(list.getState()).toMatchObject({ size: 10, settings: { pageSize: 10, hidden: { amount: true } } })
    list.saveSettings({ ...list.getState().settings, hidden: { name: true }, density: 'compact' })
    expect(await host.preference('list:things')).toMatchObject({ pageSize: 10, density: 'compact', hidden: {} })
    expect(list.getState().settings.hidden).toEqual({ name: true })
    list.setKeyword('row')
    list.setView('')
    await settle()
    expect(searches.at(-1)).toBe('')
    expect(list.getState()).toMatchObject({ size: 10, settings: { density: 'compact' } })
    expect(list.getState().settings.hidden ?? {}).toEqual({})
  })

  it('opens with the view of the role where nothing is asked for, at once when it is known already', async () => {
    const view = { id: 'v1', title: 'Mine', query: 'q=row+4', settings: null, roles: ['sales'], first: true, version: 1 }
    const { host, list, searches } = listOf({ views: [view] })
    list.start()
    await settle()
    await settle()
    await settle()
    expect(searches.at(-1)).toBe('saved=v1&q=row+4')
    expect(list.getState()).toMatchObject({ query: { keyword: 'row 4', saved: 'v1' }, settings: {} })
    const again = listOf({ overrides: { local: host.local } })
    expect(again.list.getState().query).toMatchObject({ keyword: 'row 4', saved: 'v1' })
    expect(listOf({ overrides: { local: host.local } }, { search: 'q=row+1' }).list.getState().query.keyword).toBe('row 1')
  })

  it('takes over an address that somebody else set, and ignores its own', async () => {
    const { host, list, searches } = listOf()
    list.start()
    await settle()
    list.setPage(2)
    await settle()
    const before = host.requests.length
    list.adopt(searches.at(-1) ?? '')
    expect(host.requests).toHaveLength(before)
    list.adopt('')
    await settle()
    expect(list.getState().query.page).toBe(1)
    expect(host.requests).toHaveLength(before + 1)
  })

  it('is not thrown back by its own addresses that arrive late', async () => {
    const { host, list, searches } = listOf()
    list.start()
    await settle()
    list.toggleSort('name')
    list.toggleSort('amount')
    await settle()
    const before = host.requests.length
    for (const search of searches) list.adopt(search)
    await settle()
    expect(list.getState().query.sort).toEqual([{ field: 'amount', order: 'asc' }])
    expect(host.requests).toHaveLength(before)
    list.adopt(searches[0] ?? '')
    expect(list.getState().query.sort).toEqual([{ field: 'name', order: 'asc' }])
    list.toggleSort('amount')
    list.adopt('sort=amount.asc')
    list.toggleSort('name')
    list.toggleSort('amount')
    list.adopt('sort=name.asc')
    expect(list.getState().query.sort).toEqual([{ field: 'name', order: 'asc' }])
  })

  it('gives up what is under way when it is hidden, and starts again when it is shown', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const { list } = listOf({
      answer: ({ signal }) => {
        signals.push(signal)
        return new Promise<QueryAnswer>((_, reject) =>
          signal?.addEventListener('abort', () => reject(new RequestError('aborted', ''))),
        )
      },
    })
    list.start()()
    list.start()
    await settle()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
    expect(list.getState().failure).toBeNull()
  })

  it('adds rows below on demand, and keeps as many as are shown when it is loaded anew', async () => {
    const host = fakeHost({
      answer: ({ body }) => {
        const { cursor = '', pageSize } = body as { cursor?: string; pageSize: number }
        const start = Number(cursor)
        const end = start + pageSize
        return {
          records: rows.slice(start, end),
          total: rows.length,
          refs: { at: { [cursor]: { title: cursor } } },
          next: end < rows.length ? String(end) : null,
        }
      },
    })
    const list = createListController({ host, body: listBody({ paging: 'more' }), scope: {}, id: 'things', search: '' })
    list.start()
    await settle()
    expect(host.requests[0]?.body).toMatchObject({ cursor: '', pageSize: 20 })
    expect(host.requests[0]?.body).not.toHaveProperty('pageNo')
    await Promise.all([list.loadMore(), list.loadMore()])
    expect(list.getState().rows.map((row) => row.id)).toEqual(rows.slice(0, 40).map((row) => row.id))
    expect(Object.keys(list.getState().refs.at ?? {})).toEqual(expect.arrayContaining(['', '20']))
    await list.reload()
    expect(list.getState().rows).toHaveLength(40)
    await list.loadMore()
    expect(list.getState()).toMatchObject({ next: null, busy: false })
    expect(list.getState().rows).toHaveLength(45)
    await list.loadMore()
    expect(list.getState().rows).toHaveLength(45)
  })
})
