import type { SaveHook } from '../../../entities'
import { ruleFor } from './rules'

/** Defaults and required fields of customers by party type, trade type and stage (rule crm.template). */
export async function applyTemplate({ model, record, before, given, tx, now, fail }: SaveHook): Promise<void> {
  const { fields } = await ruleFor(tx, 'crm.template', now)
  for (const row of fields) {
    const field = model.fields.get(row.field)
    const holds =
      (row.partyType === null || row.partyType === record.partyType) &&
      (row.tradeType === null || row.tradeType === record.tradeType) &&
      (row.stages.length === 0 || row.stages.includes(String(record.stage)))
    if (!field || !holds) continue
    if (!before && isEmpty(record[row.field]) && row.defaultValue && !field.many) record[row.field] = row.defaultValue
    // an old record may be saved elsewhere without what a newer rule asks for
    const asked = !before || given.has(row.field)
    if (row.required && asked && isEmpty(record[row.field]))
      fail({
        field: row.field,
        rule: 'template',
        message: { zh: `${field.label.zh}必填（客户模板）。`, en: `${field.label.en} is needed (customer template).` },
      })
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
