import type { ActionModel, TransitionModel } from '../../schema/model'
import { sendCall } from '../../headless/call'
import { tellChanged } from '../changes'
import { isAborted, isTold, toFailure } from '../../headless/failure'
import { RequestError, type NotifyAction } from '../../headless/host'
import type { BulkOutcome } from './outcome'
import { inChunks, joined, MOST_IN_ONE_CALL, restInChunks } from './chunks'
import { confirmed } from './confirm'
import { fieldsForm } from '../../headless/form/fieldsForm'
import { aboutWhat, type ActionTarget } from './target'
import { actionTexts } from './texts'

const asOutcome = (answer: unknown): BulkOutcome | null => {
  if (answer === null || typeof answer !== 'object') return null
  const { done, refused } = answer as Record<string, unknown>
  if (!Array.isArray(done) || !Array.isArray(refused)) return null
  return { done: done.map(String), refused: refused as BulkOutcome['refused'] }
}

/** A form over a list says which record, or how many, it is about. */
const titleFor = (action: ActionModel, target: ActionTarget, count: number): string =>
  target.amount === 'none' || (target.amount === 'one' && !target.rows[0])
    ? action.label
    : `${action.label} · ${aboutWhat(target, count)}`

const versionOf = (target: ActionTarget): { version?: unknown } => {
  const version = target.amount === 'one' ? target.rows[0]?.version : undefined
  return version === undefined ? {} : { version }
}

const needPath = (target: ActionTarget): string => {
  if (target.path) return target.path
  throw new Error('The page has no entity, so this action has no call. Give the page an entity or the action a call.')
}

/** A form in the list stands below the one row that it is about. */
const inline = (target: ActionTarget, container: string): boolean =>
  container === 'inline' && target.amount === 'one' && target.screen.inRows === true

/** What came of an effect. quiet: somebody else says so; left: another page is shown, so this one has nothing to do. */
type Step = { outcome?: BulkOutcome | null; cancelled?: boolean; quiet?: boolean; left?: boolean }

const remove = async (target: ActionTarget, ids: readonly string[]): Promise<Step> => {
  const { host } = target
  const texts = actionTexts[host.locale]
  const path = needPath(target)
  const restore = async (done: readonly string[]): Promise<void> => {
    try {
      for (const id of done) await host.request({ method: 'GET', path: `${path}/restore/${encodeURIComponent(id)}` })
      host.notify('success', texts.restored)
    } catch (error) {
      if (!isAborted(error) && !isTold(error))
        host.notify('error', texts.failed(texts.undo, toFailure(error, host.locale).message))
    }
    tellChanged(path)
  }
  const offerUndo = (what: string, done: readonly string[]): void =>
    host.notify('success', texts.deleted(what), { label: texts.undo, run: () => void restore(done) })
  if (target.amount === 'many') {
    const send = (part: readonly string[]): Promise<BulkOutcome> =>
      host.request<BulkOutcome>({ method: 'POST', path: `${path}/deleteBatch`, body: { ids: part } })
    const outcome = (await inChunks(host, ids, send)) ?? { done: ids, refused: [] }
    host.drafts.forget(outcome.done)
    if (target.restorable && outcome.done.length > 0) offerUndo(texts.many(outcome.done.length), outcome.done)
    return { outcome, quiet: target.restorable && outcome.refused.length === 0 }
  }
  const id = ids[0]
  if (id === undefined) return { cancelled: true }
  const { version } = versionOf(target)
  await host.request({
    method: 'GET',
    path: `${path}/delete/${encodeURIComponent(id)}`,
    query: version === undefined ? {} : { version: Number(version) },
  })
  host.drafts.forget([id])
  if (target.restorable) offerUndo(aboutWhat(target, 1), [id])
  return { quiet: target.restorable }
}

const perform = async (action: ActionModel, target: ActionTarget, ids: readonly string[]): Promise<Step> => {
  const { host, scope, screen } = target
  const { effect } = action
  switch (effect.type) {
    case 'open':
      host.navigate(effect.address(scope), { newWindow: effect.newWindow })
      return { left: true }
    case 'copy':
      await host.copy(effect.text(scope))
      return { left: true }
    case 'download':
      await host.downloadFile(effect.address(scope))
      return { left: true }
    case 'call':
      return {
        outcome: asOutcome(await sendCall(host, effect.call, effect.params(scope), { idempotent: effect.call.method !== 'GET' })),
      }
    case 'form': {
      const values = effect.values(scope)
      const route = effect.container === 'page' ? (await host.loadPage(effect.page)).bundle.page.path : undefined
      if (route !== undefined) {
        host.navigate(addressWith(route, values))
        return { left: true }
      }
      const container = effect.container === 'modal' ? 'modal' : inline(target, effect.container) ? 'inline' : 'drawer'
      const answer = await screen.openForm({
        form: effect.page,
        container,
        values,
        title: titleFor(action, target, ids.length),
        ...(container === 'inline' ? { rowKey: ids[0] } : {}),
      })
      // The form says itself that it was saved.
      return answer === undefined ? { cancelled: true } : { outcome: asOutcome(answer), quiet: true }
    }
    case 'transition':
      return transit(effect.transition, effect.values(scope), action, target, ids)
    case 'operation':
      return operate(effect.operation, action, target, ids)
  }
}

/** One click did it, so one click takes it back, where a transition leads there. */
const undoOf = (action: ActionModel, target: ActionTarget, ids: readonly string[]): NotifyAction | undefined => {
  const { effect } = action
  if (effect.type !== 'transition' || target.amount !== 'one' || ids.length !== 1) return undefined
  const { field, fields, undo, confirm } = effect.transition
  const back = undo?.[String(target.rows[0]?.[field])]
  if (back === undefined || fields.length > 0 || confirm !== undefined || action.confirm) return undefined
  const { host } = target
  const texts = actionTexts[host.locale]
  const run = async (): Promise<void> => {
    try {
      const body = { ids, field, transition: back }
      const call = { method: 'POST', path: `${needPath(target)}/stateUpdate` } as const
      const refusal = asOutcome(await sendCall(host, call, body, { idempotent: true }))?.refused[0]
      if (refusal) host.notify('error', texts.failed(texts.undo, refusal.reason))
      else host.notify('success', texts.undone(action.label))
    } catch (error) {
      if (!isAborted(error) && !isTold(error))
        host.notify('error', texts.failed(texts.undo, toFailure(error, host.locale).message))
    }
    if (target.path) tellChanged(target.path)
    await target.reload()
  }
  return { label: texts.undo, run: () => void run() }
}

/** Moves records to another state, after asking for the fields that the transition needs. */
const transit = async (
  transition: TransitionModel,
  given: Record<string, unknown>,
  action: ActionModel,
  target: ActionTarget,
  ids: readonly string[],
): Promise<Step> => {
  const { host, screen } = target
  const call = { method: 'POST', path: `${needPath(target)}/stateUpdate` } as const
  let entered: Readonly<Record<string, unknown>> = {}
  const bodyFor = (part: readonly string[]): Record<string, unknown> => ({
    ids: part,
    field: transition.field,
    transition: transition.id,
    ...versionOf(target),
    ...given,
    ...entered,
  })
  const send = async (part: readonly string[]): Promise<BulkOutcome | null> =>
    asOutcome(await sendCall(host, call, bodyFor(part), { idempotent: true }))
  if (transition.fields.length === 0) return { outcome: await inChunks(host, ids, send) }
  const form = fieldsForm({
    id: `transition:${transition.id}`,
    title: action.label,
    fields: transition.fields,
    required: transition.required,
    initial: given,
    call,
    params: (values) => {
      entered = values
      return bodyFor(ids.slice(0, MOST_IN_ONE_CALL))
    },
    submitLabel: action.label,
    danger: action.danger || transition.danger,
    success: action.success ?? actionTexts[host.locale].done(action.label),
    locale: host.locale,
    source: action.source,
  })
  const answer = await screen.openForm({
    form,
    container: 'modal',
    values: {},
    title: `${action.label} · ${aboutWhat(target, ids.length)}`,
    ...(transition.confirm ? { lead: transition.confirm } : {}),
  })
  if (answer === undefined) return { cancelled: true }
  const rest = ids.slice(MOST_IN_ONE_CALL)
  const outcome = asOutcome(answer)
  return { outcome: rest.length > 0 ? joined(outcome, await restInChunks(host, rest, send)) : outcome, quiet: true }
}

const addressWith = (path: string, values: Record<string, unknown>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) params.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const query = params.toString()
  return query ? `${path}?${query}` : path
}

const operate = async (
  operation: 'edit' | 'delete' | 'restore' | 'export' | 'import',
  action: ActionModel,
  target: ActionTarget,
  ids: readonly string[],
): Promise<Step> => {
  const { host, screen } = target
  switch (operation) {
    case 'delete':
      return remove(target, ids)
    case 'restore':
      for (const id of ids) await host.request({ method: 'GET', path: `${needPath(target)}/restore/${encodeURIComponent(id)}` })
      return {}
    case 'export':
      screen.startExport?.()
      return { cancelled: true }
    case 'import':
      screen.startImport?.()
      return { cancelled: true }
    case 'edit': {
      const page = target.editForm
      if (!page) throw new RequestError('business', actionTexts[host.locale].noForm)
      const answer = await screen.openForm({
        form: page,
        container: 'drawer',
        values: { id: ids[0] },
        title: titleFor(action, target, ids.length),
      })
      return answer === undefined ? { cancelled: true } : { quiet: true }
    }
  }
}

const doneText = (action: ActionModel, outcome: BulkOutcome | null, { amount, host }: ActionTarget): string => {
  const texts = actionTexts[host.locale]
  return outcome && amount === 'many' ? texts.doneMany(action.label, outcome.done.length) : texts.done(action.label)
}

/**
 * Runs an action to its end: confirmation, effect, result, and what the page does afterwards. It never rejects: what went
 * wrong is shown where the action stands. The answer says whether anything happened.
 */
export const runAction = async (action: ActionModel, target: ActionTarget): Promise<'done' | 'cancelled' | 'failed'> => {
  const { host, screen } = target
  try {
    const ids = await target.ids()
    const count = ids.length
    if (!(await confirmed(action, target, count))) return 'cancelled'
    const step = await perform(action, target, ids)
    if (step.cancelled) return 'cancelled'
    if (step.left) {
      if (action.success) host.notify('success', action.success)
      return 'done'
    }
    const refused = step.outcome?.refused.length ?? 0
    if (step.outcome && refused > 0) screen.showOutcome(action.label, step.outcome, target.rows)
    else if (!step.quiet)
      host.notify('success', action.success ?? doneText(action, step.outcome ?? null, target), undoOf(action, target, ids))
    if (action.after === 'back' && refused === 0) {
      if (target.path) tellChanged(target.path)
      host.closePage()
    } else if (action.after === 'reload') await target.reload()
    return 'done'
  } catch (error) {
    if (isAborted(error)) return 'cancelled'
    const failure = toFailure(error, host.locale)
    if (!(error instanceof RequestError))
      host.report(error, { where: action.source.where, at: action.source.at, action: action.id })
    if (!isTold(error)) screen.showFailure(action.label, failure)
    return 'failed'
  }
}
