import type { EntityRecord } from '../calls'
import type { InputProblem } from '../errors'
import { OwnValues } from '../derive/own'
import { auditMany } from './audit'
import { chosenReferences, type ChosenReferences } from './check'
import { consequences } from './consequences'
import type { WriteContext } from '../core'
import { followFiles } from './files'
import { keepStates, updateRows } from './row'
import { checkDraft, followOwners } from './save'
import { trusted } from '../effects/cause'
import { askInvariants } from '../effects/invariants'
import { doSaved, setOwn } from '../effects/saved'

/** A stored record whose fields are decided. */
export interface DecidedRecord {
  before: EntityRecord
  record: EntityRecord
  /** Names of the fields that the caller gave. */
  given?: ReadonlySet<string>
  problems?: InputProblem[]
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Checks, writes and audits stored records whose fields are decided, in a number of statements that does not grow with them. Those that
 * do not differ are left. @throws ServiceError 10010005 with everything that is wrong with the first faulty one
 */
export async function finishMany(
  write: WriteContext,
  drafts: readonly DecidedRecord[],
  options: { action: 'update' | 'state'; reason?: string | ((draft: DecidedRecord) => string | undefined) },
): Promise<void> {
  const { core, tx, context, model } = write
  await followOwners(write, drafts)
  const own = new OwnValues(write)
  await own.refresh(drafts.map(({ before }) => before))
  await own.load(drafts.map(({ record }) => record))
  const chosen = await referencesOf(write, drafts)
  const decided = drafts.map((draft) => ({ ...draft, problems: draft.problems ?? [] }))
  for (const { before, record, problems } of decided) problems.push(...(await own.follow(before, record)))
  if (options.action === 'update') {
    await setOwn(
      write,
      drafts.map(({ before, record }) => ({ before, after: record })),
    )
    await followOwners(write, drafts)
    if (model.document['x-effects'])
      for (const { before, record, problems } of decided) problems.push(...(await own.follow(before, record)))
  }
  if (options.action === 'update') for (const { before, record } of decided) keepStates(model, before, record)
  const coded = await askInvariants(write, decided)
  const names = new Set<string>()
  const written: DecidedRecord[] = []
  for (const [index, draft] of drafts.entries()) {
    const { before, record, given = NOTHING } = draft
    const { problems } = decided[index]!
    const changed = await checkDraft({ core, tx, context, model }, { before, record, problems }, { given, ...chosen })
    const refused = coded.get(record)
    if (refused) throw refused
    if (changed.size === 0) continue
    // what only followed is no change of the record
    if ([...changed].some((name) => !model.fields.get(name)!.kept))
      Object.assign(record, {
        updatedAt: context.now.toISOString(),
        updatedBy: context.user.staffId === '' ? null : context.user.staffId,
        version: Number(before.version) + 1,
      })
    for (const name of changed) names.add(name)
    written.push(draft)
  }
  if (written.length < drafts.length && options.action === 'state') {
    // what its effects did elsewhere may lead a record on that does not differ itself
    const same = drafts.filter((draft) => !written.includes(draft))
    await core.takeAutomatic(
      write,
      same.map(({ before, record }) => ({ before, after: record })),
    )
  }
  if (written.length === 0) return
  await updateRows(
    tx,
    context.locale,
    model,
    [...new Set([...names, 'updatedAt', 'updatedBy', 'version'])],
    written.map(({ record }) => record),
  )
  for (const { before, record } of written) await followFiles({ core, tx, context, model }, before, record)
  const pairs = written.map(({ before, record }) => ({ before, after: record }))
  if (options.action === 'update') await doSaved(write, pairs)
  await consequences(write, pairs)
  const changed = written.filter(({ before, record }) => record.version !== before.version)
  const reasonOf = typeof options.reason === 'function' ? options.reason : () => options.reason as string | undefined
  await auditMany(core.registry, tx, context, model, {
    action: options.action,
    written: changed.map((draft) => ({ before: draft.before, after: draft.record, reason: reasonOf(draft) })),
  })
  tx.afterCommit(() => {
    for (const { record } of written) core.references.forget(model.name, String(record.id))
  })
}

/** Changes locked rows, each to its own values, with all checks, history and what follows. */
export async function changeRecords(write: WriteContext, changes: ReadonlyMap<EntityRecord, EntityRecord>): Promise<void> {
  const drafts = [...changes].map(([before, values]) => ({ before, record: { ...before, ...values } }))
  await finishMany(write, drafts, { action: 'update' })
}

/** References that are new, asked for at once: those that the caller gave within his reach, those of the portal wherever they are. */
async function referencesOf(
  { core, tx, context, model }: WriteContext,
  drafts: readonly DecidedRecord[],
): Promise<{ chosen: ChosenReferences; existing: ChosenReferences }> {
  const changed = ({ before, record, given = NOTHING }: DecidedRecord, byCaller: boolean): ReadonlySet<string> =>
    new Set(
      model.stored.filter(({ name }) => given.has(name) === byCaller && record[name] !== before[name]).map(({ name }) => name),
    )
  const asked = (byCaller: boolean) => drafts.map((draft) => ({ record: draft.record, given: changed(draft, byCaller) }))
  const reading = { registry: core.registry, db: tx, model }
  return {
    chosen: await chosenReferences({ ...reading, context }, asked(true)),
    existing: await chosenReferences({ ...reading, context: trusted(context) }, asked(false)),
  }
}
