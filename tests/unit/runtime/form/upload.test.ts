import { expect, test } from 'vitest'
import { RequestError } from '../../../../src/headless/host'
import type { HostRequest } from '../../../../src/headless/host'
import { SEGMENT, upload } from '../../../../src/runtime/form/controls/upload'
import { fakeHost } from '../../../support/fakeHost'

const file = (size: number): File => new File([new Uint8Array(size)], 'big.bin', { lastModified: 1 })
const indexOf = ({ body }: HostRequest): number => Number((body as FormData).get('index'))
const posts = (requests: readonly HostRequest[]): HostRequest[] => requests.filter(({ path }) => path.endsWith('/segmentUpload'))

test('a small file goes in one request of ten minutes (R336)', async () => {
  const host = fakeHost({ answer: () => ({ id: 'f1', name: 'big.bin', size: 3, type: '' }) })
  expect(await upload(host, file(3), () => {}).promise).toMatchObject({ id: 'f1' })
  expect(host.requests).toHaveLength(1)
  expect(host.requests[0]).toMatchObject({ path: '/v2/download/downloadCenter/api/upload', timeout: 600_000 })
})

test('a large file goes in segments and goes on after a failure where it stopped', async () => {
  let down = false
  const received = new Set<number>()
  const host = fakeHost({
    answer: (request) => {
      if (request.method === 'GET') return { received: [...received] }
      const index = indexOf(request)
      if (down && index === 1) throw new RequestError('business', 'disk full', 10010012)
      received.add(index)
      return { received: [...received], ...(received.size === 3 ? { file: { id: 'f1', name: 'big.bin' } } : {}) }
    },
  })
  const big = file(SEGMENT * 2 + 5)
  down = true
  await expect(upload(host, big, () => {}).promise).rejects.toThrow('disk full')
  down = false
  const fractions: number[] = []
  expect(await upload(host, big, (fraction) => fractions.push(fraction)).promise).toMatchObject({ id: 'f1' })
  expect(posts(host.requests).map(indexOf)).toEqual([0, 1, 1, 2])
  const ids = new Set(posts(host.requests).map(({ body }) => (body as FormData).get('uploadId')))
  expect(ids.size).toBe(1)
  expect(fractions.at(-1)).toBe(1)
  expect(host.local.get('upload:big.bin:16777221:1')).toBeNull()
})

test('a connection that breaks for a moment is retried by itself', async () => {
  let failures = 1
  const host = fakeHost({
    answer: (request) => {
      if (indexOf(request) === 1 && failures-- > 0) throw new RequestError('network', 'down')
      return { received: [indexOf(request)], ...(indexOf(request) === 1 ? { file: { id: 'f1', name: 'x' } } : {}) }
    },
  })
  expect(await upload(host, file(SEGMENT + 1), () => {}).promise).toMatchObject({ id: 'f1' })
})
