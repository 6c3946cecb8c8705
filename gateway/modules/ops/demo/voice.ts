import { Exact, exactText } from '../../../../src/schema/formats'
import { DAY, HOUR, idOf, share, type OpsChapter } from './chapter'

const POOLS = [
  ['拨测号码', 'test', 'IN', 'Airtel', '+919812345', 4],
  ['拨测号码', 'test', 'TH', 'AIS', '+668123456', 3],
  ['回访号码', 'callee', 'ID', 'Telkomsel', '+628123456', 6],
  ['回访号码', 'callee', 'PH', 'Globe', '+639171234', 5],
  ['外显号码', 'caller', 'SG', 'Singtel', '+6581234', 3],
] as const
/** What came of a call: SIP code, reason, result, milliseconds to ringing, seconds talked. */
const OUTCOMES = [
  [200, 'OK', 'answered', 1850, 12],
  [200, 'OK', 'answered', 2320, 5],
  [200, 'OK', 'answered', 3110, 31],
  [486, 'Busy Here', 'busy', 2100, null],
  [480, 'Temporarily Unavailable', 'noAnswer', 2740, null],
  [503, 'Service Unavailable', 'failed', null, null],
] as const

/** Numbers, voices, calls of tests and tasks, and captures that were asked for. */
export function makeVoice(chapter: OpsChapter): void {
  const { world, put, ago, chance, code } = chapter
  const gateways = world.rows['biz.gateway']
  const created = ago(50 * DAY)
  POOLS.forEach(([poolName, use, country, operator, begin, count], pool) => {
    for (let index = 0; index < count; index += 1)
      put('ops.numberPool', {
        ...{
          id: `np-${pool + 1}-${index + 1}`,
          poolName,
          number: `${begin}${String(100 + index * 37)}`.slice(0, 14),
          country,
          operator,
          use,
        },
        ...{ lastUsedAt: use === 'callee' ? ago(2 * DAY) : null, usedToday: use === 'callee' ? 1 : 0, dailyCap: 20 },
        ...{ status: pool === 1 && index === 2 ? 'disabled' : 'enabled', createdAt: created },
      })
  })
  const numbers = world.rows['ops.numberPool'] ?? []
  const callers = numbers.filter(({ use }) => use === 'caller')
  const tested = numbers.filter(({ use, status }) => use === 'test' && status === 'enabled')
  const callees = numbers.filter(({ use }) => use === 'callee')
  const calls: Parameters<typeof put>[1][] = []
  const place = (id: string, at: number, more: object, queued = false): (typeof OUTCOMES)[number] => {
    const outcome = chance.pick(OUTCOMES)
    const [sipCode, sipText, result, pddMs, durationSec] = outcome
    const began = Date.parse(ago(at))
    const after = (milliseconds: number): string => new Date(began + milliseconds).toISOString()
    const answered = result === 'answered' ? after((pddMs ?? 0) + 4_000) : null
    const figures = {
      ...{
        startedAt: after(0),
        ringAt: pddMs === null ? null : after(pddMs),
        answeredAt: answered,
        sipCode,
        sipText,
        result,
        pddMs,
        durationSec,
      },
      endedAt: after((pddMs ?? 400) + 4_000 + (durationSec ?? 0) * 1000),
      minutes: durationSec === null ? null : exactText(new Exact(durationSec).dividedBy(60).toDecimalPlaces(2)),
    }
    calls.push({
      ...{
        id,
        code: code('CALL', 6),
        voiceTestId: null,
        groupTaskId: null,
        dialled: null,
        codec: 'g711a',
        holdSec: 5,
        lastError: null,
      },
      ...(queued ? {} : figures),
      ...{ status: queued ? 'queued' : 'ended', createdAt: after(-1_000), ...more },
    })
    return outcome
  }
  for (let index = 0; index < 8; index += 1) {
    const draft = index === 7
    const [id, at] = [`vt-${index + 1}`, (7 - index) * 17 * HOUR + HOUR]
    const route = {
      caller: callers[index % callers.length]!.number,
      callee: tested[index % tested.length]!.number,
      gatewayId: idOf(gateways, index),
    }
    const repeat = index % 3 === 0 ? 2 : 1
    const outcomes = draft
      ? []
      : Array.from({ length: repeat }, (_, call) =>
          place(`tk-${index + 1}-${call + 1}`, at - call * 60_000, { kind: 'test', voiceTestId: id, ...route }),
        )
    const last = outcomes.at(-1)
    put('ops.voiceTest', {
      ...{ id, code: code('VT', 5), ...route, routePrefix: null, codec: 'g711a', repeat, holdSec: 5, calls: outcomes.length },
      ...{ openCalls: 0, answered: outcomes.filter(([, , result]) => result === 'answered').length, result: last?.[2] ?? null },
      ...{ sipCode: last?.[0] ?? null, pddMs: last?.[3] ?? null, testedAt: draft ? null : ago(at), createdAt: ago(at + 60_000) },
      status: draft ? 'draft' : 'done',
    })
  }
  makeVoices(chapter)
  const tasks = [
    ['回访满意度', 'done', 3 * DAY],
    ['到期提醒', 'paused', 2 * DAY],
    ['新品通知', 'draft', 0],
  ] as const
  tasks.forEach(([name, status, at], index) => {
    const id = `gc-${index + 1}`
    const chosen = status === 'draft' ? [] : callees.slice(0, index === 0 ? 9 : 6)
    const placed = { ended: 0, answered: 0, talkSec: 0 }
    chosen.forEach(({ number }, call) => {
      const queued = status === 'paused' && call >= 4
      const [, , result, , seconds] = place(
        `tk-g${index + 1}-${call + 1}`,
        at - call * 20_000,
        { kind: 'group', groupTaskId: id, caller: callers[0]!.number, callee: number, gatewayId: idOf(gateways, index) },
        queued,
      )
      if (queued) return
      placed.ended += 1
      if (result === 'answered') placed.answered += 1
      placed.talkSec += seconds ?? 0
    })
    put('ops.groupCallTask', {
      ...{ id, code: code('GC', 4), name, gatewayId: idOf(gateways, index), caller: callers[0]!.number, poolName: '回访号码' },
      ...{
        sourceId: `vs-${index + 1}`,
        concurrency: 5,
        cps: 1,
        holdSec: 20,
        callFrom: 9,
        callUntil: 20,
        timeZone: 'Asia/Singapore',
      },
      ...{ total: chosen.length, dialed: placed.ended, answered: placed.answered, failed: placed.ended - placed.answered },
      ...{
        talkSec: chosen.length > 0 ? placed.talkSec : null,
        progress: share(placed.ended, chosen.length),
        asr: share(placed.answered, placed.ended),
      },
      acd: placed.answered > 0 ? exactText(new Exact(placed.talkSec).dividedBy(placed.answered).toDecimalPlaces(1)) : null,
      ...{ startedAt: status === 'draft' ? null : ago(at + 60_000), status, createdAt: ago(at + DAY) },
    })
  })
  const timed = (id: string, name: string, more: object): unknown =>
    put('ops.voiceTimeTask', {
      id,
      name,
      caller: null,
      callee: null,
      gatewayId: null,
      routePrefix: null,
      groupTaskId: null,
      firstAt: null,
      until: null,
      nextAt: null,
      lastAt: null,
      runs: 0,
      skipped: 0,
      status: 'draft',
      createdAt: ago(15 * DAY),
      ...more,
    })
  const single = { kind: 'single', caller: callers[0]!.number, everyMinutes: 720 }
  timed('vj-1', '印度线路晨测', {
    ...single,
    callee: tested[0]!.number,
    gatewayId: idOf(gateways, 0),
    status: 'paused',
    runs: 14,
    lastAt: ago(2 * DAY),
  })
  timed('vj-2', '泰国线路晨测', { ...single, callee: tested.at(-1)!.number, gatewayId: idOf(gateways, 1) })
  timed('vj-3', '每周回访', {
    kind: 'group',
    groupTaskId: 'gc-1',
    everyMinutes: 10_080,
    status: 'paused',
    runs: 1,
    lastAt: ago(3 * DAY + 60_000),
  })
  for (const call of calls) put('ops.talkHistory', call)
  makeCaptures(chapter)
}

function makeVoices({ put, ago }: OpsChapter): void {
  const texts = [
    ['满意度回访', 'zh-CN', '您好，这里是云桥客服，想了解您对近期服务的满意度。', 8],
    ['到期提醒', 'en-US', 'Hello, your package expires in three days. Please renew in time.', 6],
    ['新品通知', 'zh-CN', '您好，云桥推出了新的语音通知产品，欢迎咨询。', 6],
    ['节日问候', 'zh-CN', '祝您节日快乐。', 3],
  ] as const
  texts.forEach(([name, lang, text, seconds], index) =>
    put('ops.voiceSource', {
      ...{ id: `vs-${index + 1}`, name, kind: 'tts', lang, text, seconds, codec: 'g711a', file: null, tasks: index < 3 ? 1 : 0 },
      ...{ status: index === 3 ? 'disabled' : 'enabled', createdAt: ago(40 * DAY) },
    }),
  )
}

function makeCaptures({ put, ago, code, world }: OpsChapter): void {
  const asked = [
    ['203.0.113.7', 'udp port 5060 and host 203.0.113.7', '客户反馈单通', 'queued'],
    ['198.51.100.20', 'tcp port 2775', 'SMPP 连接频繁断开', 'queued'],
    ['203.0.113.9', 'udp portrange 10000-20000', '语音断续', 'failed'],
    ['198.51.100.21', 'tcp port 2775', '重复申请', 'stopped'],
  ] as const
  asked.forEach(([host, filter, reason, status], index) => {
    const number = code('CP', 4)
    put('ops.captureTask', {
      ...{ id: `cp-${index + 1}`, code: number, target: 'host', gatewayId: null, channelId: null, host, iface: 'eth0', filter },
      ...{ maxSec: 120, maxMb: 50, packets: null, bytes: null, capturedAt: null, file: null, reason, status },
      ...{ findings: status === 'failed' ? '主机无抓包权限' : null, createdAt: ago((index + 1) * 7 * HOUR) },
      command: `tcpdump -i eth0 -G 120 -W 1 -w ${number}.pcap ${filter}`,
    })
  })
  const talks = (world.rows['ops.talkHistory'] ?? []).filter(({ result }) => result === 'answered')
  const media = [
    ['单向无声', 'queued'],
    ['客户投诉杂音', 'failed'],
    ['丢包复核', 'queued'],
  ] as const
  media.forEach(([reason, status], index) =>
    put('ops.mediaCapture', {
      ...{
        id: `mc-${index + 1}`,
        code: code('MC', 4),
        talkId: idOf(talks, index),
        gatewayId: null,
        maxSec: 60,
        maxMb: 50,
        reason,
      },
      ...{ streams: null, codec: null, jitterMs: null, lossPct: null, packets: null, bytes: null, capturedAt: null, file: null },
      ...{ findings: status === 'failed' ? '网关未开启媒体镜像' : null, status, createdAt: ago((index + 1) * 5 * HOUR) },
    }),
  )
}
