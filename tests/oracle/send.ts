import type { Caller } from '../support/gateway'
import { COMPANY } from './company'
import type { ActOf } from './model'

type Row = Record<string, string>
type Traffic = ActOf<'sms'> | ActOf<'call'> | ActOf<'whatsapp'> | ActOf<'mail'> | ActOf<'otp'>

/** Records come as people bring them: in a file, looked at, then taken. */
export async function sendTraffic(caller: Caller, act: Traffic): Promise<void> {
  const moments = Array.from(
    { length: act.count },
    (_, n) => [`${act.id}-${n + 1}`, Date.parse(act.first) + n * act.every * 1000] as const,
  )
  if (act.act === 'sms') {
    await importRows(
      caller,
      'smsRecord',
      moments.map(([id, at]) => message(act, id, at)),
    )
    // One try is the message itself.
    if (act.tries.length > 1)
      await importRows(
        caller,
        'smsAttempt',
        moments.flatMap(([id, at]) => attempts(act, id, at)),
      )
    return
  }
  const [entity, row] = OTHERS[act.act]
  await importRows(
    caller,
    entity,
    moments.map(([id, at]) => row(act as never, id, at)),
  )
}

const iso = (at: number): string => new Date(at).toISOString()
const supplierOf = (route: string): string => COMPANY.routes.find(({ code }) => code === route)?.supplier ?? ''

function message(act: ActOf<'sms'>, msgId: string, at: number): Row {
  const last = act.tries.at(-1)
  const sent = last ? at + last[2] * 1000 : null
  return {
    ...{ submittedAt: iso(at), msgId, accountId: act.account, toNumber: act.to, country: act.country, mccmnc: act.network ?? '' },
    ...{ routeClass: 'direct', content: act.text, status: act.state, sentAt: sent === null ? '' : iso(sent) },
    ...{ channelId: last?.[0] ?? '', supplierAccountId: last ? supplierOf(last[0]) : '' },
    dlrAt: sent !== null && act.state === 'delivered' ? iso(sent + 1000) : '',
    failReason: act.state === 'failed' ? 'undeliverable' : act.state === 'rejected' ? 'noRoute' : '',
  }
}

function attempts(act: ActOf<'sms'>, msgId: string, at: number): Row[] {
  return act.tries.map(([channelId, status, after], index) => ({
    ...{
      msgId,
      attemptNo: String(index + 1),
      sentAt: iso(at + after * 1000),
      channelId,
      supplierAccountId: supplierOf(channelId),
      status,
    },
  }))
}

const OTHERS = {
  call: [
    'callRecord',
    (act: ActOf<'call'>, callId: string, at: number): Row => ({
      ...{ startAt: iso(at), callId, accountId: act.account, product: 'voice', callee: `+${act.callee}`, country: act.country },
      ...{ routeClass: 'cli', landingGatewayId: act.gateway, supplierAccountId: supplierOf(act.gateway) },
      ...(act.ms > 0
        ? { answerAt: iso(at + 3000), endAt: iso(at + 3000 + act.ms), durationMs: String(act.ms), releaseCause: 'normal' }
        : { endAt: iso(at + 3000), releaseCause: act.end }),
    }),
  ],
  whatsapp: [
    'waRecord',
    (act: ActOf<'whatsapp'>, waId: string, at: number): Row => ({
      ...{
        submittedAt: iso(at),
        waId,
        accountId: act.account,
        wabaNumber: '+6591234567',
        toNumber: act.to,
        country: act.country,
      },
      ...{
        category: act.category,
        origin: 'business',
        status: act.state,
        sentAt: iso(at + 1000),
        supplierAccountId: act.supplier,
      },
      ...(act.state === 'failed' ? {} : { deliveredAt: iso(at + 2000) }),
      ...(act.state === 'read' ? { readAt: iso(at + 3000) } : {}),
    }),
  ],
  mail: [
    'mailRecord',
    (act: ActOf<'mail'>, mailId: string, at: number): Row => ({
      ...{ submittedAt: iso(at), mailId, accountId: act.account, toEmail: 'someone@example.com', status: act.state },
      ...{ supplierAccountId: act.supplier, subject: 'Your bill' },
      ...(act.state === 'delivered' ? { deliveredAt: iso(at + 1000) } : { bounceKind: 'mailbox' }),
    }),
  ],
  otp: [
    'otpRecord',
    (act: ActOf<'otp'>, otpId: string, at: number): Row => ({
      ...{ requestedAt: iso(at), otpId, accountId: act.account, toNumber: act.to, country: act.country, channel: 'sms' },
      ...{ status: act.state, supplierAccountId: act.supplier, attempts: '1' },
      ...(act.state === 'verified' ? { verifiedAt: iso(at + 30_000) } : {}),
    }),
  ],
} as const

async function importRows(caller: Caller, entity: string, rows: Row[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const file = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
  const form = new FormData()
  form.append('file', new Blob([file.map((row) => row.map((cell) => JSON.stringify(cell)).join(',')).join('\n')]), 'records.csv')
  const path = `/v2/biz/${entity}/import`
  const seen = await caller.raw('POST', `${path}/preview`, { body: form, headers: { 'accept-language': 'en' } })
  const { code, msg, data } = (await seen.json()) as {
    code: number
    msg: string
    data: { importId: string; errors: { row: number; message: string }[] } | null
  }
  if (code !== 0 || !data) throw new Error(`${entity}: ${msg}`)
  const commit = await caller.post<{ created: number }>(`${path}/commit`, { importId: data.importId, skipFaulty: true })
  if (commit.code !== 0) throw new Error(`${entity}: ${commit.msg}`)
  const duplicate = data.errors.every(({ message: text }) => /already|duplicate|exists/i.test(text))
  if (data.errors.length > 0 && !duplicate) throw new Error(`${entity}: ${data.errors[0]?.message} (${data.errors.length} rows)`)
}
