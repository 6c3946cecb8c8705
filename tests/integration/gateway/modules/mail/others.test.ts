import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { MailOffice, type Listed } from './office'

const WANG = 'wang@switchboard.example'
const SECRET = 'Zebrawood'

/** What is Wang's; Chen knows every id of it. */
interface Ids {
  account: string
  message: string
  thread: string
  folder: string
  draft: string
  outgoing: string
  undo: string
  file: string
}

let office: MailOffice
let ids: Ids
let chen: string

const mine = async (path: string, body: object): Promise<string> => (await office.done<{ id: string }>('wang', path, body)).id

beforeAll(async () => {
  const port = await freePort()
  office = await MailOffice.open({ MAIL_SMTP_LISTEN: `127.0.0.1:${port}`, JOBS: 'true' }, ['wang', 'chen'])
  const account = await office.bind('wang', { address: WANG, displayName: SECRET })
  chen = await office.bind('chen', { address: 'chen@switchboard.example' })
  await createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
    ...{
      from: `"${SECRET}" <zebrawood@c.io>`,
      to: WANG,
      subject: SECRET,
      html: `<p>${SECRET}</p><img src="http://192.0.2.1/x.png">`,
    },
    attachments: [{ filename: `${SECRET}.txt`, content: SECRET }],
  })
  const mail = await office.newest('wang', 'receive')
  const written = { accountId: account, to: [{ email: WANG }], subject: SECRET, content: SECRET }
  const form = new FormData()
  form.append('file', new Blob([SECRET]), `${SECRET}.txt`)
  const uploaded = (await (await office.who('wang').raw('POST', '/v2/emailbox/file/upload', { body: form })).json()) as {
    data: { fileId: string }
  }
  ids = {
    ...{ account, message: mail.id, thread: String(mail.threadId), folder: String(mail.folderId), file: uploaded.data.fileId },
    draft: await mine('draft/save', written),
    outgoing: (await office.done<{ outgoingId: string }>('wang', 'email/send', { ...written, timingTime: later() })).outgoingId,
    undo: (await office.done<{ undoToken: string }>('wang', 'receive/mark', { messageIds: [mail.id], starred: true })).undoToken,
  }
  const kept = { name: SECRET, scope: 'mine', bodyHtml: `<p>${SECRET}</p>` }
  await mine('temp/save', { ...kept, kind: 'general', subject: SECRET })
  await mine('signature/update', kept)
  for (const path of ['whitelist/update', 'blacklist/update'])
    await mine(path, { value: `${SECRET.toLowerCase()}.io`, scope: 'mine', reason: SECRET })
  await mine('emailBook/save', { name: SECRET, email: 'zebrawood@c.io', scope: 'mine' })
})
afterAll(() => office.close())

const PAGE = { page: 1, size: 20 }
const later = (): string => new Date(office.gateway.clock.now().getTime() + 3_600_000).toISOString()
const list = (path: string): [string, () => object] => [`POST ${path}`, () => PAGE]

/** What Chen asks each call of mail for, by the ids of Wang; a call without any is asked for everything. */
const ASKED: Readonly<Record<string, () => object>> = {
  'POST account/staff/query': () => ({ accountId: ids.account }),
  'GET account/staff/state': () => ({}),
  'POST account/updateEmailSseStatus': () => ({ accountId: ids.account, enabled: false }),
  'POST blacklist/query': () => PAGE,
  'POST dealings/query': () => ({ ...PAGE, email: 'zebrawood@c.io' }),
  'POST dealings/customer/query': () => ({ ...PAGE, customerId: ids.message }),
  'POST dealings/supplier/query': () => ({ ...PAGE, supplierId: ids.message }),
  'GET dingNotice/query': () => ({}),
  'POST dingNotice/update': () => ({ enabled: true, accounts: [ids.account] }),
  'POST draft/del': () => ({ ids: [ids.draft, ids.outgoing] }),
  'POST draft/query': () => PAGE,
  'POST draft/save': () => ({ id: ids.draft, accountId: ids.account, subject: 'stolen', to: [], revision: 1 }),
  'POST draft/timing/save': () => ({ id: ids.draft, accountId: ids.account, to: [{ email: WANG }], timingTime: later() }),
  'POST draft/update/timingTime': () => ({ id: ids.outgoing, timingTime: later() }),
  'GET draft/view/{id}': () => ({ id: ids.draft }),
  'POST email/batch/transmit': () => ({ messageIds: [ids.message], accountId: chen, to: WANG }),
  'POST email/book/contact': () => ({ keyword: SECRET }),
  'POST email/customer/contact': () => ({ keyword: SECRET }),
  'POST email/check/cc/email': () => ({ emails: [WANG], accountId: ids.account }),
  'POST email/check/owner': () => ({ emails: ['zebrawood@c.io'] }),
  'POST email/detail': () => ({ messageId: ids.message }),
  'POST email/send': () => ({
    ...{ accountId: chen, to: [{ email: 'chen@switchboard.example' }], subject: 'x', content: `<img src="cid:${ids.file}">` },
    ...{ attachments: [ids.file], sourceMessageId: ids.message, draftId: ids.draft, kind: 'reply' },
  }),
  'POST email/sender/list': () => ({ accountIds: [ids.account] }),
  'POST email/sender/query': () => ({ accountId: ids.account }),
  'GET emailBook/getEmailBook': () => ({ id: 'addressBook' }),
  'GET emailBook/queryBookAll': () => ({}),
  'POST emailLog/query': () => ({ ...PAGE, accountId: ids.account }),
  ...Object.fromEntries(
    ['GET', 'POST'].map((method) => [`${method} eml/download/{id1}/{id2}`, () => ({ id1: ids.account, id2: ids.message })]),
  ),
  'POST file/upload': () => ({}),
  'POST junk/mark': () => ({ messageIds: [ids.message], seen: true }),
  'POST junk/move': () => ({ messageIds: [ids.message], to: 'junk', always: true }),
  'POST junk/query': () => ({ ...PAGE, accountIds: [ids.account], folder: ids.folder }),
  'POST message/non/read': () => ({}),
  'POST receive/mark': () => ({ undoToken: ids.undo }),
  'POST receive/query': () => ({ ...PAGE, folder: ids.folder, threadId: ids.thread }),
  'POST receive/sync': () => ({ accountIds: [ids.account] }),
  'GET select/follow': () => ({}),
  'GET select/mark': () => ({}),
  'GET select/signature': () => ({}),
  'GET select/temp': () => ({}),
  'POST send/query': () => ({ ...PAGE, accountIds: [ids.account] }),
  ...Object.fromEntries(['emailBook/queryPage', 'signature/query', 'temp/query', 'whitelist/query'].map(list)),
}
/** Calls of one kind of record, which are asked for every record of Wang by the entities below. */
const KEPT =
  /^(?:POST (?:temp|signature|whitelist|blacklist|emailBook)\/(?:save|update|del)|GET (?:temp|signature|whitelist|blacklist)\/view\/\{id\})$/u

const FURTHER: Readonly<Record<string, () => object>> = {
  'POST account/everybody': () => PAGE,
  'GET attachment/{messageId}/{index}': () => ({ messageId: ids.message, index: 0 }),
  'POST followRule/try': () => ({ accountId: ids.account, sender: 'zebrawood@c.io', subject: SECRET }),
  'POST message/takeFiles': () => ({ messageId: ids.message }),
  'POST provider': () => ({ address: 'zebrawood@c.io', imapHost: 'imap.c.io' }),
  'GET picture': () => ({ accountId: ids.account, messageId: ids.message, n: 0 }),
}

/** Asks one call as Chen; answers its text. */
async function ask(call: string, base: string, values: Record<string, unknown>): Promise<string> {
  const [method = 'GET', path = ''] = call.split(' ')
  const used = new Set<string>()
  const address = path.replace(/\{(\w+)\}/gu, (_whole, name: string) => {
    used.add(name)
    return encodeURIComponent(String(values[name]))
  })
  const query = method === 'GET' ? Object.entries(values).filter(([name]) => !used.has(name)) : []
  const tail = query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString()}`
  const init = method === 'GET' ? {} : { body: JSON.stringify(values), headers: { 'content-type': 'application/json' } }
  return (await office.who('chen').raw(method, `${base}/${address}${tail}`, init)).text()
}

/** Everything of Wang as it is stored. */
async function stored(): Promise<string> {
  const { database } = office.gateway.gateway
  const tables = ['message', 'draft', 'outgoing', 'template', 'signature', 'whitelist', 'blacklist', 'address_book', 'account']
  const rows: unknown[] = []
  for (const table of tables) {
    const { rows: found } = await database.query(
      `select to_jsonb(t) - 'sync_until' as row from mail_${table} t where t::text ilike $1 order by id`,
      [`%${SECRET}%`],
    )
    rows.push(table, found.length, found)
  }
  return JSON.stringify(rows)
}

async function pathsOf(prefix: string): Promise<string[]> {
  const document = (await (await office.who('chen').raw('GET', '/docs/api')).json()) as { paths: Record<string, object> }
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(prefix.length)}`))
}

describe('the mail of somebody else', () => {
  it('is told and changed by no call of mail, whatever ids one knows (R332)', async () => {
    const calls = await pathsOf('/v2/emailbox/')
    expect(calls.filter((call) => !(call in ASKED) && !KEPT.test(call))).toEqual([])
    const before = await stored()
    for (const call of calls.filter((one) => one in ASKED)) {
      const text = await ask(call, '/v2/emailbox', ASKED[call]!() as Record<string, unknown>)
      // what one asked for oneself is said again
      expect([call, text.replace(`"keyword":"${SECRET}"`, '').includes(SECRET)]).toEqual([call, false])
    }
    expect(await stored()).toBe(before)
  })

  it('is told and changed by no call of its records', async () => {
    const all = await pathsOf('/v2/mail/')
    const entities = ['account', 'accountStaff', 'addressBook', 'blacklist', 'chatNotice', 'draft', 'folder', 'followRule']
    entities.push('imageTrust', 'log', 'mark', 'message', 'outgoing', 'signature', 'template', 'whitelist')
    const known = (call: string): boolean => call in FURTHER || entities.includes(call.split(/[ /]/u)[1] ?? '')
    expect(all.filter((call) => !known(call))).toEqual([])
    const before = await stored()
    const { database, engine } = office.gateway.gateway
    for (const [call, body] of Object.entries(FURTHER))
      expect([call, (await ask(call, '/v2/mail', body() as Record<string, unknown>)).includes(SECRET)]).toEqual([call, false])
    for (const entity of entities) {
      const table = `mail_${entity.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)}`
      const { rows } = await database.query<{ id: string }>(`select id from ${table} limit 3`)
      const transitions = [
        ...new Set(engine.model(`mail.${entity}`).machines.flatMap((one) => one.transitions.map(({ id }) => id))),
      ]
      for (const { id } of rows)
        for (const call of all.filter((one) => one.split(/[ /]/u)[1] === entity && !(one in FURTHER)))
          for (const transition of call.includes('tateUpdate') ? transitions : ['x']) {
            const text = await ask(call, '/v2/mail', {
              id,
              ids: [id],
              version: 1,
              transition,
              name: 'stolen',
              values: { name: 'stolen' },
            })
            expect([call, id, text.includes(SECRET)]).toEqual([call, id, false])
          }
    }
    const kinds = {
      temp: 'template',
      signature: 'signature',
      whitelist: 'whitelist',
      blacklist: 'blacklist',
      emailBook: 'address_book',
    }
    for (const [name, table] of Object.entries(kinds)) {
      const { rows } = await database.query<{ id: string }>(`select id from mail_${table}`)
      for (const { id } of rows)
        for (const call of (await pathsOf('/v2/emailbox/')).filter((one) => KEPT.test(one) && one.includes(` ${name}/`)))
          expect([
            call,
            (await ask(call, '/v2/emailbox', { id, ids: [id], version: 1, name: 'stolen' })).includes(SECRET),
          ]).toEqual([call, false])
    }
    expect(await stored()).toBe(before)
  })

  it('is not there for whoever has no mail at all, or is not signed in', async () => {
    for (const [call, body] of Object.entries(ASKED)) {
      const [method = '', path = ''] = call.split(' ')
      const given = body() as Record<string, string>
      const address = `/v2/emailbox/${path.replace(/\{(\w+)\}/gu, (_whole, name: string) => given[name] ?? 'x')}`
      const init = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }
      const answer = await office.gateway.anybody.raw(method, address, init)
      expect([call, ((await answer.json()) as { code: number }).code]).not.toEqual([call, 0])
    }
    expect((await office.done<Listed>('wang', 'receive/query', PAGE)).total).toBe(1)
  })
})
