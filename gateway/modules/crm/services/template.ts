import type { PageDocument } from '../../../../src/schema/generated/page'
import type { Executor } from '../../../platform/database'
import type { RequestContext } from '../../../platform/http'
import { sameValue, type SaveHook } from '../../../entities'
import { customerFieldsOf, templateFor, withTemplate } from '../rules/template'
import { ruleFor } from '../../../rules'

/**
 * The customer template (rule crm.template) in a save: defaults, what is required, and what is hidden. A form does not send a
 * hidden field; whoever sends a value for one all the same is told, so that nothing is lost or stored unseen. `staffId`: who fills
 * the form in.
 */
export async function applyTemplate(
  { model, record, before, given, now, fail }: Pick<SaveHook, 'model' | 'record' | 'before' | 'given' | 'now' | 'fail'>,
  db: Executor,
  staffId: string,
): Promise<void> {
  const { fields } = await ruleFor(db, 'crm.template', now, { staffId })
  for (const [name, { hidden, required, defaultValue }] of templateFor(fields, record)) {
    const field = model.fields.get(name)
    if (!field) continue
    if (hidden && given.has(name) && !sameValue(record[name] ?? null, before?.[name] ?? null) && !isEmpty(record[name]))
      fail({
        field: name,
        rule: 'template',
        message: {
          zh: `客户模板对这类客户不显示“${field.label.zh}”，请去掉该值。`,
          en: `The customer template does not have "${field.label.en}" for such a customer. Take the value out.`,
        },
      })
    if (!before && isEmpty(record[name]) && defaultValue && !field.many) record[name] = defaultValue
    // an old record may be saved elsewhere without what a newer rule asks for
    const asked = !before || given.has(name)
    if (required && asked && isEmpty(record[name]))
      fail({
        field: name,
        rule: 'template',
        message: { zh: `${field.label.zh}必填（客户模板）。`, en: `${field.label.en} is needed (customer template).` },
      })
  }
}

/** How a person gets the pages that ask for a customer: with the template that holds for him. Null = the page as it is. */
export function customerFormsFor(db: Executor) {
  const asks = new WeakMap<PageDocument, ReadonlySet<string>>()
  return async (
    page: PageDocument,
    context: Pick<RequestContext, 'now' | 'user'>,
  ): Promise<{ key: string; page: () => PageDocument } | null> => {
    const asked = asks.get(page) ?? customerFieldsOf(page)
    asks.set(page, asked)
    if (asked.size === 0) return null
    const { fields } = await ruleFor(db, 'crm.template', context.now, { staffId: context.user.staffId })
    const rows = fields.filter(({ field }) => asked.has(field))
    return rows.length === 0 ? null : { key: JSON.stringify(rows), page: () => withTemplate(page, rows) }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
