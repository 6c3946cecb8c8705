import { explicitPage } from '../explicit'
import type { PageModel } from '../model'
import type { Problem } from '../problem'
import { cacheKey, remember } from './cache'
import { BlockProblem, type CompileBundle, type CompileContext } from './context'
import { compileDetail } from './detail'
import { compileForm } from './form'
import { compileListBody } from './listBody'
import { compileReport } from './report'
import { Workspace } from './workspace'

export type CompileResult = { ok: true; model: PageModel } | { ok: false; problems: readonly Problem[] }

/**
 * A page with everything resolved for one viewer: texts, fields, calls, permissions, expressions as functions.
 *
 * Pure and frozen; remembered by revision, locale, zone and the viewer's answers for the permission keys that the page
 * names. A part that is wrong is left out and stands in `model.problems` at its place; `ok: false` only when nothing of
 * the page is left (its entity is unknown, its body is broken). Never throws for a document that the validator would refuse.
 */
export const compilePage = (bundle: CompileBundle, context: CompileContext): CompileResult =>
  remember(
    cacheKey(bundle, context),
    () => deepFreeze(compileFresh(bundle, context)),
    // A spoilt copy bears the revision of the page that it was: what it is not shall not stand for it.
    ({ ok }) => ok,
  )

/** The same without the memory: for the validator, whose documents have no revision yet. */
export function compileFresh(bundle: CompileBundle, context: CompileContext): CompileResult {
  const work = new Workspace(bundle, context)
  try {
    return { ok: true, model: compileModel(work) }
  } catch (error) {
    return { ok: false, problems: [...work.problems, error instanceof BlockProblem ? error.problem : broken(bundle, error)] }
  }
}

/** A document that was not validated may have any shape; what then fails is a problem of the page, not of the program. */
function broken(bundle: CompileBundle, error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    code: 'invalid-shape',
    severity: 'error',
    where: bundle.where,
    at: '',
    message: { zh: `页面的结构不正确：${reason}`, en: `The page has a wrong shape: ${reason}` },
  }
}

function compileModel(work: Workspace): PageModel {
  const page = explicitPage(work.bundle.page, work.bundle.entities)
  const head = {
    id: page.path ?? page.name ?? work.bundle.where,
    ...(page.path === undefined ? {} : { path: page.path }),
    title: work.text(page.title),
    ...(page.description ? { description: work.text(page.description) } : {}),
    locale: work.context.locale,
    revision: work.bundle.revision,
    source: work.source(''),
    problems: work.problems,
  }
  switch (page.kind) {
    case 'list':
      return { ...head, kind: 'list', body: compileListBody(work, page, '') }
    case 'detail':
      return { ...head, kind: 'detail', ...compileDetail(work, page) }
    case 'form':
      return { ...head, kind: 'form', ...compileForm(work, page) }
    case 'report':
      return { ...head, kind: 'report', ...compileReport(work, page) }
    case 'widget':
      return {
        ...head,
        kind: 'widget',
        widget: work.widget(page.widget, '/widget'),
        props: page.props ?? {},
        layout: page.layout ?? 'page',
      }
    case 'embed':
      return { ...head, kind: 'embed', iframeName: page.iframeName }
    default:
      return work.refuse('invalid-shape', '/kind', {
        zh: 'kind 须是 list、detail、form、report、widget 或 embed。',
        en: 'kind must be list, detail, form, report, widget or embed.',
      })
  }
}

/** Freezes data all the way down; functions are left as they are, what is frozen already is not walked again. */
export const deepFreeze = <T>(value: T): T => {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}
