import type { DemoRecord, DemoWorld } from '../../../demo'
import type { EntityRecord } from '../../../entities'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Where test calls go: country, how a number begins, its further digits. */
const DESTINATIONS = [
  ['IN', '+9198', 8],
  ['PK', '+92300', 7],
  ['BD', '+88017', 8],
  ['NG', '+234803', 7],
  ['US', '+1415', 7],
  ['GB', '+447400', 6],
  ['MX', '+5255', 8],
] as const
/** How calls end: release cause, SIP code, who ended it, weight. */
const ENDS: readonly (readonly [readonly [cause: string, code: number, side: string], number])[] = [
  [['normal', 200, 'callee'], 46],
  [['busy', 486, 'callee'], 13],
  [['noAnswer', 487, 'caller'], 22],
  [['rejected', 603, 'callee'], 5],
  [['badNumber', 404, 'system'], 6],
  [['congestion', 503, 'system'], 5],
  [['noRoute', 480, 'system'], 2],
  [['failure', 500, 'system'], 1],
]
const REASONS: Readonly<Record<number, string>> = {
  ...{ 200: 'OK', 404: 'Not Found', 480: 'Temporarily Unavailable', 486: 'Busy Here', 487: 'Request Terminated' },
  ...{ 500: 'Server Internal Error', 503: 'Service Unavailable', 603: 'Decline' },
}

/** Name, kind, text, state and how many calls of the tasks of the demo company. */
const TASKS = [
  ['物流签收提醒', 'notify', '您好，您的包裹将于今日 14 点前送达，请保持电话畅通。', 'running', 14],
  ['Payment reminder November', 'notify', 'This is a reminder that your invoice is due on Friday.', 'finished', 12],
  ['会员回访 AI 外呼', 'robot', '您好，想了解您对上次服务的满意程度，方便说两句吗？', 'paused', 10],
  ['Login code by voice', 'otp', 'Your code is 4 8 2 9 1 3.', 'finished', 8],
  ['双十一活动群呼', 'group', '双十一全场八折，详情请查看短信。', 'stopped', 6],
  ['Survey Mexico', 'robot', 'Hola, llamamos para una encuesta de un minuto.', 'queued', 0],
  ['Delivery notice Lagos', 'notify', 'Your parcel arrives tomorrow between nine and twelve.', 'draft', 0],
] as const

/** Voice tasks of customers with a voice application. */
export function voiceTasks({ rows, now, random }: DemoWorld): DemoRecord[] {
  const chance = random.fork('voice tasks')
  const apps = voiceApps(rows)
  if (apps.length === 0) return []
  return TASKS.map(([name, kind, content, status, calls], index) => {
    const app = apps[index % apps.length]!
    const begun = now.getTime() - (index + 1) * 9 * HOUR
    const started = calls > 0
    const ended = status === 'finished' || status === 'stopped'
    return {
      ...{ id: `vt-${index + 1}`, code: `VT${String(index + 1).padStart(6, '0')}`, name, kind, content, status },
      ...{
        customerId: app.customerId,
        appId: app.id,
        callerPool: '+85221550200, +85221550201',
        concurrency: chance.pick([5, 10, 20]),
      },
      // calls that are still to be made; those of a finished task are all made
      total: status === 'finished' ? calls : calls + chance.integer(20, 60),
      ...{ redials: 0, plannedAt: status === 'queued' ? new Date(now.getTime() + 5 * HOUR).toISOString() : null },
      ...{ startedAt: started ? new Date(begun).toISOString() : null, stopReason: status === 'stopped' ? '客户要求停止' : null },
      ...{ finishedAt: ended ? new Date(begun + 2 * HOUR).toISOString() : null, createdBy: '' },
      createdAt: new Date(begun - 3 * HOUR).toISOString(),
    }
  })
}

const voiceApps = (rows: DemoWorld['rows']): DemoRecord[] =>
  (rows['biz.application'] ?? []).filter(({ product }) => product === 'voice' || product === 'aiVoice' || product === 'otpVoice')

/** Test calls of the last days with their signalling and what seats and bots did, by entity. */
export function testCalls({ rows, now, random }: DemoWorld): Record<string, EntityRecord[]> {
  const chance = random.fork('calls')
  const apps = voiceApps(rows)
  const gateways = rows['biz.gateway'] ?? []
  const landing = gateways.filter(({ kind }) => kind === 'vosLanding')
  const docking = gateways.filter(({ kind }) => kind === 'vosDocking')
  const made: Record<string, EntityRecord[]> = { 'biz.callRecord': [], 'biz.sipRecord': [], 'biz.ccRecord': [] }
  if (apps.length === 0) return made
  const call = (at: number, app: DemoRecord, taskId: string | null, robot: boolean): void => {
    const index = made['biz.callRecord']!.length
    const [country, begin, digits] = chance.pick(DESTINATIONS)
    const [releaseCause, sipCode, endSide] = chance.weighted(ENDS)
    const answered = releaseCause === 'normal'
    const rings = answered || releaseCause === 'busy' || releaseCause === 'noAnswer' || releaseCause === 'rejected'
    const pddMs = chance.integer(1800, 5000)
    const durationMs = answered ? chance.integer(4_000, 240_000) : 0
    const answer = at + pddMs + chance.integer(2_000, 15_000)
    const iso = (moment: number): string => new Date(Math.min(moment, now.getTime())).toISOString()
    const callId = `C${iso(at).slice(2, 10).replaceAll('-', '')}${String(index + 1).padStart(5, '0')}`
    const callee = `${begin}${String(chance.integer(0, 10 ** digits - 1)).padStart(digits, '0')}`
    const dock = docking.find(({ customerId }) => customerId === app.customerId)
    made['biz.callRecord']!.push({
      ...{ startAt: iso(at), callId, accountId: app.accountId, appId: app.id, taskId, product: app.product, country },
      ...{
        caller: `+852215501${String(chance.integer(0, 99)).padStart(2, '0')}`,
        callee,
        routeClass: chance.pick(['cli', 'ncli']),
      },
      ...{ dockingGatewayId: dock?.id ?? null, landingGatewayId: landing.length > 0 ? chance.pick(landing).id : null },
      ...{ ringAt: rings ? iso(at + pddMs) : null, answerAt: answered ? iso(answer) : null },
      ...{ endAt: iso(answered ? answer + durationMs : at + pddMs + 20_000), releaseCause, sipCode, endSide },
      ...{
        codec: chance.pick(['G729', 'PCMA', 'PCMU']),
        mos: answered ? `${chance.integer(3, 4)}.${chance.integer(0, 4)}` : null,
      },
      ...{ otpVerified: answered && app.product === 'otpVoice', testFlag: true },
    })
    if (index % 2 === 0)
      made['biz.sipRecord']!.push({
        ...{
          startAt: iso(at),
          sipCallId: `${callId.toLowerCase()}@sbc.cloudbridge.example`,
          callId,
          callee,
          fromIp: `203.0.113.${10 + (index % 20)}`,
        },
        ...{
          toIp: '192.0.2.77',
          invites: sipCode === 503 ? 2 : 1,
          firstResponseMs: chance.integer(40, 320),
          finalCode: sipCode,
        },
        ...{ reason: REASONS[sipCode], userAgent: 'VOS3000 V2.1.8', ladder: ladderOf(pddMs, sipCode, durationMs) },
      })
    if (!robot && index % 3 !== 0) return
    made['biz.ccRecord']!.push({
      ...{ startAt: iso(at), callId, taskId, callee, kind: robot ? 'robot' : chance.pick(['outbound', 'predictive', 'inbound']) },
      ...{ seat: robot ? null : `80${String(chance.integer(1, 12)).padStart(2, '0')}`, botId: robot ? 'bot-visit-2' : null },
      ...{
        queueSec: robot ? 0 : chance.integer(0, 40),
        talkSec: Math.ceil(durationMs / 1000),
        wrapSec: answered ? chance.integer(5, 30) : 0,
      },
      ...(answered
        ? { result: chance.pick(['talked', 'talked', 'intent', 'refused', 'transferred']), score: chance.integer(55, 98) }
        : { result: chance.pick(['noAnswer', 'abandoned']), score: null }),
      ...{ intent: robot && answered ? chance.pick(['满意', '要求回电', '不感兴趣']) : null },
      transcript: robot && answered ? '机器人：您好，想了解您对上次服务的满意程度。\n客户：还可以。' : null,
    })
  }
  for (const task of rows['biz.voiceTask'] ?? []) {
    const [, kind, , , calls] = TASKS[Number(task.id.slice(3)) - 1]!
    const app = apps.find(({ id }) => id === task.appId)!
    for (let index = 0; index < calls; index += 1)
      call(Date.parse(String(task.startedAt)) + index * 240_000, app, task.id, kind === 'robot')
  }
  for (let index = 0; index < 40; index += 1)
    call(now.getTime() - (index % 5) * DAY - chance.integer(600, 60_000) * 1000, chance.pick(apps), null, false)
  return made
}

/** The signalling of a call, a line a message: milliseconds, direction, method or answer. */
function ladderOf(pddMs: number, code: number, durationMs: number): string {
  const lines = ['0 → INVITE', '35 ← 100 Trying']
  if (code === 200 || code === 486 || code === 487) lines.push(`${pddMs} ← 180 Ringing`)
  const final = pddMs + 6000
  if (code === 487) lines.push(`${final - 40} → CANCEL`)
  lines.push(`${final} ← ${code} ${REASONS[code] ?? ''}`, `${final + 20} → ACK`)
  if (code === 200) lines.push(`${final + durationMs} ← BYE`, `${final + durationMs + 15} → 200 OK`)
  return lines.join('\n')
}
