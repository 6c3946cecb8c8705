import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import { countryName, ready } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { contextOf, ok, type Text } from '../../../platform/http'
import type { ModuleCall, ModuleParts } from '../../module'
import { columnsOf, MOST_ENTRIES, type ToolAnswer } from '../answer'
import { pastedBody } from '../body'
import { typedCodes, type TypedCode } from '../networks/codes'

const NETWORKS = 'sys.operatorNetwork'
const TITLES: Readonly<Record<string, Text>> = {
  typed: { zh: '输入', en: 'Entered' },
  country: { zh: '国家/地区', en: 'Country' },
  callingCode: { zh: '国际区号', en: 'Calling code' },
  mcc: { zh: 'MCC', en: 'MCC' },
  mnc: { zh: 'MNC', en: 'MNC' },
  operator: { zh: '运营商', en: 'Operator' },
  brand: { zh: '品牌', en: 'Brand' },
  status: { zh: '状态', en: 'Status' },
  bands: { zh: '频段', en: 'Bands' },
}
const UNKNOWN: Text = { zh: '查无此网络', en: 'No such network' }
const NO_CODE: Text = { zh: '不是 MCC/MNC 或国际区号', en: 'Neither MCC/MNC nor calling code' }

const callingCodeOf = (country: string): string | null => {
  const known = getCountries().find((one) => one === country)
  return known ? `+${getCountryCallingCode(known)}` : null
}
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** POST /v2/toolbox/networks: the networks of codes that were pasted, the countries and MCCs of calling codes. */
export const call: ModuleCall = ({ app, engine }) => {
  app.post<{ Body: { text: string } }>(
    '/v2/toolbox/networks',
    {
      schema: { tags: ['toolbox'], summary: 'Mobile networks by pasted codes', body: pastedBody },
      config: { permission: 'toolbox:mcc-mnc' },
    },
    async (request) => {
      const context = contextOf(request)
      const { locale } = context
      await ready('country')
      const all = typedCodes(request.body.text)
      const codes = all.slice(0, MOST_ENTRIES)
      const found = await findNetworks(engine, context, codes)
      const status = (code: string): string => engine.dictionaryLabel('networkStatus', code)[locale]
      const shown = (typed: string, network: EntityRecord): Record<string, string | null> => {
        const country = text(network.country)
        return {
          ...{ typed, country: country && countryName(country, locale), callingCode: country && callingCodeOf(country) },
          ...{ mcc: text(network.mcc), mnc: text(network.mnc), operator: text(network.operator), brand: text(network.brand) },
          ...{ status: status(String(network.status)), bands: text(network.bands) },
        }
      }
      const rows = codes.flatMap((code) => {
        const networks = found(code)
        if (networks.length > 0) return networks.map((network) => shown(code.typed, network))
        const known = 'mccmnc' in code || 'mcc' in code || 'callingCode' in code
        return [{ typed: code.typed, operator: (known ? UNKNOWN : NO_CODE)[locale], tone: 'error' }]
      })
      const cut = { zh: `只查了前 ${MOST_ENTRIES} 项。`, en: `Only the first ${MOST_ENTRIES} entries were looked up.` }
      const answer: ToolAnswer = {
        columns: columnsOf(TITLES, locale),
        rows,
        notes: all.length > codes.length ? [cut[locale]] : [],
      }
      return ok(answer)
    },
  )
}

/** All networks that the codes mean, read at once. */
async function findNetworks(
  engine: ModuleParts['engine'],
  context: ReturnType<typeof contextOf>,
  codes: readonly TypedCode[],
): Promise<(code: TypedCode) => EntityRecord[]> {
  const wanted = {
    mccmnc: codes.flatMap((code) => ('mccmnc' in code ? [code.mccmnc] : [])),
    mcc: codes.flatMap((code) => ('mcc' in code ? [code.mcc] : [])),
    country: codes.flatMap((code) => ('callingCode' in code ? countriesOf(code.callingCode) : [])),
  }
  const networks = await engine.transaction(context, async (entities) => {
    const lists = await Promise.all(
      Object.entries(wanted).map(([field, values]) =>
        values.length === 0
          ? []
          : entities.list(NETWORKS, {
              where: [{ field, operator: 'in', value: values }],
              sort: [{ field: 'mccmnc', order: 'asc' }],
              limit: 10_000,
            }),
      ),
    )
    return [...new Map(lists.flat().map((network) => [network.id, network])).values()]
  })
  return (code) => {
    if ('mccmnc' in code) return networks.filter(({ mccmnc }) => mccmnc === code.mccmnc)
    if ('mcc' in code) return networks.filter(({ mcc }) => mcc === code.mcc)
    if (!('callingCode' in code)) return []
    const countries = countriesOf(code.callingCode)
    return networks.filter(({ country }) => countries.includes(country ?? ''))
  }
}

const countriesOf = (callingCode: string): string[] =>
  getCountries().filter((country) => getCountryCallingCode(country) === callingCode)
