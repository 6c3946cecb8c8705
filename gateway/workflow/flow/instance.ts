import type { EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import type { RequestContext, Text } from '../../platform/http'
import type { Notices } from '../notices'
import type { WorkflowParts } from '../parts'
import type { FlowState, ReadValue } from './state'

/** What the engine works with. */
export type FlowParts = Pick<WorkflowParts, 'engine' | 'database' | 'schemas' | 'queue' | 'timeZone' | 'now' | 'onError'> & {
  /** Tells chat groups. */
  notices?: Notices
}

/** What is kept of an instance besides its rows. */
export interface Kept {
  flow: FlowState
  /** People who were picked, by node. */
  picked: Record<string, string[]>
  /** Which branches were taken, and what their condition read; until when a delay waits; why people were asked. */
  trail: Record<string, { taken?: string[]; read?: ReadValue[]; why?: Text; until?: string | null }>
  /** The version of the row at which the form was changed last. */
  formVersion: number
  /** By step: the version of the row at which somebody did something there last. */
  decidedVersion?: Record<string, number>
  /** Draft: what was given beside the form. */
  ccIds?: string[]
}

export interface InstanceRow {
  id: string
  version: number
  code: string | null
  titleZh: string | null
  titleEn: string | null
  /** What the customer that it is about is called for whoever may not read names. */
  customerAlias: string | null
  processId: string
  versionId: string
  parentId: string | null
  parentNodeId: string | null
  bizType: string | null
  bizId: string | null
  bizCode: string | null
  applicantId: string
  deptId: string | null
  formData: EntityRecord | null
  summary: unknown
  currency: string | null
  amount: string | null
  amountCny: string | null
  wantedOn: string | null
  urgency: string | null
  status: string
  state: Kept | null
  round: number
  startedAt: string | null
  endedAt: string | null
  effectStatus: string | null
  effectError: string | null
  effectErrorEn: string | null
  ccIds: string[] | null
}

const COLUMNS = `id, version, code, title_zh as "titleZh", title_en as "titleEn", customer_alias as "customerAlias", process_id as "processId", version_id as "versionId", parent_id as "parentId",
  parent_node_id as "parentNodeId", biz_type as "bizType", biz_id as "bizId", biz_code as "bizCode", applicant_id as "applicantId", dept_id as "deptId", form_data as "formData", summary, currency,
  amount::text as amount, amount_cny::text as "amountCny", wanted_on::text as "wantedOn", urgency, status, state, round, started_at as "startedAt", ended_at as "endedAt",
  effect_status as "effectStatus", effect_error as "effectError", effect_error_en as "effectErrorEn", cc_ids as "ccIds"`

/** An instance as it is stored; with `lock` held until the transaction ends. */
export async function readInstance(
  tx: Transaction | FlowParts['database'],
  id: string,
  lock = false,
): Promise<InstanceRow | null> {
  const { rows } = await tx.query<InstanceRow>(
    `select ${COLUMNS} from wf_instance where id = $1 and deleted_at is null${lock ? ' for update' : ''}`,
    [id],
  )
  return rows[0] ?? null
}

/** Writes an instance after an action; its version is the next one then. */
export async function saveInstance(
  tx: Transaction,
  row: InstanceRow,
  kept: Kept,
  { user, now }: Pick<RequestContext, 'user' | 'now'>,
): Promise<void> {
  const version = row.version + 1
  await tx.query(
    `update wf_instance set version = $2, updated_at = $3, updated_by = $4, code = $5, title_zh = $6, title_en = $7, form_data = $8::jsonb, summary = $9::jsonb, currency = $10, amount = $11::numeric,
       amount_cny = $12::numeric, urgency = $13, status = $14, state = $15::jsonb, current_nodes = $16::jsonb, round = $17, started_at = $18, ended_at = $19, effect_status = $20, effect_error = $21, effect_error_en = $22, cc_ids = $23::jsonb, customer_alias = $24, wanted_on = $25::date
     where id = $1`,
    [
      row.id,
      version,
      now.toISOString(),
      user.staffId || null,
      row.code,
      row.titleZh,
      row.titleEn,
      JSON.stringify(row.formData),
      JSON.stringify(row.summary ?? null),
      row.currency,
      row.amount,
      row.amountCny,
      row.urgency ?? 'normal',
      row.status,
      JSON.stringify(kept),
      JSON.stringify(Object.entries(kept.flow.nodes).flatMap(([id, { phase }]) => (phase === 'branches' ? [] : [id]))),
      row.round,
      row.startedAt,
      row.endedAt,
      row.effectStatus,
      row.effectError,
      row.effectErrorEn,
      JSON.stringify(row.ccIds),
      row.customerAlias,
      row.wantedOn,
    ],
  )
  row.version = version
  row.state = kept
}
