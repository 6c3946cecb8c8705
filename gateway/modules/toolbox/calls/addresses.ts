import { contextOf, ok, type Locale, type Text } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { columnsOf, entriesOf, MOST_ENTRIES, type ToolAnswer } from '../answer'
import { pastedBody } from '../body'
import { resolveNames } from '../addresses/names'
import { domainOf, rangeName, rangeOf } from '../addresses/ranges'

const TITLES: Readonly<Record<string, Text>> = {
  typed: { zh: '输入', en: 'Entered' },
  address: { zh: '地址或网段', en: 'Address or range' },
  kind: { zh: '版本', en: 'Version' },
  range: { zh: '地址类别', en: 'Kind' },
  first: { zh: '起', en: 'First' },
  last: { zh: '止', en: 'Last' },
  size: { zh: '地址数', en: 'Addresses' },
}
const MOST_NAMES = 50
const WRONG: Text = { zh: '不是 IP、CIDR 或域名', en: 'Neither address, range nor domain' }
const UNRESOLVED: Text = { zh: 'DNS 没有给出地址', en: 'The DNS gave no address' }
const TOO_MANY: Text = { zh: `一次最多解析 ${MOST_NAMES} 个域名`, en: `At most ${MOST_NAMES} domains are resolved at once` }
const NOTE: Text = {
  zh: '未安装 IP 归属数据：国家与 ASN 不显示。',
  en: 'No data on the origin of addresses is installed: country and ASN are not shown.',
}

function described(typed: string, address: string, locale: Locale): Record<string, string | null> {
  const range = rangeOf(address)
  if (!range) return { typed, range: WRONG[locale], tone: 'error' }
  return {
    ...{ typed, address: range.text, kind: range.kind === 'ipv4' ? 'IPv4' : 'IPv6', range: rangeName(range.range)[locale] },
    ...{ first: range.first, last: range.last, size: range.size.toLocaleString(locale === 'zh' ? 'zh-CN' : 'en') },
    tone: range.range === 'unicast' ? null : 'warning',
  }
}

/** POST /v2/toolbox/addresses: extent and kind of addresses, ranges and domains. */
export const call: ModuleCall = ({ app }) => {
  app.post<{ Body: { text: string } }>(
    '/v2/toolbox/addresses',
    {
      schema: { tags: ['toolbox'], summary: 'Addresses, ranges and domains', body: pastedBody },
      config: { permission: 'toolbox:ip-address' },
    },
    async (request) => {
      const { locale, ip } = contextOf(request)
      const all = entriesOf(request.body.text)
      const entries = all.slice(0, MOST_ENTRIES)
      const names = entries.flatMap((typed) => (rangeOf(typed) ? [] : (domainOf(typed) ?? []))).slice(0, MOST_NAMES)
      const resolved = await resolveNames([...new Set(names)])
      const rows = entries.flatMap((typed) => {
        if (rangeOf(typed)) return [described(typed, typed, locale)]
        const name = domainOf(typed)
        if (name === null) return [{ typed, range: WRONG[locale], tone: 'error' }]
        const addresses = resolved.get(name)
        if (!addresses) return [{ typed, range: TOO_MANY[locale], tone: 'warning' }]
        if (addresses.length === 0) return [{ typed, range: UNRESOLVED[locale], tone: 'warning' }]
        return addresses.map((address) => described(typed, address, locale))
      })
      const mine = {
        zh: `您的地址：${ip}（${rangeName(rangeOf(ip)?.range ?? 'unspecified').zh}）。`,
        en: `Your address: ${ip} (${rangeName(rangeOf(ip)?.range ?? 'unspecified').en}).`,
      }
      const cut = { zh: `只查了前 ${MOST_ENTRIES} 项。`, en: `Only the first ${MOST_ENTRIES} entries were looked up.` }
      const notes = [mine[locale], NOTE[locale], ...(all.length > entries.length ? [cut[locale]] : [])]
      const answer: ToolAnswer = { columns: columnsOf(TITLES, locale), rows, notes }
      return ok(answer)
    },
  )
}
