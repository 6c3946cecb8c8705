import { RequestError, type HostRequest } from '../../../../src/headless/host'
import type { QueryBody } from '../../../../src/headless/list/request'
import { queryRows } from '../../../support/rows'

type Customer = Record<string, unknown> & { id: string }

const CITIES = ['Beijing', 'Shanghai', 'Shenzhen', 'Chengdu']

export const makeCustomers = (count: number): Customer[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    version: 1,
    code: `CU${String(index + 1).padStart(5, '0')}`,
    name:
      index === 2
        ? `Very long name ${'of a company '.repeat(14)}`
        : index === 3
          ? 'شركة الاتصالات (دبي)'
          : `Customer ${index + 1}`,
    level: ['A', 'B', 'C'][index % 3],
    city: CITIES[index % CITIES.length],
    country: ['CN', 'DE', 'AE'][index % 3],
    amount: `${((index * 7919) % 100_000) / 10}`,
    orders: (index * 31) % 101,
    lastAt: new Date(Date.UTC(2026, 2, 10, 2) - index * 3_600_000).toISOString(),
    status: index === 5 ? null : 'open',
    files: [{ id: 'f1', name: 'contract.pdf', size: 20_480 }],
    $write: true,
  }))

/** The calls of an entity over records in memory: what a page of the harness talks to. */
export const createGateway = (count: number) => {
  const records = makeCustomers(count)
  const deleted = new Map<string, Customer>()
  let mode: 'works' | 'fails' | 'denies' = 'works'
  const find = (id: string): Customer => {
    const found = records.find((record) => record.id === id)
    if (!found) throw new RequestError('business', 'The record was not found.', 10010004)
    return found
  }
  const remove = (id: string): void => {
    const found = find(id)
    deleted.set(id, found)
    records.splice(records.indexOf(found), 1)
  }
  const answer = ({ path, body }: HostRequest): unknown => {
    if (mode === 'fails') throw new RequestError('network', 'The server does not answer.')
    if (path === '/v2/sys/staff/permission/needed') return { names: ['Test › Customers'], ask: ['Zhang San', 'Li Na'] }
    if (mode === 'denies') throw new RequestError('business', 'No permission.', 10010003, { permission: 'test:customer' })
    if (path === '/v2/sys/related') {
      const { sources } = body as { sources: (Partial<QueryBody> & { sum?: string })[] }
      return {
        sources: sources.map(({ sum, ...source }) => {
          const { records: found } = queryRows(records, { pageNo: 1, pageSize: 1_000, ...source })
          const total = found.reduce((all, row) => all + Number(row[sum ?? '']), 0)
          return { total: found.length, ...(sum === undefined ? {} : { summary: { [sum]: total.toFixed(2) } }) }
        }),
      }
    }
    const [, call = '', argument = ''] = /^\/v2\/test\/customer\/([A-Za-z]+)(?:\/(.*))?$/.exec(path) ?? []
    switch (call) {
      case 'queryPage': {
        const result = queryRows(records, body as QueryBody)
        const sum = records.reduce((total, { amount }) => total + Number(amount), 0)
        return { ...result, summary: { amount: sum.toFixed(2) } }
      }
      case 'view':
        return { record: { ...find(argument) }, refs: {}, can: { edit: true, delete: true, transitions: {} } }
      case 'save': {
        const { id, version, ...values } = body as Customer
        if (id === undefined) {
          const created = { id: String(records.length + 1), version: 1, $write: true, ...values }
          records.unshift(created)
          return { id: created.id, version: 1, record: created, refs: {} }
        }
        const found = find(String(id))
        if (version !== found.version)
          throw new RequestError('business', 'Somebody else saved in between.', 10010006, {
            version: found.version,
            changes: [],
            by: 'Li',
            at: '',
          })
        Object.assign(found, values, { version: Number(found.version) + 1 })
        return { id, version: found.version, record: { ...found }, refs: {} }
      }
      case 'delete':
        remove(argument)
        return { id: argument }
      case 'restore': {
        const found = deleted.get(argument)
        if (found) records.unshift(found)
        return { id: argument }
      }
      case 'deleteBatch': {
        const { ids } = body as { ids: string[] }
        const refused = ids
          .filter((id) => find(id).level === 'C')
          .map((id) => ({ id, title: String(find(id).name), reason: 'It is under watch.' }))
        const done = ids.filter((id) => !refused.some((entry) => entry.id === id))
        done.forEach(remove)
        return { done, refused }
      }
      case 'archive':
        return { done: (body as { ids: string[] }).ids, refused: [] }
      case 'exportTask':
        return { taskId: 'task-1' }
      case 'log':
        return {
          records: [
            {
              id: 'l2',
              at: '2026-03-10T01:00:00.000Z',
              byId: 's1',
              byName: 'Wang Wei',
              action: 'update',
              reason: 'Asked by phone',
              changes: [
                { field: 'level', before: 'B', after: 'A' },
                { field: 'amount', before: null, after: '12.5' },
              ],
            },
            { id: 'l1', at: '2025-01-10T01:00:00.000Z', byId: 's1', byName: 'Wang Wei', action: 'create' },
          ],
          more: false,
        }
      case 'import':
        if (argument === 'preview') {
          return {
            importId: 'i1',
            total: 3,
            valid: 2,
            columns: [{ field: 'name', title: 'Name' }],
            errors: [{ row: 3, field: 'name', column: 'Name', value: '=cmd()', message: 'It has to be at least 2 characters.' }],
            warnings: [{ row: 2, message: 'The name resembles a barred one.' }],
            sample: [{ name: 'Imported one' }, { name: 'Imported two' }],
          }
        }
        return {
          ...{ created: 2, refused: [{ row: 3, message: 'It has to be at least 2 characters.' }], refusedTotal: 1 },
          ...{ warned: [{ row: 2, message: 'The name resembles a barred one.' }], warnedTotal: 1 },
        }
      default:
        return {}
    }
  }
  return {
    answer,
    set: (next: typeof mode): void => {
      mode = next
    },
    /** Somebody else changes a record. */
    touch: (id: string): void => {
      const found = find(id)
      Object.assign(found, { version: Number(found.version) + 1, name: 'Changed elsewhere' })
    },
  }
}
