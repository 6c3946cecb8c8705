import type { Form } from '../../../src/schema/generated/process'
import type { Executor } from '../../platform/database'
import { ServiceError, type Text } from '../../platform/http'
import type { FormInput } from './store'

/** A form as it stands in `wf.form`. */
export interface StoredForm {
  id: string
  code: string
  name: Text
  definition: Form
  serviceName: string | undefined
  versionNo: number
  state: string
  remark: string | null
  source: FormInput['source']
}

type Row = Omit<StoredForm, 'name' | 'definition' | 'serviceName'> & {
  nameZh: string
  nameEn: string
  definition: string
  serviceName: string | null
}

/** A form by its id; null when there is none. */
export async function findForm(db: Pick<Executor, 'query'>, id: string): Promise<StoredForm | null> {
  const { rows } = await db.query<Row>(
    `select id, code, name_zh as "nameZh", name_en as "nameEn", definition, service_name as "serviceName", version_no as "versionNo", state, remark, source
       from wf_form where id = $1 and deleted_at is null`,
    [id],
  )
  if (!rows[0]) return null
  const { nameZh, nameEn, definition, serviceName, ...rest } = rows[0]
  return {
    ...rest,
    serviceName: serviceName ?? undefined,
    name: { zh: nameZh, en: nameEn },
    definition: JSON.parse(definition) as Form,
  }
}

/** @throws ServiceError 10010004 */
export async function requireForm(db: Pick<Executor, 'query'>, id: string): Promise<StoredForm> {
  const form = await findForm(db, id)
  if (!form) throw new ServiceError('notFound')
  return form
}
