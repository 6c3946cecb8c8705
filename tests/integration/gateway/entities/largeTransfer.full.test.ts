import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MoreRowsError, type ImportPreview } from '../../../../gateway/entities'
import { readSheet } from '../../../../gateway/entities/transfer/sheetReader'
import type { RequestContext } from '../../../../gateway/platform/http'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
let folder: string
beforeAll(async () => {
  world = await openWorld()
  folder = await mkdtemp(join(tmpdir(), 'ent-large-'))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const me = (): RequestContext => as(PEOPLE.wang, { locale: 'zh', scope: ['all'] })
const UNWARNED = { warned: [], warnedTotal: 0 }
async function preview(content: string): Promise<ImportPreview> {
  const path = join(folder, 'file')
  await writeFile(path, content)
  return world.engine.importPreview('test.client', me(), { name: 'clients.csv', path })
}

describe('importing much', () => {
  it('commits thousands of rows in batches; two commits at once do not import twice', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `批量公司${index},b`)
    const { importId } = await preview(['名称,等级', ...lines].join('\n'))
    const attempts = await Promise.allSettled(
      [1, 2].map(() => world.engine.importCommit('test.client', me(), { importId, skipFaulty: false })),
    )
    const done = attempts.filter((attempt) => attempt.status === 'fulfilled')
    expect(done.length).toBeGreaterThan(0)
    for (const { value } of done) expect(value).toEqual({ created: 3_000, refused: [], refusedTotal: 0, ...UNWARNED })
    const page = await world.engine.queryPage('test.client', me(), { keyword: '批量公司', pageSize: 1 })
    expect(page.total).toBe(3_000)
    const { rows } = await world.database.query<{ total: number }>(
      `select count(distinct code) as total from test_client where name like '批量公司%'`,
    )
    expect(Number(rows[0]!.total)).toBe(3_000)
    // the database knows by now that the table is large: it would search it from end to end otherwise
    const { rows: known } = await world.database.query<{ rows: number }>(
      `select reltuples::float8 as rows from pg_class where oid = 'test_client'::regclass`,
    )
    expect(known[0]!.rows).toBeGreaterThanOrEqual(3_000 / 4)
  })

  it('checks a large file in pieces and says how far it is; a call that cannot wait is told at once', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `公司${index},B级,CN,m${index}@x.com`)
    const path = join(folder, 'large.csv')
    await writeFile(path, ['名称,等级,国家,邮箱', ...lines].join('\n'))
    const file = { name: 'large.csv', path }
    const told: (number | null)[] = []
    const seen = await world.engine.importPreview('test.client', me(), file, { onProgress: (part) => told.push(part) })
    expect(seen).toMatchObject({ total: 5_000, valid: 5_000, errors: [] })
    expect(told.length).toBe(11)
    expect(told.at(-1)).toBe(1)
    await expect(world.engine.importPreview('test.client', me(), file, { mostRows: 500 })).rejects.toBeInstanceOf(MoreRowsError)
    const stop = new AbortController()
    stop.abort()
    await expect(world.engine.importPreview('test.client', me(), file, { signal: stop.signal })).rejects.toThrow(/abort/i)
  })

  it('reads 100,000 rows in pieces that wait for each other, and not one more', async () => {
    const path = join(folder, 'hundredThousand.csv')
    await writeFile(path, ['名称,等级', ...Array.from({ length: 100_000 }, (_, index) => `公司${index},b`)].join('\n'))
    const request = { path, headers: ['名称', '等级'], limits: { rows: 100_000, unpacked: 1_048_576, ratio: 150 } }
    const pieces: number[] = []
    let last = 0
    const read = () =>
      readSheet(request, async (rows) => {
        pieces.push(rows.length)
        last = rows.at(-1)?.row ?? last
      })
    await read()
    // The header is a row of the file, too.
    expect(pieces.reduce((sum, count) => sum + count, 0)).toBe(100_001)
    expect([last, Math.max(...pieces) <= 1_000]).toEqual([100_001, true])
    await appendFile(path, '\n多一行,b')
    await expect(read()).rejects.toThrow(/more than 100000 rows/)
  })
})
