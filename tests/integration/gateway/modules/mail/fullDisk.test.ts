import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { letter, ScriptedImap } from '../../../../support/scriptedImap'
import { MailOffice, type Listed } from './office'

const WAIT = { timeout: 60_000, interval: 200 }
const WANG = 'wang@switchboard.example'
const LONG = 'x'.repeat(200_000)

/** A disk of 64 kB in the place of a folder; false where nobody may make one. */
const mount = (folder: string): boolean => {
  mkdirSync(folder, { recursive: true })
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0
}
const unmount = (folder: string): void => void spawnSync('umount', [folder])

const trial = mkdtempSync(join(tmpdir(), 'disk-'))
const mayMount = mount(trial)
unmount(trial)

describe.skipIf(!mayMount)('a file store whose disk is full', () => {
  let office: MailOffice
  let imap: ScriptedImap
  let port: number
  beforeAll(async () => {
    port = await freePort()
    imap = await new ScriptedImap().start()
    const settings = { MAIL_PRIVATE_HOSTS: '127.0.0.1', MAIL_SMTP_LISTEN: `127.0.0.1:${port}`, JOBS: 'true' }
    office = await MailOffice.open(settings, ['wang'])
    await office.bind('wang', { address: WANG })
  })
  afterAll(async () => {
    for (const part of ['mail', '.incoming']) unmount(join(office.gateway.folder, 'files', part))
    await office.close()
    await imap.stop()
  })

  const subjects = async (): Promise<string[]> =>
    (await office.done<Listed>('wang', 'receive/query', { page: 1, size: 50 })).list.map(({ subject }) => String(subject)).sort()
  const files = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))

  // the place where bytes come in first, and that where they stay
  it.each(['.incoming', 'mail'])('takes no mail by SMTP that it cannot keep (%s), and leaves nothing half', async (part) => {
    const folder = join(office.gateway.folder, 'files', part)
    expect(mount(folder)).toBe(true)
    const before = await subjects()
    const hand = () =>
      createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
        ...{ from: 'kunde@c.io', to: WANG, subject: `Long ${part}`, text: LONG, messageId: `<${part}@c.io>` },
      })
    await expect(hand()).rejects.toMatchObject({ responseCode: 451 })
    expect(await subjects()).toEqual(before)
    expect(files(folder)).toEqual([])
    unmount(folder)
    await hand()
    expect(await subjects()).toEqual([...before, `Long ${part}`].sort())
  })

  it('leaves mail on its server and fetches it later; the mailbox says why', async () => {
    const account = await office.bind('wang', {
      ...{ address: 'wang@company.example', transport: 'imapSmtp', authKind: 'password', login: 'wang', secret: 'horse' },
      ...{ imapHost: '127.0.0.1', imapPort: imap.port, imapSecurity: 'none' },
      ...{ smtpHost: '127.0.0.1', smtpPort: 1, smtpSecurity: 'none' },
    })
    const stand = async (): Promise<string> => {
      const { rows } = await office.gateway.gateway.database.query<{ said: string }>(
        `select state || ' ' || coalesce(sync_error, '') as said from mail_account where id = $1`,
        [account],
      )
      return rows[0]!.said
    }
    await expect.poll(stand, WAIT).toBe('active ')
    const folder = join(office.gateway.folder, 'files', 'mail')
    expect(mount(folder)).toBe(true)
    imap.folders[0]!.messages.push(letter('small'), letter('large', LONG), letter('last'))
    await office.done('wang', 'receive/sync', {})
    await expect.poll(stand, WAIT).toContain('file store of the portal is full')
    expect(await subjects()).not.toContain('large')
    unmount(folder)
    await office.done('wang', 'receive/sync', {})
    await expect.poll(stand, WAIT).toBe('active ')
    const all = await subjects()
    for (const subject of ['small', 'large', 'last']) expect(all.filter((one) => one === subject)).toEqual([subject])
  })
})
