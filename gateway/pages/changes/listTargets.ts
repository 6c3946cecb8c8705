import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { PageDocument } from '../../../src/schema/generated/page'
import { isObject } from '../../../src/schema/overlay'
import type { BilingualText } from '../../../src/schema/problem'
import type { Database } from '../../platform/database'
import type { AcceptedSource } from '../registry'
import { notUsed, type LiveSchemas } from './live'
import { draftsOf, faultsByPage, revisionsOf, type Draft } from './store'
import { parseTarget, targetOf } from './target'

/** Everything that an admin can change, with what is changed by whom and what waits at that moment. */
export async function listTargets(database: Database, live: LiveSchemas, moment: Date) {
  const [revisions, drafts, faults] = [await revisionsOf(database), await draftsOf(database), await faultsByPage(database)]
  const snapshot = live.snapshot(false)
  const { composed } = snapshot
  const unused = notUsed(snapshot)
  const now = moment.getTime()
  const known = new Map(
    composed.documents.flatMap((document) => (targetOf(document) ? [[targetOf(document)!, document] as const] : [])),
  )
  const made = [...drafts, ...unused.map(({ overlay }) => overlay)]
  const waiting = [...new Set(made.map(({ target }) => target))].filter((target) => !known.has(target))
  return [
    ...[...known].map(([target, document]) => ({ target, ...factsOf(document) })),
    ...waiting.map((target) => ({ target, ...madeFacts(target, made) })),
  ].map((facts) => {
    const { target } = facts
    const own = revisions.filter((revision) => revision.target === target && revision.cancelledAt === null)
    const begun = own.filter(({ effectiveAt, role }) => Date.parse(effectiveAt) <= now && role === '')
    const [newest, released] = [begun[0], begun.find(({ stage }) => stage === 'all')]
    const scheduled = own.find(({ effectiveAt }) => Date.parse(effectiveAt) > now)
    const orphans = [...composed.outcomes].flatMap(([overlay, outcomes]) => (overlay.target === target ? outcomes : []))
    return {
      ...facts,
      made: !composed.bases.has(target),
      ...(released && released.changes.length > 0
        ? { released: { number: released.number, by: released.by, at: released.at, changes: released.changes.length } }
        : {}),
      ...(newest?.stage === 'gray' ? { gray: { number: newest.number, by: newest.by, at: newest.at } } : {}),
      ...(scheduled ? { scheduled: { at: scheduled.effectiveAt } } : {}),
      drafts: drafts
        .filter((draft) => draft.target === target)
        .map(({ role, by, at, origin }) => ({ role: role === '' ? null : role, by, at, origin })),
      variants: [...new Set(own.map(({ role }) => role).filter((role) => role !== ''))],
      unused: unused.filter(({ overlay }) => overlay.target === target).reduce((sum, { changes }) => sum + changes.length, 0),
      orphans: known.has(target) ? orphans.filter((outcome) => outcome === 'orphaned').length : 0,
      faults: faults.get(target.slice('page:'.length)) ?? 0,
    }
  })
}

/** What a document is called, also when only a draft has it. */
export function titleOf(live: LiveSchemas, target: string, drafts: readonly Draft[]): BilingualText {
  const known = live.snapshot(false).composed.documents.find((document) => targetOf(document) === target)
  return known ? factsOf(known).title : madeFacts(target, drafts).title
}

function factsOf({ type, value }: AcceptedSource) {
  if (type === 'page') {
    const page = value as PageDocument
    return {
      kind: type,
      pageKind: page.kind,
      title: page.title,
      ...(page.path === undefined ? {} : { path: page.path }),
      ...('entity' in page && page.entity !== undefined ? { entity: page.entity } : {}),
    }
  }
  const { name, label, title } = value as { name: string; label?: BilingualText; title?: BilingualText }
  const entity = type === 'entity' ? { entity: (value as EntityDocument).name } : {}
  return { kind: type, title: label ?? title ?? { zh: name, en: name }, ...entity }
}

const isBilingual = (title: unknown): title is BilingualText =>
  isObject(title) && typeof title.zh === 'string' && typeof title.en === 'string'

/** A document that only a draft has yet. */
function madeFacts(target: string, drafts: readonly { target: string; changes: readonly unknown[] }[]) {
  const parsed = parseTarget(target)
  const first = drafts.find((draft) => draft.target === target)?.changes[0] as { set?: unknown } | undefined
  const document = first?.set
  const unnamed = { zh: target, en: target }
  if (!parsed || !isObject(document)) return { kind: parsed?.kind ?? ('page' as const), title: unnamed }
  const facts = factsOf({ type: parsed.kind, where: target, value: document })
  // whoever writes a draft as text may have taken its title out
  return isBilingual(facts.title) ? facts : { ...facts, title: unnamed }
}
