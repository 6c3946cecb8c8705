import type { EntityService } from '../../entities'

/** What a quotation mail may say of its sheet; written as `{{name}}` in the template (quotes 1.15). */
const VARIABLES = [
  'customerName',
  'accountName',
  'sheetCode',
  'effectiveFrom',
  'increaseCount',
  'decreaseCount',
  'link',
  'salesName',
  'salesPhone',
  'currency',
] as const

/** The variables of a template that nobody fills in. */
export function unknownVariables(text: string): string[] {
  const used = [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name ?? '')
  return [...new Set(used.filter((name) => !(VARIABLES as readonly string[]).includes(name)))]
}

/** A template with a variable that does not exist is not saved. */
export const mailTemplateService: EntityService<'qm.quoteMailTemplate'> = {
  beforeSave({ record, fail }) {
    for (const field of ['subject', 'body'] as const) {
      const unknown = unknownVariables((record[field] ?? ''))
      if (unknown.length === 0) continue
      const names = VARIABLES.join(', ')
      fail({
        field,
        rule: 'variables',
        message: {
          zh: `没有变量 ${unknown.join('、')}；可用：${names}。`,
          en: `There is no variable ${unknown.join(', ')}. There are: ${names}.`,
        },
      })
    }
  },
}
