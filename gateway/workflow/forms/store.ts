import { createHash } from 'node:crypto'
import type { Form } from '../../../src/schema/generated/process'
import type { Entities, RecordOf } from '../../entities'
import type { RequestContext, Text } from '../../platform/http'

/** A write with its transaction's entities and its caller. */
export interface Writing {
  entities: Entities
  context: RequestContext
}

/** What stands in `wf.form`. */
export interface FormInput {
  id?: string
  code: string
  name: Text
  definition: Form
  serviceName?: string | undefined
  remark?: string | null
  source: 'file' | 'admin'
  note?: string | null
}

export interface KeptForm {
  id: string
  versionNo: number
  /** The definition is another one than before. */
  changed: boolean
}

/** Of a form, in the order of its fields: another order is another form. */
export const formHash = (form: Form): string => createHash('sha256').update(JSON.stringify(form)).digest('hex')

/** Keeps a form; another definition than the stored one is its next version. */
export async function keepForm({ entities, context }: Writing, form: FormInput): Promise<KeptForm> {
  const before = await stored(entities, form)
  const definition = JSON.stringify(form.definition)
  const changed = before === null || before['definition'] !== definition
  const versionNo = before === null ? 1 : Number(before['versionNo']) + (changed ? 1 : 0)
  const hash = formHash(form.definition)
  const row = await entities.save('wf.form', {
    ...(before === null ? { code: form.code } : { id: before['id'] }),
    nameZh: form.name.zh,
    nameEn: form.name.en,
    definition,
    hash,
    ...(form.serviceName === undefined ? {} : { serviceName: form.serviceName }),
    ...(form.remark === undefined ? {} : { remark: form.remark }),
    source: form.source,
    versionNo,
    fieldCount: Object.keys(form.definition.fields).length,
  })
  const id = String(row['id'])
  if (changed)
    await entities.save('wf.formVersion', {
      formId: id,
      no: versionNo,
      definition,
      hash,
      note: form.note ?? null,
      savedAt: context.now.toISOString(),
      savedBy: context.user.staffId || null,
    })
  return { id, versionNo, changed }
}

async function stored(entities: Entities, { id, code }: FormInput): Promise<RecordOf<'wf.form'> | null> {
  if (id !== undefined) return entities.find('wf.form', id, { lock: true })
  const [found] = await entities.list('wf.form', {
    where: [{ field: 'code', operator: 'eq', value: code }],
    limit: 1,
    lock: true,
  })
  return found ?? null
}
