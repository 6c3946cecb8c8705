import { countryName, ready } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { contextOf, ok, type Text } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { columnsOf, entriesOf, MOST_ENTRIES, type ToolAnswer } from '../answer'
import { pastedBody } from '../body'
import { networksNamed, planned, typeOf } from '../numbers/plan'
import { byPlan } from '../numbers/prefixes'

const TITLES: Readonly<Record<string, Text>> = {
  typed: { zh: '输入', en: 'Entered' },
  e164: { zh: 'E.164', en: 'E.164' },
  state: { zh: '号码状态', en: 'Number' },
  country: { zh: '国家/地区', en: 'Country' },
  type: { zh: '类型', en: 'Type' },
  region: { zh: '归属地', en: 'Region' },
  operator: { zh: '运营商（号段）', en: 'Operator by plan' },
  networks: { zh: 'MCC/MNC', en: 'MCC/MNC' },
}
const STATES = {
  valid: { zh: '有效号段', en: 'Valid range' },
  possible: { zh: '位数可能，号段未启用', en: 'Possible length, range not in use' },
  wrong: { zh: '不是电话号码', en: 'No phone number' },
} as const
const NOTE: Text = {
  zh: '号码规划数据，不是 HLR：运营商是号段最初分配的，携号转网后可能不同；号码是否在用不可知。未连接 HLR。',
  en: 'Plan data, not HLR: the operator is the one that the range was given to, ported numbers may be elsewhere, and nobody asked whether a number is in use. No HLR is connected.',
}

/** POST /v2/toolbox/numbers: what numbering plans say of up to 1,000 numbers. */
export const call: ModuleCall = ({ app, engine }) => {
  app.post<{ Body: { text: string; country?: string | null } }>(
    '/v2/toolbox/numbers',
    {
      schema: { tags: ['toolbox'], summary: 'Phone numbers by the numbering plans', body: pastedBody },
      config: { permission: 'toolbox:number-lookup' },
    },
    async (request) => {
      const context = contextOf(request)
      const { locale } = context
      await ready('country')
      const entries = entriesOf(request.body.text)
      const numbers = entries.slice(0, MOST_ENTRIES).map((typed) => planned(typed, request.body.country ?? null))
      const countries = [...new Set(numbers.flatMap(({ number }) => number?.country ?? []))]
      const networks = await engine.transaction(context, (entities) =>
        countries.length === 0
          ? Promise.resolve<EntityRecord[]>([])
          : entities.list('sys.operatorNetwork', {
              where: [
                { field: 'country', operator: 'in', value: countries },
                { field: 'status', operator: 'eq', value: 'operational' },
              ],
              sort: [{ field: 'mccmnc', order: 'asc' }],
              limit: 10_000,
            }),
      )
      const rows: Record<string, string | null>[] = []
      for (const { typed, number, possible, valid } of numbers) {
        if (!number || !possible) {
          rows.push({ typed, state: STATES.wrong[locale], tone: 'error' })
          continue
        }
        const [operator, carrier, region] = [
          await byPlan('carrier', number, locale),
          await byPlan('carrier', number, 'en'),
          await byPlan('geocodes', number, locale),
        ]
        const own = networks.filter(({ country }) => country === number.country)
        const codes =
          carrier === null ? [] : networksNamed(carrier, own as (EntityRecord & { brand: unknown; operator: unknown })[])
        rows.push({
          ...{ typed, e164: number.number, state: STATES[valid ? 'valid' : 'possible'][locale] },
          ...{ country: number.country ? countryName(number.country, locale) : `+${number.countryCallingCode}` },
          ...{ type: typeOf(number)[locale], region, operator },
          networks: codes.map(({ mcc, mnc }) => `${String(mcc)}-${String(mnc)}`).join(' ') || null,
          ...(valid ? {} : { tone: 'warning' }),
        })
      }
      const cut = { zh: `只查了前 ${MOST_ENTRIES} 个号码。`, en: `Only the first ${MOST_ENTRIES} numbers were looked up.` }
      const notes = [NOTE[locale], ...(entries.length > numbers.length ? [cut[locale]] : [])]
      const answer: ToolAnswer = { columns: columnsOf(TITLES, locale), rows, notes }
      return ok(answer)
    },
  )
}
