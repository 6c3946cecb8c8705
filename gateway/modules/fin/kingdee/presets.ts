import type { SqlStep } from '../../../platform/database'
import type { MapKind } from './payload'

/** Codes of a book as Kingdee delivers it (money 6): defaults of mappings, to be changed where a book differs. */
const PRESETS: readonly (readonly [kind: MapKind, localId: string, localName: string, kingdeeNo: string | null])[] = [
  ['billType', 'AR_ReceiveBill', '收款单：销售收款', 'SKDLX01_SYS'],
  ['billType', 'AR_ReceiveBill:other', '收款单：其他收款', 'SKDLX02_SYS'],
  ['billType', 'AR_RefundBill', '收款退款单', 'SKTKDLX01_SYS'],
  ['billType', 'AP_PayBill', '付款单', 'FKDLX01_SYS'],
  ['billType', 'AP_RefundBill', '付款退款单', 'FKTKDLX01_SYS'],
  ['billType', 'STK_InStock', '采购入库单', 'RKD01_SYS'],
  ['billType', 'SAL_OutStock', '销售出库单', 'XSCKD01_SYS'],
  ['settleType', 'transfer', '电汇', 'JSFS04_SYS'],
  ['settleType', 'hedge', '对冲', null],
  ['purpose', 'sale', '销售收款', 'SFKYT01_SYS'],
  ['purpose', 'saleAdvance', '预收款', 'SFKYT02_SYS'],
  ['purpose', 'purchase', '采购付款', 'SFKYT08_SYS'],
  ['purpose', 'purchaseAdvance', '预付款', 'SFKYT09_SYS'],
  ['currency', 'CNY', '人民币', 'PRE001'],
  ['currency', 'HKD', '港元', 'PRE002'],
  ['currency', 'EUR', '欧元', 'PRE003'],
  ['currency', 'GBP', '英镑', 'PRE006'],
  ['currency', 'USD', '美元', 'PRE007'],
  ['unit', 'default', '计量单位', 'Pcs'],
  ['stock', 'default', '仓库', null],
]

/** The numbers of the presets, by kind and key. */
export const PRESET_NUMBERS: ReadonlyMap<string, string> = new Map(
  PRESETS.flatMap(([kind, localId, , number]) => (number === null ? [] : [[`${kind}:${localId}`, number] as const])),
)

/** The presets stand in every database once; what was changed of them stays. */
export const kingdeePresets: SqlStep = {
  id: '2026-11-kingdee-preset-mappings',
  run: async (tx) => {
    const rows = PRESETS.map(([kind, localId, name, number]) => ({
      id: `km-${kind}-${localId}`.replace(':', '-'),
      kind,
      localId,
      name,
      number,
    }))
    await tx.query(
      `insert into fin_kingdee_mapping (id, map_kind, local_id, local_name, kingdee_no, state, scope_key, created_at, updated_at, version)
       select g.id, g.kind, g."localId", g.name, g.number, case when g.number is null then 'unmapped' else 'mapped' end, g.kind || ':' || g."localId" || ':', now(), now(), 1
       from jsonb_to_recordset($1::jsonb) as g(id text, kind text, "localId" text, name text, number text)
       on conflict do nothing`,
      [JSON.stringify(rows)],
    )
  },
}
