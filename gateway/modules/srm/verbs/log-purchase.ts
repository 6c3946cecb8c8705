import type { EntityModel, FieldModel } from '../../../../src/schema/entity'
import type { EntityRecord } from '../../../entities'
import type { Text } from '../../../platform/http'
import type { ModuleVerb } from '../../module'
import { actionOf } from '../purchase/log'

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const MOST = 4000

type Document = 'srm.purchaseOrder' | 'srm.purchasePlan' | 'srm.stockIn' | 'srm.stockOut'

/** `srm.logPurchase`: one entry of the purchase log for each document that is made, changed or moved, with what differs in both languages. */
export const verb: ModuleVerb<Document> = async (hook, runs) => {
  const { entities, context, now, model } = hook
  for (const { subject, with: given } of runs) {
    const { before, record, input } = subject
    const [was, is]: [EntityRecord | null, EntityRecord] = [before, record]
    const differing = before ? changedFields(model, before, record) : []
    const changes: { field: FieldModel; from: Text; to: Text }[] = []
    for (const field of differing)
      changes.push({
        field,
        from: await said(hook, field, was![field.name]),
        to: await said(hook, field, is[field.name]),
      })
    const state = text(record.status)
    const edited = before !== null && before.status === record.status && changes.length === 0
    const told = (language: keyof Text): string =>
      edited
        ? { zh: '明细已修改', en: 'The lines were changed' }[language]
        : changes.map(({ field, from, to }) => `${field.label[language]}: ${from[language]} → ${to[language]}`).join('; ')
    await entities.save('srm.purchaseLog', {
      ...{ docType: text(given.docType), docId: record.id, docCode: record.code },
      supplierId: ('supplierId' in record ? record.supplierId : null) ?? null,
      ...{ action: actionOf(before ? text(before.status) : null, state), fromState: before?.status ?? null, toState: state },
      ...{ changesZh: told('zh').slice(0, MOST), changesEn: told('en').slice(0, MOST) },
      diff: changes.map(({ field }) => ({
        field: field.name,
        before: was![field.name] ?? null,
        after: is[field.name] ?? null,
      })),
      reason: text(input.note) || text(input.decisionNote) || null,
      ...{ byId: context.user.staffId, at: now.toISOString() },
    })
  }
}

/** The fields that somebody typed and that differ. */
const changedFields = (model: EntityModel, before: EntityRecord, after: EntityRecord): FieldModel[] =>
  [...model.fields.values()].filter(
    ({ name, field, storage, origin, kept }) =>
      storage === 'stored' &&
      origin === 'own' &&
      !kept &&
      field.readOnly !== true &&
      name in after &&
      JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )

async function said({ entities, engine }: Parameters<ModuleVerb>[0], { field }: FieldModel, value: unknown): Promise<Text> {
  const plain = Array.isArray(value)
    ? String(value.length)
    : typeof value === 'boolean'
      ? value
        ? '✓'
        : '✗'
      : text(value) || '—'
  const [reference, dictionary] = [field['x-ref'], field['x-dictionary']]
  if (dictionary !== undefined && typeof value === 'string') return engine.dictionaryLabel(dictionary, value)
  if (reference === undefined || typeof value !== 'string' || value === '') return { zh: plain, en: plain }
  const record = await entities.find(reference, value)
  const title = text(record?.name) || text(record?.code) || plain
  return { zh: title, en: text(record?.nameEn) || title }
}
