import { DAY, HOUR, MINUTE, share, type OpsChapter } from './chapter'
import type { DemoRecord } from '../../../demo'

/** Networks with test numbers: country, MCC and MNC, how a number begins; how many of each state. */
const NETWORKS = [
  ['IN', '40410', '+919812340', ['ok', 'ok', 'ok', 'suspect']],
  ['ID', '51010', '+628123450', ['ok', 'ok', 'ok']],
  ['BR', '72405', '+551191230', ['ok', 'ok', 'invalid']],
  ['PH', '51502', '+639171230', ['ok', 'ok', 'blacklisted']],
  ['MX', '334020', '+525512340', ['ok', 'ok']],
  ['VN', '45204', '+849812340', ['ok', 'suspect']],
  ['NG', '62130', '+234803120', ['ok', 'invalid']],
  ['TH', '52003', '+668112340', ['ok', 'ok', 'ok']],
] as const
const SOURCES = [
  ['自有测试机房', 'ownDevice', null, '0', 10, ['IN', 'ID', 'TH']],
  ['TestNet API', 'vendorApi', 'https://api.testnet.example/v1', '0.012', 20, ['BR', 'MX', 'PH']],
  ['海外同事手机', 'manual', null, '0', 30, ['VN', 'NG']],
  ['客户提供号码', 'customer', null, '0', 40, ['PH']],
] as const
const CONTENT = 'Your code is 482913'
/** What came of a message: submission, receipt, seconds to it, read back from the handset (seconds, sender). */
const OUTCOMES = [
  ['accepted', 'delivered', 4, 6, 'NOTICE'],
  ['accepted', 'delivered', 7, 9, 'NOTICE'],
  ['accepted', 'delivered', 5, 74, 'NOTICE'],
  ['accepted', 'delivered', 3, 5, '10690'],
  ['accepted', 'delivered', 8, null, null],
  ['accepted', 'failed', 12, null, null],
  ['accepted', 'expired', 1800, null, null],
  ['refused', null, null, null, null],
] as const

const isGood = (verdict: unknown): boolean => verdict === 'pass' || verdict === 'partial'

/** Test numbers with their sources and blacklist, tests of the last days with what came of them, alarms. */
export function makeSms(chapter: OpsChapter): void {
  const { world, put, ago, operator } = chapter
  const created = ago(60 * DAY)
  const numbers: Omit<DemoRecord, 'createdBy'>[] = []
  NETWORKS.forEach(([country, mccmnc, begin, states], network) =>
    states.forEach((status, index) => {
      const source = Math.max(
        0,
        SOURCES.findIndex(([, , , , , countries]) => (countries as readonly string[]).includes(country)),
      )
      numbers.push({
        ...{ id: `tn-${network + 1}-${index + 1}`, number: `${begin}${String(10 + index * 7)}`, country, mccmnc, status },
        ...{ sourceId: `ns-${source + 1}`, costPerTest: SOURCES[source]![3], currency: 'USD', dailyCap: 20, owner: null },
        ...{ device: source === 0 ? `GOIP-${network + 1}` : null, portNo: source === 0 ? index + 1 : null },
        ...{ fails: status === 'suspect' ? 2 : status === 'invalid' ? 5 : 0, lastOkAt: ago((status === 'ok' ? 4 : 50) * HOUR) },
        ...{ tests: 0, passes: 0, okRate: null, createdAt: created },
      })
    }),
  )
  makeRuns(chapter, numbers)
  SOURCES.forEach(([name, kind, apiUrl, costPerTest, priority, countries], index) => {
    const own = numbers.filter(({ sourceId }) => sourceId === `ns-${index + 1}`)
    put('ops.numberSource', {
      ...{
        id: `ns-${index + 1}`,
        name,
        kind,
        apiUrl,
        balance: kind === 'vendorApi' ? '186.40' : null,
        currency: 'USD',
        priority,
      },
      ...{ countries: [...countries], costPerTest, numbers: own.length, status: 'enabled', createdAt: created },
      valid: own.filter(({ status }) => status === 'ok').length,
    })
  })
  for (const number of numbers) {
    const tests = (world.rows['ops.smsTest'] ?? []).filter(({ numberId, status }) => numberId === number.id && status === 'done')
    const passes = (world.rows['ops.smsTest'] ?? []).filter(({ numberId, verdict }) => numberId === number.id && isGood(verdict))
    put('ops.smsTestNumber', {
      ...number,
      ...{ tests: tests.length, passes: passes.length, okRate: share(passes.length, tests.length) },
    })
  }
  const black = (kind: string, value: unknown, reason: string, more: object): unknown =>
    put('ops.testBlack', {
      id: `tb-${String(value)}`,
      kind,
      value,
      reason,
      until: null,
      liftedAt: null,
      status: 'active',
      createdAt: ago(12 * DAY),
      ...more,
    })
  black('number', numbers.find(({ status }) => status === 'blacklisted')?.number, '客户投诉号码被骚扰', {})
  black('device', 'GOIP-9', '设备送修，回读不可信', {})
  black('number', '+628123459901', '号码已易主', { status: 'lifted', liftedAt: ago(2 * DAY) })
  const alarms = [
    ['IN', '40410', 2],
    ['ID', null, 3],
    ['BR', '72405', 3],
    ['NG', null, 2],
  ] as const
  alarms.forEach(([country, mccmnc, minValid], index) => {
    const lastValid = numbers.filter(
      (one) => one.country === country && (mccmnc === null || one.mccmnc === mccmnc) && one.status === 'ok',
    ).length
    put('ops.numberAlarm', {
      ...{
        id: `na-${index + 1}`,
        country,
        mccmnc,
        minValid,
        everyHours: 12,
        receivers: [operator],
        lastValid,
        status: 'enabled',
      },
      ...{ checkedAt: ago(HOUR), lastAlarmAt: lastValid < minValid ? ago(HOUR) : null, createdAt: ago(30 * DAY) },
      nextAt: ago(-11 * HOUR),
    })
  })
}

function makeRuns({ world, put, ago, chance, code }: OpsChapter, numbers: readonly Omit<DemoRecord, 'createdBy'>[]): void {
  const channels = (world.rows['biz.channel'] ?? []).filter(({ status }) => status === 'online')
  const usable = numbers.filter(({ status }) => status === 'ok' || status === 'suspect')
  const cycles = ['ct-1', 'ct-2', 'ct-3'].map((id) => ({
    id,
    runs: 0,
    tests: 0,
    passes: 0,
    fails: 0,
    last: null as string | null,
  }))
  for (let index = 0; index < 11; index += 1) {
    const draft = index === 10
    // the cycle test of Nigeria fails three times in a row
    const cycle = draft || index % 2 === 0 ? undefined : index > 4 ? cycles[1]! : cycles[0]!
    const sentAt = draft ? null : ago((10 - index) * 9 * HOUR + 40 * MINUTE)
    const id = `sb-${index + 1}`
    const failing = cycle?.id === 'ct-2'
    const chosen = failing ? numbers.filter(({ country }) => country === 'NG').slice(0, 1) : chance.sample(usable, 4)
    const channelIds = channels.length > 0 && index % 3 === 0 ? [channels[index % channels.length]!.id] : []
    const tests = draft
      ? []
      : chosen.map((number) => {
          const [submitState, dlrState, dlrSec, receivedSec, receivedSender] = failing ? OUTCOMES[6] : chance.pick(OUTCOMES)
          const received = receivedSec === null ? null : true
          const senderChanged = received ? receivedSender !== 'NOTICE' : null
          const verdict =
            submitState === 'refused' || (dlrState !== 'delivered' && !received)
              ? 'fail'
              : receivedSec !== null && receivedSec <= 60 && !senderChanged
                ? 'pass'
                : 'partial'
          return put('ops.smsTest', {
            ...{ id: `tm-${index + 1}-${String(number.id)}`, code: code('TM', 6), batchId: id, cycleTestId: cycle?.id ?? null },
            ...{ numberId: number.id, channelId: channelIds[0] ?? null, country: number.country, mccmnc: number.mccmnc },
            ...{
              senderId: 'NOTICE',
              content: CONTENT,
              sentAt,
              submitState,
              errorCode: submitState === 'refused' ? '0x00000058' : dlrState === 'failed' ? '034' : null,
            },
            ...{
              messageId:
                submitState === 'accepted' ? `${1_700_000 + index * 10 + chance.integer(0, 9)}-${String(number.id)}` : null,
            },
            ...{ dlrState, dlrSec, dlrAt: dlrSec === null ? null : new Date(Date.parse(sentAt!) + dlrSec * 1000).toISOString() },
            ...{
              received,
              receivedSec,
              receivedSender,
              receivedText: received ? CONTENT : null,
              senderChanged,
              textChanged: received ? false : null,
            },
            ...{ verdict, costPerTest: number.costPerTest, currency: 'USD', lastError: null, status: 'done', createdAt: sentAt! },
          })
        })
    const passed = tests.filter(({ verdict }) => isGood(verdict)).length
    put('ops.smsTestBatch', {
      ...{ id, code: code('ST', 4), origin: cycle ? 'cycle' : 'manual', cycleTestId: cycle?.id ?? null },
      ...{ numberIds: chosen.map((number) => number.id), channelIds, senderId: 'NOTICE', content: CONTENT, sentAt },
      ...{ total: tests.length, open: 0, passed, passRate: share(passed, tests.length), status: draft ? 'draft' : 'done' },
      accepted: tests.filter(({ submitState }) => submitState === 'accepted').length,
      delivered: tests.filter(({ dlrState }) => dlrState === 'delivered').length,
      createdAt: sentAt ?? ago(HOUR),
    })
    if (cycle) {
      cycle.runs += 1
      cycle.tests += tests.length
      cycle.passes += passed
      cycle.fails = passed > 0 ? 0 : cycle.fails + 1
      cycle.last = sentAt
    }
  }
  const plans = [
    ['南亚和东南亚日常', ['IN', 'ID', 'TH'], 'paused'],
    ['尼日利亚质量跟踪', ['NG'], 'paused'],
    ['拉美周测', ['BR', 'MX'], 'draft'],
  ] as const
  plans.forEach(([name, countries, status], index) => {
    const { id, runs, tests, passes, fails, last } = cycles[index]!
    put('ops.cycleTest', {
      ...{ id, name, countries: [...countries], channelIds: [], perRun: index === 1 ? 1 : 4, senderId: 'NOTICE', failAlarm: 3 },
      ...{ contentRule: 'Your code is {code}', everyMinutes: 1080, receivers: [], nextAt: null, lastRunAt: last, runs, tests },
      ...{ passes, passRate: share(passes, tests), failsInRow: fails, skipped: 0, status, createdAt: ago(20 * DAY) },
    })
  })
}
