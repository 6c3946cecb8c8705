import type { ProcessDocument } from '../../../src/schema/generated/process'
import type { EntityRecord } from '../../entities'
import { ServiceError, type RequestContext, type Text } from '../../platform/http'
import { tryStart, type PathNode } from '../flow'
import type { WorkflowParts } from '../parts'
import { refuseProblems, type CheckProcess } from '../processes/check'
import { publish } from '../processes/publish'

/** What is tried: a process as it is drawn, on values or on those of an application. */
export interface DryRunRequest {
  document: ProcessDocument
  values?: EntityRecord
  /** An application whose values are taken. */
  instanceId?: string
  /** As whom; default the caller, of an application its applicant. */
  applicantId?: string
}

/** Which way it goes, who would be asked, and why it could not be submitted. */
export interface DryRunAnswer {
  path: PathNode[]
  errors: { field?: string; text: Text; code?: number }[]
}

/** Carries the answer out of a transaction that is undone. */
class Undone extends Error {
  constructor(readonly answer: DryRunAnswer) {
    super('A dry run leaves nothing behind.')
  }
}

/**
 * Starts an application of a process as it is drawn, and undoes everything: the engine itself says which way it goes and who is asked.
 * Whoever may start it and whether it is enabled is not asked.
 * @throws ServiceError 10010005 while the process is not right, 10010004 for an application that is not there
 */
export async function dryRun(
  parts: WorkflowParts,
  context: RequestContext,
  check: CheckProcess,
  { document, values, instanceId, applicantId }: DryRunRequest,
): Promise<DryRunAnswer> {
  const { startScope: _anybody, ...tried } = document
  refuseProblems(await check(tried), context.locale)
  const past = instanceId === undefined ? null : await applicationOf(parts, instanceId)
  try {
    await parts.engine.transaction(context, async (entities, tx) => {
      const { id } = await publish({ entities, context }, { document: tried, source: 'admin', note: null })
      await tx.query(`update wf_process set state = 'enabled' where id = $1`, [id])
      const formData = past?.formData ?? values ?? {}
      throw new Undone(await tryStart(parts, tx, context, { processId: id, formData }, applicantId ?? past?.applicantId))
    })
  } catch (error) {
    if (error instanceof Undone) return error.answer
    throw error
  }
  throw new Error('The dry run ended without an answer.')
}

async function applicationOf({ database }: WorkflowParts, id: string) {
  const { rows } = await database.query<{ formData: EntityRecord | null; applicantId: string }>(
    `select form_data as "formData", applicant_id as "applicantId" from wf_instance where id = $1 and deleted_at is null`,
    [id],
  )
  const [row] = rows
  if (!row) throw new ServiceError('notFound')
  return { formData: row.formData ?? {}, applicantId: row.applicantId }
}
