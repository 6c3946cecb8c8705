import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../../gateway/platform/database'
import { read, startGateway } from '../../../../support/gateway'
import type { Answer, Caller, TestGateway } from '../../../../support/gateway'

interface Uploaded {
  id: string
  name: string
  size: number
  type: string
}

const BASE = '/v2/download/downloadCenter/api'
const LIMIT = 300_000
const sha = (data: Buffer) => createHash('sha256').update(data).digest('hex')
const text = (size: number) => Buffer.from(randomBytes(size).toString('hex').slice(0, size))

let test: TestGateway
let wang: Caller
let li: Caller
beforeAll(async () => {
  test = await startGateway({ environment: { UPLOAD_MAX_BYTES: String(LIMIT) } })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', keys: ['setModule:authManage:user:edit'] })
  await test.addStaff({ id: 'li', jobNumber: 'S0043' })
  wang = await test.signIn('S0042')
  li = await test.signIn('S0043')
})
afterAll(() => test.close())

async function upload(caller: Caller, name: string, content: Buffer | string, headers = {}): Promise<Answer<Uploaded>> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  return read<Uploaded>(await caller.raw('POST', `${BASE}/upload`, { body, headers }))
}
async function segment(caller: Caller, fields: Record<string, string>, piece: Buffer) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', new Blob([new Uint8Array(piece)]), 'piece')
  return read<{ received: number[]; file?: Uploaded }>(await caller.raw('POST', `${BASE}/segmentUpload`, { body }))
}
const fileOf = (caller: Caller, id: string, query = '', headers = {}) =>
  caller.raw('GET', `${BASE}/file/${id}${query}`, { headers })
const filesOnDisk = async () =>
  (await readdir(join(test.folder, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length

describe('uploads (R336)', () => {
  it('with one key are repeated for the same bytes only, whatever the boundary between the parts (R284)', async () => {
    const [content, other] = [text(90_000), text(90_000)]
    const keyed = { 'idempotency-key': 'upload-once-1' }
    const first = await upload(wang, 'a.txt', content, keyed)
    const again = await upload(wang, 'a.txt', content, keyed)
    expect([again.data, again.headers.get('x-idempotent-replay')]).toEqual([first.data, 'true'])
    expect((await upload(wang, 'a.txt', other, keyed)).code).toBe(10010009)
    expect((await upload(wang, 'b.txt', content, keyed)).code).toBe(10010009)
  })

  it('come back as they were sent, under a clean name, as a download that is not sniffed', async () => {
    const content = text(100_000)
    const { code, data } = await upload(wang, '../../合同 (终稿).txt', content)
    expect([code, data]).toEqual([0, { id: expect.any(String), name: '合同 (终稿).txt', size: 100_000, type: 'text/plain' }])
    const response = await fileOf(wang, data.id)
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it('are found by their id alone: no path in it leaves the folder', async () => {
    for (const id of [
      '../secret',
      '..%2fsecret',
      '..%2f..%2fpostgres%2fPG_VERSION',
      '%2fetc%2fpasswd',
      '..%5c..%5csecret',
      '%00',
    ]) {
      const response = await fileOf(wang, id)
      expect([id, response.headers.get('content-disposition')]).toEqual([id, null])
      expect([id, ((await response.json()) as Answer<unknown>).code === 0]).toEqual([id, false])
    }
  })

  it('are refused when the content is not what the name says, or may run', async () => {
    const before = await filesOnDisk()
    for (const [name, content] of [
      ['photo.png', '<svg onload=alert(1)>'],
      ['a.html', '<b>'],
      ['a.exe', 'MZ'],
      ['a.txt', '<script>'],
      ['a.txt', ''],
    ] as const) {
      const answer = await upload(wang, name, content)
      expect([name, answer.code]).toEqual([name, 10010012])
    }
    expect(await filesOnDisk()).toBe(before)
  })

  it('are refused when they are too large, a little or a lot, and leave nothing behind', async () => {
    const before = await filesOnDisk()
    for (const size of [LIMIT + 1, LIMIT * 2, LIMIT * 8]) {
      const answer = await upload(wang, 'big.txt', text(size)).catch(() => null)
      expect(answer?.code ?? 10010012).toBe(10010012)
    }
    expect((await upload(wang, 'fits.txt', text(LIMIT))).code).toBe(0)
    expect(await filesOnDisk()).toBe(before + 1)
  })

  it('need a session, a multipart body and a file in it', async () => {
    expect((await upload(test.anybody, 'a.txt', 'hello')).code).toBe(11008)
    expect((await wang.post(`${BASE}/upload`, {})).status).toBe(415)
    expect((await read(await wang.raw('POST', `${BASE}/upload`, { body: new FormData() }))).code).toBe(10010001)
  })

  it('belong to who made them until they hang on a record', async () => {
    const { data } = await upload(wang, 'mine.txt', 'mine')
    expect((await fileOf(li, data.id)).headers.get('content-type')).toContain('json')
    expect((await read(await fileOf(li, data.id))).code).toBe(10010004)
    expect((await li.post(`${BASE}/file/${data.id}/ticket`)).code).toBe(10010004)
    expect((await read(await fileOf(wang, '../../../etc/passwd'.replaceAll('/', '%2f')))).code).toBe(10010001)
    expect((await read(await fileOf(wang, 'nothing'))).code).toBe(10010004)
  })
})

describe('files of records', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('may be read by whoever may read the record, and nobody can hang up what is not theirs', async () => {
    const { data: file } = await upload(wang, 'face.png', png)
    const saved = await wang.post('/v2/sys/staff/user/save', { id: 'wang', avatar: file })
    expect([saved.code, saved.msg]).toEqual([0, 'OK'])
    expect((await fileOf(li, file.id)).headers.get('content-type')).toBe('image/png')
    const { data: other } = await upload(li, 'other.png', png)
    expect((await wang.post('/v2/sys/staff/user/save', { id: 'wang', avatar: other })).code).toBe(10010012)
    expect((await wang.post('/v2/sys/staff/user/save', { id: 'li', avatar: file })).code).toBe(10010012)
    const info = await wang.get<{ avatar: string }>('/v2/sys/staff/overseas/getUserInfo')
    const shown = await test.anybody.raw('GET', info.data.avatar)
    expect([shown.status, shown.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^inline/)])
  })

  it('are swept a day after nothing names them any more, the others stay', async () => {
    const { data: kept } = await upload(wang, 'kept.png', png)
    await wang.post('/v2/sys/staff/user/save', { id: 'wang', avatar: kept })
    const { data: orphan } = await upload(wang, 'orphan.png', png)
    test.clock.forward(25 * 3600)
    await test.gateway.files.sweep()
    const again = await test.signIn('S0042')
    expect((await fileOf(again, kept.id)).status).toBe(200)
    expect((await read(await fileOf(again, orphan.id))).code).toBe(10010004)
    wang = again
    li = await test.signIn('S0043')
  })
})

describe('tickets', () => {
  it('open a file without a token for a minute, that file alone', async () => {
    const [{ data: file }, { data: other }] = [await upload(wang, 'a.txt', 'aaa'), await upload(wang, 'b.txt', 'bbb')]
    const { data } = await wang.post<{ url: string }>(`${BASE}/file/${file.id}/ticket`)
    expect(await (await test.anybody.raw('GET', data.url)).text()).toBe('aaa')
    expect((await read(await test.anybody.raw('GET', data.url.replace(file.id, other.id)))).code).toBe(10010004)
    expect((await read(await test.anybody.raw('GET', `${BASE}/file/${file.id}?ticket=${wang.token}`))).code).toBe(10010004)
    test.clock.forward(61)
    expect((await read(await test.anybody.raw('GET', data.url))).code).toBe(10010004)
  })

  it('show harmless files in a window of their own and download them everywhere else (R268)', async () => {
    const { data: file } = await upload(wang, 'a.txt', 'aaa')
    const { data } = await wang.post<{ url: string }>(`${BASE}/file/${file.id}/ticket`)
    const disposition = async (dest: string) =>
      (await test.anybody.raw('GET', data.url, { headers: { 'sec-fetch-dest': dest } })).headers.get('content-disposition')
    expect(await disposition('iframe')).toMatch(/^attachment/)
    expect(await disposition('empty')).toMatch(/^attachment/)
    const inline = await wang.post<{ url: string }>(`${BASE}/file/${file.id}/ticket`, { inline: true })
    expect((await test.anybody.raw('GET', inline.data.url)).headers.get('content-disposition')).toMatch(/^inline/)
  })
})

describe('uploads in segments (R336)', () => {
  const size = 250_000
  const piece = 100_000
  const plan = (content: Buffer, uploadId = newId(), name = 'large.txt') =>
    [0, 1, 2].map((index) => {
      const part = content.subarray(index * piece, (index + 1) * piece)
      return {
        fields: {
          uploadId,
          index: String(index),
          total: '3',
          name,
          size: String(content.length),
          sha256: sha(part),
          fileSha256: sha(content),
        },
        part,
      }
    })

  it('join in any order, with a repeated one, to the same file', async () => {
    const content = text(size)
    const [first, second, third] = plan(content)
    if (!first || !second || !third) throw new Error('three segments')
    expect((await segment(wang, third.fields, third.part)).data).toEqual({ received: [2] })
    expect((await segment(wang, first.fields, first.part)).data).toEqual({ received: [0, 2] })
    expect((await segment(wang, first.fields, first.part)).data).toEqual({ received: [0, 2] })
    expect((await wang.get(`${BASE}/segmentUpload/${first.fields.uploadId}`)).data).toEqual({ received: [0, 2] })
    const last = await segment(wang, second.fields, second.part)
    expect(last.data.file).toMatchObject({ name: 'large.txt', size, type: 'text/plain' })
    expect(Buffer.from(await (await fileOf(wang, last.data.file?.id ?? '')).arrayBuffer()).equals(content)).toBe(true)
    const repeated = await segment(wang, second.fields, second.part)
    expect(repeated.data.file?.id).toBe(last.data.file?.id)
  })

  it('go on after a restart of the gateway, and two last segments at once make one file', async () => {
    const content = text(size)
    const segments = plan(content)
    await segment(wang, segments[0]?.fields ?? {}, segments[0]?.part ?? Buffer.alloc(0))
    const answers = await Promise.all(segments.slice(1).map(({ fields, part }) => segment(wang, fields, part)))
    const files = answers.map((answer) => answer.data.file?.id).filter((id) => id !== undefined)
    expect(files.length).toBeGreaterThan(0)
    expect(new Set(files).size).toBe(1)
    const { rowCount } = await test.gateway.database.query('select 1 from sys_file where sha256 = $1', [sha(content)])
    expect(rowCount).toBe(1)
  })

  it('are refused when a segment or the whole does not match its checksum or size', async () => {
    const content = text(size)
    const [first, second, third] = plan(content)
    if (!first || !second || !third) throw new Error('three segments')
    expect((await segment(wang, { ...first.fields, sha256: sha(content) }, first.part)).code).toBe(10010012)
    await segment(wang, first.fields, first.part)
    expect((await segment(wang, { ...second.fields, name: 'other.txt' }, second.part)).code).toBe(10010012)
    expect((await segment(wang, { ...second.fields, total: '4' }, second.part)).code).toBe(10010012)
    await segment(wang, second.fields, second.part)
    expect((await segment(wang, { ...third.fields, fileSha256: sha(third.part) }, third.part)).code).toBe(10010012)
    expect((await wang.get(`${BASE}/segmentUpload/${first.fields.uploadId}`)).code).toBe(10010004)
  })

  it('are refused when the whole is too large or not what its name says', async () => {
    const content = text(size)
    const [first] = plan(content)
    expect((await segment(wang, { ...first?.fields, size: String(LIMIT + 1) }, first?.part ?? Buffer.alloc(0))).code).toBe(
      10010012,
    )
    const disguised = plan(content, newId(), 'photo.png')
    const answers = []
    for (const { fields, part } of disguised) answers.push((await segment(wang, fields, part)).code)
    expect(answers).toEqual([0, 0, 10010012])
  })

  it('belong to one person, and want well-formed parameters', async () => {
    const [first] = plan(text(size))
    if (!first) throw new Error('three segments')
    await segment(wang, first.fields, first.part)
    expect((await li.get(`${BASE}/segmentUpload/${first.fields.uploadId}`)).code).toBe(10010004)
    for (const change of [
      { uploadId: '../../x' },
      { index: '-1' },
      { index: '3' },
      { total: '0' },
      { size: 'x' },
      { sha256: 'zz' },
      { name: '' },
    ])
      expect([
        change,
        [10010001, 10010012].includes((await segment(wang, { ...first.fields, ...change }, first.part)).code),
      ]).toEqual([change, true])
  })
})
