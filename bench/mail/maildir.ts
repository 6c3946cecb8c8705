import { chmod, mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rawOf, letterOf } from './letters'

/** The server works as somebody else. */
const OPEN = 0o777

/** An empty mailbox of a server, as its delivery makes it. */
export async function makeMailbox(mail: string, address: string): Promise<void> {
  await mkdir(mail, { recursive: true, mode: OPEN })
  for (const part of ['', 'cur', 'new', 'tmp']) await mkdir(join(mail, address, part), { recursive: true, mode: OPEN })
  await open([mail, ...['', 'cur', 'new', 'tmp'].map((part) => join(mail, address, part))])
}

/** What was made is everybody's, whatever the mask says. */
async function open(paths: readonly string[]): Promise<void> {
  for (const path of paths) await chmod(path, OPEN)
}

/** So many letters that were there before, with the flags and the time that they came. */
export async function fillMailbox(mail: string, address: string, count: number): Promise<void> {
  await makeMailbox(mail, address)
  const now = Date.now()
  for (let from = 0; from < count; from += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - from) }, async (_, index) => {
        const number = from + index
        const { age, seen } = letterOf(number)
        const at = Math.round(now / 1_000 - age)
        // the newest has the highest number
        const name = `${String(count - number).padStart(8, '0')}.bench.host:2,${seen ? 'S' : ''}`
        const path = join(mail, address, 'cur', name)
        await writeFile(path, rawOf(number, address, now), { mode: 0o666 })
        await utimes(path, at, at)
      }),
    )
}

/** Delivers a letter as a mail server does: written beside, then moved in. */
export async function deliver(mail: string, address: string, name: string, raw: string): Promise<void> {
  const path = join(mail, address, 'tmp', name)
  await writeFile(path, raw, { mode: 0o666 })
  await rename(path, join(mail, address, 'new', name))
}
