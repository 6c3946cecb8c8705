import { ServiceError, type RequestContext } from '../../platform/http'
import type { Transaction } from '../../platform/database'
import { processOf } from '../definitions'
import { readInstance, type FlowParts } from './instance'
import { predictPath, type PathNode } from './path'
import { staffById } from './people'
import { refusedAtEnd } from './rehearsal'
import { emptyRow, insert, newTurn, obstacles, takeForm, type StartRequest } from './start'
import { Turn } from './turn'

/** What is answered of a record that is outside what one may see. */
const OUTSIDE = 10010004

/** The way of what was returned, from the start once more and in its own version; undefined for everything else. */
async function submittedAgain(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  { instanceId }: StartRequest,
): Promise<Turn | undefined> {
  if (instanceId === undefined || instanceId === '') return undefined
  const row = await readInstance(tx, instanceId, false)
  if (row?.status !== 'returned' || row.applicantId !== context.user.staffId) return undefined
  const staff = (await staffById(tx, [row.applicantId])).get(row.applicantId)
  if (!staff) throw new ServiceError('noPermission')
  return Turn.of(parts, tx, context, emptyRow(await processOf(tx, row.versionId), staff))
}

/** What the end would refuse of an application that is not started, in a transaction that is undone: it stands there as if it were. */
async function asStarted(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: StartRequest,
  { values, row }: Turn,
): Promise<ServiceError | null> {
  const turn = await newTurn(parts, tx, context, request, row.applicantId)
  Object.assign(turn.row, { ...row, id: turn.row.id, status: 'running', startedAt: context.now.toISOString() })
  turn.values = values
  await insert(turn, context)
  await turn.doEvent('started')
  return refusedAtEnd(turn)
}

/** What would happen: the way with the people of each step, and what keeps it from being submitted. Nothing is written. */
export async function tryStart(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: StartRequest,
  applicantId?: string,
): Promise<{ path: PathNode[]; errors: { field?: string; text: { zh: string; en: string }; code?: number }[] }> {
  const again = await submittedAgain(parts, tx, context, request)
  const turn = again ?? (await newTurn(parts, tx, context, request, applicantId))
  const errors: { field?: string; text: { zh: string; en: string }; code?: number }[] = []
  const tell = (error: unknown): void => {
    if (!(error instanceof ServiceError)) throw error
    const { field } = (error.data ?? {}) as { field?: unknown }
    errors.push({ ...(typeof field === 'string' ? { field } : {}), text: error.text, code: error.code })
  }
  const outside = await turn.form.records.outside(turn.call, request.formData)
  if (outside.length > 0) {
    // nothing is worked out of records that the caller may not see: their names would stand in what is refused
    for (const { field, message } of outside)
      errors.push({ ...(field === undefined ? {} : { field }), text: message, code: OUTSIDE })
    if (applicantId !== undefined)
      await takeForm(turn, request, false).catch((error: unknown) => {
        // what is refused besides would name them
        if (!(error instanceof ServiceError)) throw error
      })
    return { path: applicantId === undefined ? [] : await predictPath(turn, new Map()), errors }
  }
  try {
    const problems = await takeForm(turn, request, true)
    errors.push(...problems.map(({ field, message }) => ({ ...(field === undefined ? {} : { field }), text: message })))
  } catch (error) {
    tell(error)
    await takeForm(turn, request, false)
  }
  try {
    Object.assign(turn.row, await turn.form.worth(turn.call, turn.values, turn.named()))
    const stand = await obstacles(turn)
    errors.push(...stand.problems.map(({ field, message }) => ({ ...(field === undefined ? {} : { field }), text: message })))
    if (stand.refused) tell(stand.refused)
    // what was returned holds its record itself
    if (errors.length === 0 && !again) {
      const refused = await tx.rehearse((inner) => asStarted(parts, inner, context, request, turn))
      if (refused) tell(refused)
    }
  } catch (error) {
    tell(error)
  }
  return { path: await predictPath(turn, new Map()), errors }
}
