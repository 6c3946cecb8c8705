import { tableOf } from '../../../../entities'
import { dayOf } from '../../../../platform/calendar'
import { systemContext } from '../../../../platform/http'
import { ruleFor } from '../../../../rules'
import type { ModuleJob } from '../../../module'
import { finSettings } from '../../configuration'
import { fetchRates } from '../../settings/xe'

const PATIENCE = 30_000

/** The rates of the day, where a service for them is set; one a pair and day, however often it runs (money 14, `xe-fetch`). */
export const job: ModuleJob = ({ engine, database, configuration }) => ({
  name: 'fin.rates',
  title: { zh: '获取汇率', en: 'Exchange rates' },
  description: {
    zh: '每日 09:00 从 XE 获取当日汇率；未配置 XE_URL 时不执行，汇率由人录入或导入。变动过大的汇率待复核。',
    en: 'Fetches the rates of the day from XE at 09:00; without XE_URL they are typed or imported. A rate that moves too far waits for a review.',
  },
  schedule: { every: 'day', at: '09:00' },
  run: async ({ now, dry }) => {
    const { xeUrl, xeAccount, xeKey } = configuration.of(finSettings)
    const { pairs } = await ruleFor(database, 'sys.rates', now, {})
    const wanted = pairs.filter((code): code is string => code !== null && code !== 'CNY')
    const day = dayOf(now, configuration.companyTimeZone)
    const known = new Set(
      (
        await database.query<{ base: string }>(
          `select base from ${tableOf('sys.exchangeRate')} where kind = 'xe' and quote = 'CNY' and date = $1::date and deleted_at is null`,
          [day],
        )
      ).rows.map(({ base }) => base),
    )
    const missing = wanted.filter((code) => !known.has(code))
    const found =
      xeUrl && !dry && missing.length > 0
        ? await fetchRates(
            { url: xeUrl, account: xeAccount ?? '', key: xeKey ?? '' },
            { to: 'CNY', from: missing, signal: AbortSignal.timeout(PATIENCE) },
          )
        : new Map<string, string>()
    const rows = await engine.transaction(systemContext({ now }), async (entities) => {
      const made: { currency: string; rate: string; held: string }[] = []
      for (const [base, rate] of found) {
        const saved = await entities.save('sys.exchangeRate', { kind: 'xe', base, quote: 'CNY', date: day, rate, source: 'XE' })
        made.push({ currency: base, rate, held: saved.rate ? '' : (saved.jumpPct ?? '') })
      }
      return made
    })
    return {
      figures: [
        { id: 'connected', title: { zh: '已连接 XE', en: 'Connected to XE' }, value: xeUrl ? 1 : 0 },
        { id: 'rates', title: { zh: '新汇率', en: 'New rates' }, value: rows.length },
        { id: 'missing', title: { zh: '当日仍缺', en: 'Still missing today' }, value: missing.length - rows.length },
      ],
      columns: [
        { id: 'currency', title: { zh: '币种', en: 'Currency' } },
        { id: 'rate', title: { zh: '汇率', en: 'Rate' }, kind: 'number' },
        { id: 'held', title: { zh: '待复核：变动 %', en: 'To be reviewed: moved by, %' } },
      ],
      rows,
      more: 0,
    }
  },
})
