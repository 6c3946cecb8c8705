import type { SqlStep } from '../../platform/database'
import { SOURCES } from './sources'

type Row = readonly [
  code: string,
  name: string,
  nameEn: string,
  domain: string,
  unit: string,
  direction: 'highBad' | 'lowBad',
  minGrain: string,
  dimensions: readonly string[],
  valueExpr: string,
  suggestedRule: string,
]

/** The built-in indicators (money 11.2), also those whose data are not connected yet. */
const ROWS: readonly Row[] = [
  ['DLR_RATE', '短信送达率', 'SMS delivery rate', 'quality', 'percent', 'lowBad', '15m', ['channel', 'supplier', 'country', 'customer', 'account'], '已送达 ÷（已送达 + 失败 + 过期）', 'v < b - 15 && n >= 100'],
  ['DLR_DELAY', '短信回执时延', 'SMS receipt delay', 'quality', 'seconds', 'highBad', '15m', ['channel', 'supplier', 'country', 'customer', 'account'], '回执时延中位数', 'v > 60'],
  ['SUBMIT_FAIL', '短信提交失败率', 'SMS rejected at submission', 'quality', 'percent', 'highBad', '5m', ['account', 'customer', 'channel', 'supplier', 'country'], '拒绝 ÷ 提交', 'v > 20 && n >= 50'],
  ['NO_TRAFFIC', '无流量时长', 'Minutes without traffic', 'traffic', 'minutes', 'highBad', '5m', ['account', 'customer', 'channel', 'supplier', 'country'], '距最近一条记录的分钟数', 'v > 120'],
  ['BALANCE_LOW', '余额与预警额之比', 'Balance to warning amount', 'money', 'ratio', 'lowBad', '5m', ['account', 'customer'], '可用余额 ÷ 预警金额', 'v < 1'],
  ['SUPPLIER_DAYS', '供应商余额可用天数', 'Days left at the supplier', 'money', 'days', 'lowBad', '1h', ['channel', 'supplier'], '供应商账户余额可用天数的最小值', 'v < 3'],
  ['USAGE_PCT', '额度使用率', 'Credit used', 'money', 'percent', 'highBad', '15m', ['account', 'customer'], '已用 ÷ 生效额度', 'v > 80'],
  ['OVERDUE', '逾期天数', 'Days overdue', 'money', 'days', 'highBad', '1d', ['account', 'customer'], '最大逾期天数', 'v > 0'],
  ['MARGIN_FLOOR', '毛利率', 'Margin', 'margin', 'percent', 'lowBad', '1h', ['customer', 'country'], '（收入 − 成本）÷ 收入', 'v < 8'],
  ['QUEUE_LEN', '队列等待', 'Queue', 'device', 'count', 'highBad', '1m', ['gateway'], '等待条数', 'v > 10000'],
  ['GATEWAY_OFFLINE', '网关离线时长', 'Gateway offline', 'device', 'minutes', 'highBad', '1m', ['gateway', 'device'], '离线分钟数', 'v >= 3'],
  ['BIND_DOWN', '连接中断时长', 'Bind lost', 'device', 'minutes', 'highBad', '1m', ['channel'], 'SMPP 连接中断分钟数', 'v >= 5'],
  ['ASR_DROP', '接通率下降', 'ASR drop', 'quality', 'percent', 'lowBad', '15m', ['gateway', 'country'], '接通 ÷ 呼叫', 'pct(v, b) < -30 && n >= 50'],
  ['ACD_DROP', '平均通话时长下降', 'ACD drop', 'quality', 'seconds', 'lowBad', '15m', ['gateway', 'country'], '通话时长平均值', 'pct(v, b) < -30 && n >= 50'],
  ['PDD_HIGH', '接续时延', 'Post-dial delay', 'quality', 'seconds', 'highBad', '15m', ['gateway'], '接续时延中位数', 'v > 8'],
  ['COST_UP', '成本上涨', 'Cost up', 'margin', 'percent', 'highBad', '1d', ['channel', 'country'], '新供应商费率相对旧费率的涨幅', 'v > 10'],
  ['APPROVAL_SLOW', '超时审批任务', 'Tasks over their limit', 'approval', 'count', 'highBad', '1h', ['process', 'staff'], '待处理且已过期限的任务数', 'v > 0'],
  ['RECON_DIFF', 'VOS 余额差异', 'VOS balance difference', 'money', 'percent', 'highBad', '1d', ['account', 'channel'], '当日差异比例的最大绝对值', 'v > 1'],
  ['KINGDEE_FAIL', '金蝶推送失败', 'Kingdee failures', 'system', 'count', 'highBad', '1h', ['customer', 'supplier'], '推送失败的单据数', 'v >= 3'],
  ['RATE_JUMP', '汇率跳变', 'Exchange rate jump', 'money', 'percent', 'highBad', '1d', ['currency'], '当日汇率相对前一日变动的最大绝对值', 'v > 3'],
  ['VALID_NUMBERS', '有效测试号码', 'Valid test numbers', 'traffic', 'count', 'lowBad', '1h', ['country'], '有效号码数', 'v < 5'],
  ['STOCK_LOW', '低于最低库存的产品', 'Products below their minimum', 'device', 'count', 'highBad', '1h', ['warehouse', 'product'], '可用数量低于最低库存的库存数', 'v > 0'],
  ['WORKORDER_LATE', '超时工单', 'Late work orders', 'system', 'count', 'highBad', '15m', ['customer', 'supplier', 'staff'], '未完成且已过时限的工单数', 'v > 0'],
  ['DISK_JOBS', '外部请求积压', 'Backlog of requests', 'system', 'minutes', 'highBad', '5m', [], '最早一条未完成外部请求的等待分钟数', 'v > 15'],
] // prettier-ignore

/** Id of a built-in indicator. */
export const indicatorId = (code: string): string => `ewi-${code.toLowerCase()}`

/** Domain and unit of a built-in indicator. */
export function wordsOf(code: string): { domain: string; unit: string } {
  const row = ROWS.find(([known]) => known === code)
  if (!row) throw new Error(`There is no indicator ${code}.`)
  return { domain: row[3], unit: row[4] }
}

/** The built-in library stands in every company; aliases and notes that were written stay. */
export const library: SqlStep = {
  id: '2026-11-ew-library-1',
  run: async (tx) => {
    const rows = ROWS.map(([code, name, nameEn, domain, unit, direction, minGrain, dimensions, valueExpr, suggestedRule]) => ({
      ...{ id: indicatorId(code), code, name, nameEn, domain, unit, direction, minGrain, dimensions, valueExpr, suggestedRule },
      sourceView: SOURCES[code]?.entity ?? null,
    }))
    await tx.query(
      `insert into ew_indicator (id, code, name, name_en, domain, unit, direction, min_grain, dimensions, source_view, value_expr, suggested_rule, built_in, used_by, created_at, updated_at, version)
       select g.id, g.code, g.name, g."nameEn", g.domain, g.unit, g.direction, g."minGrain", g.dimensions, g."sourceView", g."valueExpr", g."suggestedRule", true, 0, now(), now(), 1
       from jsonb_to_recordset($1::jsonb) as g(id text, code text, name text, "nameEn" text, domain text, unit text, direction text, "minGrain" text, dimensions jsonb, "sourceView" text, "valueExpr" text, "suggestedRule" text)
       on conflict do nothing`,
      [JSON.stringify(rows)],
    )
  },
}
