import { Writable } from 'node:stream'

/** Everything that a writer writes, in memory: for small files only. */
export async function collectStream(write: (stream: Writable) => Promise<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  await write(stream)
  return Buffer.concat(chunks)
}
