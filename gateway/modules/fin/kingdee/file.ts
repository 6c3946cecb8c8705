import { collectStream, Output, XlsxWriter, type SheetCell } from '../../../entities'
import type { KingdeeForm } from './documents'
import { entryField, type KingdeeModel, type PayloadSource } from './payload'

/** Names of a file of documents without its number: `JD_{formId}_{org}_{yyyymm}` (money 6). */
export const fileStem = ({ formId, bizDate }: Pick<PayloadSource, 'formId' | 'bizDate'>, orgNo: string): string =>
  `JD_${formId}_${orgNo.replace(/[^A-Za-z0-9-]/g, '')}_${bizDate.slice(0, 7).replace('-', '')}`

/** What Kingdee's fields are called in Chinese, in the second row of a file. */
const NAMES: Readonly<Record<string, string>> = {
  FBillTypeID: '单据类型',
  FBillNo: '单据编号',
  FDATE: '业务日期',
  FDate: '日期',
  FCONTACTUNITTYPE: '往来单位类型',
  FCONTACTUNIT: '往来单位',
  FPAYUNITTYPE: '付款单位类型',
  FPAYUNIT: '付款单位',
  FRECTUNITTYPE: '收款单位类型',
  FRECTUNIT: '收款单位',
  FSETTLEORGID: '结算组织',
  FPAYORGID: '收付组织',
  FSALEORGID: '销售组织',
  FPURCHASEORGID: '采购组织',
  FCURRENCYID: '币别',
  FSETTLECUR: '结算币别',
  FEXCHANGERATE: '汇率',
  FSETTLEMAINBOOKID: '本位币',
  FTHIRDBILLNO: '第三方单据编号',
  FREMARK: '备注',
  FSETTLETYPEID: '结算方式',
  FPURPOSEID: '收付款用途',
  FRECTOTALAMOUNTFOR: '应收金额',
  FRECAMOUNTFOR_E: '收款金额',
  FREFUNDAMOUNTFOR: '应退金额',
  FREFUNDAMOUNTFOR_E: '退款金额',
  FPAYTOTALAMOUNTFOR: '应付金额',
  FPAYAMOUNTFOR_E: '付款金额',
  FHANDLINGCHARGEFOR: '手续费',
  FACCOUNTID: '我方银行账号',
  FCOMMENT: '备注',
  FNOTE: '备注',
  FStockOrgId: '收料组织',
  FPurchaseOrgId: '采购组织',
  FDemandOrgId: '需求组织',
  FSupplierId: '供应商',
  FSaleOrgId: '销售组织',
  FCustomerID: '客户',
  FSettleOrgId: '结算组织',
  FSettleOrgID: '结算组织',
  FSettleCurrId: '结算币别',
  FSettleCurrID: '结算币别',
  FExchangeRate: '汇率',
  FIsIncludedTax: '含税',
  FMaterialId: '物料编码',
  FMaterialID: '物料编码',
  FUnitID: '单位',
  FRealQty: '实收/实发数量',
  FMustQty: '应收/应发数量',
  FTaxPrice: '含税单价',
  FEntryTaxRate: '税率',
  FStockId: '仓库',
  FStockID: '仓库',
  FNote: '备注',
}

const NUMBERS =
  /^(?:FEXCHANGERATE|FExchangeRate|F[A-Z]*AMOUNTFOR(?:_E)?|FHANDLINGCHARGEFOR|FRealQty|FMustQty|FTaxPrice|FEntryTaxRate)$/
const AMOUNTS = /AMOUNTFOR|CHARGEFOR/

/** A row of a file: Kingdee's keys with what stands under them, the head repeated on every line. */
export type FileRowOfDocument = Readonly<Record<string, string>>

/** A payload as rows: numbers of things stand for the things, members of the finance sub-head among those of the head (money 6). */
export function rowsOf(formId: KingdeeForm, payload: KingdeeModel): FileRowOfDocument[] {
  const entry = entryField(formId)
  const { [entry]: lines, ...head } = payload
  const flat = flattened(head)
  return (Array.isArray(lines) ? (lines as KingdeeModel[]) : []).map((line) => ({ ...flat, ...flattened(line) }))
}

function flattened(of: KingdeeModel): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of Object.entries(of)) {
    if (value === null || value === undefined) found[key] = ''
    else if (typeof value === 'object') {
      const inner = value as Readonly<Record<string, unknown>>
      if ('FNumber' in inner) found[key] = String(inner.FNumber)
      else Object.assign(found, flattened(inner))
    } else found[key] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return found
}

const cellOf = (key: string, value: string): SheetCell => {
  if (value === '') return { type: 'empty' }
  if (!NUMBERS.test(key)) return { type: 'text', value }
  return { type: 'number', value, pattern: AMOUNTS.test(key) ? '0.00####' : '0.######' }
}

/** The workbook that Kingdee imports: keys in the first row, Chinese names in the second, a line a row (money 6). */
export function workbookOf(formId: KingdeeForm, payloads: readonly KingdeeModel[]): Promise<Buffer> {
  const rows = payloads.flatMap((payload) => rowsOf(formId, payload))
  const keys = [...new Set(rows.flatMap(Object.keys))]
  return collectStream(async (stream) => {
    const output = new Output(stream)
    const writer = new XlsxWriter(output, { name: formId, widths: keys.map(() => 18) })
    await writer.start(keys)
    await writer.rows([keys.map((key): SheetCell => ({ type: 'text', value: NAMES[key] ?? key }))])
    await writer.rows(rows.map((row) => keys.map((key) => cellOf(key, row[key] ?? ''))))
    await writer.finish()
    await output.end()
  })
}
