import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MoreRowsError, type ExportRequest, type ImportPreview } from '../../../../gateway/entities'
import { systemContext, type RequestContext } from '../../../../gateway/platform/http'
import { documents, person } from '../../../fixtures/entities/documents'
import { sheetsOf, workbook } from '../../../support/workbook'
import { as, clientRow, fault, openWorld, PEOPLE, startEngine, type World } from './world'

let world: World
let folder: string
beforeAll(async () => {
  world = await openWorld()
  folder = await mkdtemp(join(tmpdir(), 'ent-files-'))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const me = (): RequestContext => as(PEOPLE.wang, { locale: 'zh', scope: ['all'] })
let fileCount = 0
const UNWARNED = { warned: [], warnedTotal: 0 }

async function preview(content: Buffer | string, context = me()): Promise<ImportPreview> {
  const path = join(folder, `file${(fileCount += 1)}`)
  await writeFile(path, content)
  return world.engine.importPreview('test.client', context, { name: 'clients.csv', path })
}

async function exported(request: Partial<ExportRequest> & Pick<ExportRequest, 'format'>, context = me()): Promise<Buffer> {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await world.engine.exportTo(stream, 'test.client', context, { columns: [{ field: 'name', title: '名称' }], ...request })
  return Buffer.concat(chunks)
}

describe('importing', () => {
  it('offers a template with headers in the language of the caller, required marks, drop-downs and an example that is not imported', async () => {
    const file = await world.engine.importTemplate('test.client', me())
    const sheets = sheetsOf(file)
    const [sheet] = sheets
    const headers = sheet!.rows[0]!
    expect(headers).toContain('名称 *')
    expect(headers).toContain('等级 *')
    expect(headers).not.toContain('编码')
    expect(headers).not.toContain('持有')
    const level = String.fromCharCode(65 + headers.indexOf('等级 *'))
    expect(sheet!.xml).toMatch(new RegExp(`<dataValidation type="list"[^>]* sqref="${level}2:`))
    expect(sheets.map(({ name }) => name)).toEqual(['客户', '说明', '选项'])
    await expect(preview(file)).rejects.toMatchObject({ reason: 'importRefused' })
  })

  it('tells each fault with row, column, value and reason, gives an error file, and imports the rest once', async () => {
    const csv = [
      '名称,等级,国家,邮箱,人数',
      '甲公司,A级,CN,a@x.com,5',
      ',B级,CN,b@x.com,5',
      '丙公司,Z级,CN,c@x.com,五',
      '丁公司,b,CN,a@x.com,7',
      '戊公司,C级,法国,d@x.com,8',
    ].join('\n')
    const seen = await preview(csv)
    expect(seen).toMatchObject({ total: 5, valid: 1 })
    expect(seen.errors.map(({ row, column, value }) => [row, column, value])).toEqual([
      [3, 'A', ''],
      [4, 'B', 'Z级'],
      [4, 'E', '五'],
      [5, 'D', 'a@x.com'],
      [6, null, null],
    ])
    expect(seen.errors[3]!.message).toContain('第 2 行')
    const [errors] = sheetsOf(await world.engine.importErrors('test.client', me(), seen.importId))
    expect(errors!.rows).toHaveLength(5)
    expect(errors!.rows[2]![0]).toBe('丙公司')

    await expect(
      world.engine.importCommit('test.client', me(), { importId: seen.importId, skipFaulty: false }),
    ).rejects.toMatchObject({ reason: 'importRefused' })
    const other = as(PEOPLE.li)
    await expect(
      world.engine.importCommit('test.client', other, { importId: seen.importId, skipFaulty: true }),
    ).rejects.toMatchObject({ reason: 'notFound' })
    expect(await world.engine.importCommit('test.client', me(), { importId: seen.importId, skipFaulty: true })).toEqual({
      created: 1,
      refused: [],
      refusedTotal: 0,
      ...UNWARNED,
    })
    expect(await world.engine.importCommit('test.client', me(), { importId: seen.importId, skipFaulty: true })).toEqual({
      created: 1,
      refused: [],
      refusedTotal: 0,
      ...UNWARNED,
    })
    const page = await world.engine.queryPage('test.client', me(), {
      where: [{ field: 'email', operator: 'eq', value: 'a@x.com' }],
    })
    expect(page.records).toMatchObject([{ name: '甲公司', level: 'a', staff: 5, ownerId: PEOPLE.wang }])
    expect(page.records[0]!.code).toMatch(/^CL\d{7}$/)
  })

  it('has the unit of a number in the head of the template, and reads it there and behind a value', async () => {
    const [sheet] = sheetsOf(await world.engine.importTemplate('test.client', me()))
    expect(sheet!.rows[0]).toContain('人数（人）')
    const seen = await preview('名称,等级,人数（人）\n甲公司,A级,1200 人\n乙公司,A级,7\n')
    expect(seen.errors).toEqual([])
    expect(seen.sample.map(({ staff, $shown }) => [staff, ($shown as Record<string, unknown>).staff])).toEqual([
      [1200, '1,200 人'],
      [7, '7 人'],
    ])
  })

  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['GBK', (text: string) => iconv.encode(text, 'gbk')],
    ['GB18030', (text: string) => iconv.encode(text, 'gb18030')],
    ['UTF-16 LE', (text: string) => iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['UTF-16 BE', (text: string) => iconv.encode(text, 'utf-16be', { addBOM: true })],
    ['UTF-16 without mark', (text: string) => iconv.encode(text, 'utf-16le', { addBOM: false })],
  ])('reads %s', async (_name, encode) => {
    const seen = await preview(encode('名称,等级\n深圳市星河通信有限公司,B级\n'))
    expect(seen.sample).toMatchObject([{ name: '深圳市星河通信有限公司', level: 'b' }])
    expect(seen.sample[0]?.$shown).toMatchObject({
      name: '深圳市星河通信有限公司',
      level: expect.not.stringMatching(/^b$/) as string,
    })
  })

  it('says clearly that an encoding is not supported instead of reading rubbish', async () => {
    const latin = iconv.encode(
      'Name,Level\nAcmé Télécom café résumé naïve,Level B\nSociété Générale été,Level B\n',
      'windows-1252',
    )
    await expect(preview(latin)).rejects.toMatchObject({
      reason: 'importRefused',
      text: { en: expect.stringContaining('encoding') as string },
    })
    const big5 = iconv.encode('名稱,等級\n電話公司,B級\n', 'big5')
    await expect(preview(big5)).rejects.toMatchObject({ reason: 'importRefused' })
  })

  it('takes the saved value of a formula and never computes one', async () => {
    const file = workbook([
      ['名称', '人数'],
      ['公式公司', { formula: '1+2', result: 3 }],
      ['无值公司', { formula: 'HYPERLINK("http://x")' }],
    ])
    const seen = await preview(file)
    expect(seen.sample[0]).toMatchObject({ name: '公式公司', staff: 3 })
    expect(seen.errors).toMatchObject([{ row: 3, column: 'B', message: expect.stringContaining('公式') as string }])
  })

  it('refuses zip bombs, damaged workbooks, old formats and files with unknown columns', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(400 * 1_048_576) }, { level: 6 })
    await expect(preview(Buffer.from(bomb))).rejects.toMatchObject({
      reason: 'importRefused',
      text: { en: expect.stringContaining('unpacked') as string },
    })
    await expect(preview(Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(3000)]))).rejects.toMatchObject({
      reason: 'importRefused',
    })
    await expect(preview(Buffer.from('d0cf11e0a1b11ae100000000', 'hex'))).rejects.toMatchObject({ reason: 'importRefused' })
    await expect(preview('')).rejects.toMatchObject({ reason: 'importRefused' })
    await expect(preview('名称,等极\n甲,b\n')).rejects.toMatchObject({
      data: { errors: [{ column: 'B', message: expect.stringContaining('等级') as string }] },
    })
    await expect(preview('名称,等级,编码\n甲,b,CL1\n')).rejects.toMatchObject({ data: { errors: [{ column: 'C' }] } })
  })

  it('finds references by title, code and title with code', async () => {
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('test.client', [
        clientRow({ id: 'agent1', code: 'CL0000001', name: '代理一号', vip: true, ownerId: PEOPLE.wang }),
        clientRow({ id: 'agent2', name: '非重点', ownerId: PEOPLE.wang }),
      ]),
    )
    const seen = await preview('名称,代理\n子公司甲,代理一号\n子公司乙,CL0000001\n子公司丙,不存在\n子公司丁,非重点\n')
    expect(seen.sample.slice(0, 2)).toMatchObject([{ agentId: 'agent1' }, { agentId: 'agent1' }])
    expect(seen.errors.map(({ row, column }) => [row, column])).toEqual([
      [4, 'B'],
      [5, 'B'],
    ])
  })

  it('goes on where a commit broke off: nothing is imported twice, nothing is lost', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => `续传公司${index},b`)
    const { importId } = await preview(['名称,等级', ...lines].join('\n'))
    fault.name = '续传公司450'
    await expect(world.engine.importCommit('test.client', me(), { importId, skipFaulty: false })).rejects.toThrow(
      'the process died',
    )
    const half = (await world.engine.queryPage('test.client', me(), { keyword: '续传公司', pageSize: 1 })).total
    expect(half).toBe(400)
    expect(await world.engine.importCommit('test.client', me(), { importId, skipFaulty: false })).toEqual({
      created: 700,
      refused: [],
      refusedTotal: 0,
      ...UNWARNED,
    })
    expect((await world.engine.queryPage('test.client', me(), { keyword: '续传公司', pageSize: 1 })).total).toBe(700)
  })

  it('reads national phone numbers as those of the country of their row', async () => {
    const seen = await preview('名称,电话,国家\n北京公司,138 1234 0001,CN\nUS Company,(415) 555-2671,US\n')
    expect(seen.sample.map(({ phone }) => phone)).toEqual(['+8613812340001', '+14155552671'])
  })

  it('refuses national numbers of rows whose country nobody knows, and says how to write them', async () => {
    const seen = await preview('名称,电话,国家\n某公司,138 1234 0001,\n另一公司,+86 138 1234 0002,\n')
    expect(seen).toMatchObject({ total: 2, valid: 1, errors: [{ row: 2, field: 'phone', column: 'B', value: '138 1234 0001' }] })
    expect(seen.errors[0]?.message).toContain('请带国家码填写')
  })

  it('reads national phone numbers of records that belong to another one as those of the country of that', async () => {
    const engine = await startEngine(world.database, [...documents, person])
    const client = async (name: string, country?: string): Promise<string> =>
      (await engine.save('test.client', me(), { name, nameEn: name, country })).id
    const [abroad, nowhere] = [await client('Parent of a phone', 'US'), await client('Parent without country')]
    const path = join(folder, 'people.csv')
    const rows = [`${abroad},An,(415) 555-2671`, `${nowhere},Bo,(415) 555-2671`, `${nowhere},Cy,+14155552671`]
    await writeFile(path, ['客户,姓名,电话', ...rows].join('\n'))
    const seen = await engine.importPreview('test.person', me(), { name: 'people.csv', path })
    expect(seen.errors).toMatchObject([{ row: 3, field: 'phone', message: expect.stringContaining('请带国家码填写') as string }])
    expect(seen.sample.map(({ phone }) => phone)).toEqual(['+14155552671', undefined, '+14155552671'])
  })

  it('tells with a row what the service says without refusing it, in the check and with what was saved', async () => {
    const seen = await preview('名称,等级\n平常的公司,b\n要留意的公司,c\n被拒绝的公司,c\n')
    const told = [{ row: 3, message: '请留意这个名称。' }]
    expect(seen).toMatchObject({ total: 3, valid: 2, warnings: told })
    const request = { importId: seen.importId, skipFaulty: true }
    expect(await world.engine.importState('test.client', me(), seen.importId)).toMatchObject({ warnings: told, result: null })
    const done = await world.engine.importCommit('test.client', me(), request)
    expect(done).toEqual({ created: 2, refused: [], refusedTotal: 0, warned: told, warnedTotal: 1 })
    const { result } = await world.engine.importState('test.client', me(), seen.importId)
    expect(result).toMatchObject({ warned: told, warnedTotal: 1, finished: true })
  })

  it('tells refusals of the service in the preview of a small file, without writing anything, and saves on trial only', async () => {
    const before = await world.engine.count('test.client', systemContext(), {})
    const seen = await preview('名称,等级\n可以的公司,b\n被拒绝的公司,c\n')
    expect(seen).toMatchObject({ valid: 1, errors: [{ row: 3, message: expect.stringContaining('拒绝') as string }] })
    expect(await world.engine.count('test.client', systemContext(), {})).toBe(before)
    const again = await world.engine.importCommit('test.client', me(), { importId: seen.importId, skipFaulty: true })
    expect(again).toEqual({ created: 1, refused: [], refusedTotal: 0, ...UNWARNED })
  })

  it('commits rows in batches; two commits at once do not import twice', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => `批量公司${index},b`)
    const { importId } = await preview(['名称,等级', ...lines].join('\n'))
    const attempts = await Promise.allSettled(
      [1, 2].map(() => world.engine.importCommit('test.client', me(), { importId, skipFaulty: false })),
    )
    const done = attempts.filter((attempt) => attempt.status === 'fulfilled')
    expect(done.length).toBeGreaterThan(0)
    for (const { value } of done) expect(value).toEqual({ created: 700, refused: [], refusedTotal: 0, ...UNWARNED })
    const { rows } = await world.database.query<{ all: number; codes: number }>(
      `select count(*)::int as all, count(distinct code)::int as codes from test_client where name like '批量公司%'`,
    )
    expect(rows).toEqual([{ all: 700, codes: 700 }])
  })

  it('checks a file in pieces and says how far it is; a call that cannot wait is told at once', async () => {
    const path = join(folder, 'pieces.csv')
    await writeFile(path, ['名称,等级', ...Array.from({ length: 1_000 }, (_, index) => `公司${index},b`)].join('\n'))
    const file = { name: 'pieces.csv', path }
    const told: (number | null)[] = []
    const seen = await world.engine.importPreview('test.client', me(), file, { onProgress: (part) => told.push(part) })
    expect(seen).toMatchObject({ total: 1_000, valid: 1_000, errors: [] })
    expect([told.length, told.at(-1)]).toEqual([3, 1])
    await expect(world.engine.importPreview('test.client', me(), file, { mostRows: 500 })).rejects.toBeInstanceOf(MoreRowsError)
    const stop = new AbortController()
    stop.abort()
    await expect(world.engine.importPreview('test.client', me(), file, { signal: stop.signal })).rejects.toThrow(/abort/i)
  })

  it('knows how far a workbook is read', async () => {
    const path = join(folder, 'counted.xlsx')
    await writeFile(path, workbook([['名称'], ...Array.from({ length: 1_200 }, (_, index) => [`表格公司${index}`])]))
    const told: (number | null)[] = []
    await world.engine.importPreview('test.client', me(), { name: 'x', path }, { onProgress: (part) => told.push(part) })
    expect(told.map((part) => part?.toFixed(2))).toEqual(['0.42', '0.83', '1.00'])
  })

  it('keeps what the commit refused with its reasons: in the answer, when it is looked at again, and in the error file', async () => {
    const lines = Array.from({ length: 600 }, (_, index) => (index % 100 === 7 ? '被拒绝的公司,b' : `留下的公司${index},b`))
    const { importId } = await preview(['名称,等级', ...lines].join('\n'))
    const stop = new AbortController()
    const stopped = world.engine.importCommit(
      'test.client',
      me(),
      { importId, skipFaulty: false },
      { signal: stop.signal, onProgress: (part) => (part! > 0.3 ? stop.abort() : undefined) },
    )
    await expect(stopped).rejects.toThrow(/abort/i)
    const half = await world.engine.importState('test.client', me(), importId)
    expect(half).toMatchObject({ total: 600, valid: 600, result: { created: 396, refusedTotal: 4, finished: false } })
    const answer = await world.engine.importCommit('test.client', me(), { importId, skipFaulty: false })
    expect([answer.created, answer.refusedTotal, answer.refused.map(({ row }) => row)]).toEqual([
      594,
      6,
      [9, 109, 209, 309, 409, 509],
    ])
    const state = await world.engine.importState('test.client', me(), importId)
    expect(state.result).toEqual({ ...answer, finished: true })
    const [errors] = sheetsOf(await world.engine.importErrors('test.client', me(), importId))
    expect(errors!.rows).toHaveLength(7)
    expect(errors!.rows[1]![3]).toContain('服务拒绝了这个名称')
  })

  it('refuses a file with one row more than the limit, in both formats', async () => {
    const strict = await startEngine(world.database, documents, { rows: 50 })
    const lines = Array.from({ length: 51 }, (_, index) => [`公司${index}`, 'b'])
    const csv = join(folder, 'long.csv')
    await writeFile(csv, [['名称', '等级'], ...lines].map((line) => line.join()).join('\n'))
    const xlsx = join(folder, 'long.xlsx')
    await writeFile(xlsx, workbook([['名称', '等级'], ...lines]))
    for (const path of [csv, xlsx]) {
      const attempt = strict.importPreview('test.client', me(), { name: 'long', path })
      await expect(attempt).rejects.toMatchObject({
        reason: 'importRefused',
        text: { zh: expect.stringContaining('50') as string },
      })
    }
  })
})

describe('exporting', () => {
  it('writes typed cells, labels and titles as a workbook that opens, and leaves an audit row', async () => {
    await world.engine.save('test.client', as(PEOPLE.li), {
      name: '导出公司',
      level: 'b',
      limit: '1234.5',
      foundedOn: '2001-02-03',
      products: ['sms', 'voice'],
      vip: true,
      staff: 12,
    })
    const file = await exported({
      format: 'xlsx',
      where: [{ field: 'name', operator: 'eq', value: '导出公司' }],
      columns: ['name', 'level', 'limit', 'foundedOn', 'products', 'vip', 'staff', 'ownerId', 'ownerId.jobNumber'].map(
        (field) => ({ field, title: field }),
      ),
    })
    expect(sheetsOf(file)[0]!.rows[1]).toEqual([
      '导出公司',
      'B级',
      1234.5,
      new Date('2001-02-03T00:00:00Z'),
      '短信、语音',
      true,
      12,
      '李娜 (S0003)',
      'S0003',
    ])
    const { rows } = await world.database.query(
      `select "reason", "changes" from sys_audit_log where "action" = 'export' and entity = 'test.client' order by id desc limit 1`,
    )
    expect(rows[0]).toMatchObject({ reason: '1 rows, xlsx' })
    const told = async (locale: 'zh' | 'en') => {
      const reader = { ...as(PEOPLE.other, { keys: ['sys:log:read'] }), locale }
      const where = [{ field: 'action', operator: 'eq' as const, value: 'export' }]
      const { records } = await world.engine.queryPage('sys.auditLog', reader, { where, pageSize: 1 })
      return [records[0]?.recordTitle, records[0]?.reason]
    }
    expect(await told('zh')).toEqual(['客户', '1 行，xlsx'])
    expect(await told('en')).toEqual(['Client', '1 row, xlsx'])
  })

  it('neutralises formulas in csv, with byte order mark, quotes and line ends of RFC 4180', async () => {
    const names = ['=1+2', '+cmd|calc', '-2', '@SUM(A1)', '\tx', 'a"b,c\nd']
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany(
        'test.client',
        names.map((name, index) => clientRow({ name, nameEn: `csv${index}`, ownerId: PEOPLE.wang })),
      ),
    )
    const file = await exported({
      format: 'csv',
      where: [{ field: 'nameEn', operator: 'startsWith', value: 'csv' }],
      sort: [{ field: 'nameEn', order: 'asc' }],
      columns: [{ field: 'name', title: '=名称' }],
    })
    expect(file.toString('utf8')).toBe(`\ufeff'=名称\r\n'=1+2\r\n'+cmd|calc\r\n'-2\r\n'@SUM(A1)\r\n'\tx\r\n"a""b,c\nd"\r\n`)
  })

  it('masks what the caller sees masked and leaves out what is hidden', async () => {
    await world.engine.save('test.client', as(PEOPLE.wang), { name: '敏感公司', phone: '+8613812340001', taxNo: 'TX12345' })
    const columns = ['name', 'phone', 'taxNo', 'limit'].map((field) => ({ field, title: field }))
    const context = as(PEOPLE.wang, {
      locale: 'zh',
      without: ['test:client:viewSensitive'],
      fieldRules: { 'test.client.limit': 'hide' },
    })
    const file = await exported(
      { format: 'csv', where: [{ field: 'name', operator: 'eq', value: '敏感公司' }], columns },
      context,
    )
    expect(file.toString('utf8')).toBe('\ufeffname,phone,taxNo\r\n敏感公司,138****0001,T***\r\n')
    await expect(exported({ format: 'csv' }, as(PEOPLE.wang, { without: ['test:client:export'] }))).rejects.toMatchObject({
      reason: 'noPermission',
    })
  })

  it('stops when it is cancelled', async () => {
    const stop = new AbortController()
    stop.abort()
    const stream = new PassThrough().resume()
    await expect(
      world.engine.exportTo(
        stream,
        'test.client',
        me(),
        { columns: [{ field: 'name', title: 'n' }], format: 'csv' },
        { signal: stop.signal },
      ),
    ).rejects.toThrow(/abort/i)
  })
})
