import { newId } from '../../platform/database'
import { ServiceError, systemContext, type RequestContext, type Text } from '../../platform/http'
import type { DuplicateHit } from '../../duplicates'
import type { DuplicatesAnswer, EntityRecord } from '../calls'
import type { Core, WriteContext } from '../core'
import { evaluate, evaluateText } from '../effects/subject'
import type { SaveHook } from '../types'
import type { ToldDuplicate } from '../entitiesApi'
import type { Duplicates } from './word'

export const told = ({ word }: Duplicates, { facts, ...hit }: DuplicateHit): ToldDuplicate => ({
  ...hit,
  ...Object.fromEntries((word.tell ?? []).map((name) => [name, facts[name]])),
})

/** A check that found something. */
interface Found {
  hits: readonly DuplicateHit[]
  /** What was checked, to be written down. */
  input: EntityRecord
  reason: unknown
  /** Whoever is refused may appeal. */
  appeal: boolean
}

/** Refuses what is blocked, and what is only alike without a reason; writes the check down either way. */
export async function decide(core: Core, hook: SaveHook, duplicates: Duplicates, found: Found): Promise<void> {
  const { tx, context } = hook
  const { word } = duplicates
  const { hits, input, appeal } = found
  const blocked = hits.some((hit) => hit.decision === 'block')
  const reason = typeof found.reason === 'string' ? found.reason.trim() : ''
  const all = hits.map((hit) => told(duplicates, hit))
  const log = (decision: string): void => {
    if (word.log !== undefined) writeDown(core, context, word.log, { input, hits: all, decision, appealNote: reason || null })
  }
  if (!blocked && reason !== '') return void tx.afterCommit(() => log('warnedSaved'))
  log(blocked ? 'blocked' : 'abandoned')
  const { message, ...data } = await inWords({ core, tx, context, model: duplicates.model }, duplicates, hits)
  throw new ServiceError('duplicateRecord', {
    message,
    data: { ...data, ...(blocked && appeal && word.appeal !== undefined ? { appeal: word.appeal } : {}) },
  })
}

/** What a check found, as it may be told to the caller: his own records with a link. */
async function inWords(write: WriteContext, duplicates: Duplicates, hits: readonly DuplicateHit[]) {
  const blocked = hits.some((hit) => hit.decision === 'block')
  const links = hits.map((hit) => (hit.facts.ownerId === write.context.user.staffId ? linkOf(write, duplicates, hit) : null))
  const mine = links[0] != null
  return {
    message: blocked ? await blockedBy(write, duplicates, hits[0]!, mine) : alike(duplicates, hits[0]!, mine),
    decision: blocked ? ('block' as const) : ('warn' as const),
    hits: hits.map((hit, index) => ({
      ...told(duplicates, hit),
      ...(links[index] == null ? {} : { link: links[index] }),
    })),
  }
}

/** What a check that was asked for before a save found, written down like one of a save. */
export async function answer(
  write: WriteContext,
  duplicates: Duplicates,
  { hits, input }: Pick<Found, 'hits' | 'input'>,
): Promise<DuplicatesAnswer> {
  const { core, context } = write
  const { message, ...data } = await inWords(write, duplicates, hits)
  const decision = data.decision === 'block' ? 'blocked' : 'abandoned'
  if (duplicates.word.log !== undefined)
    writeDown(core, context, duplicates.word.log, {
      ...{ input, decision, appealNote: null },
      hits: hits.map((hit) => told(duplicates, hit)),
    })
  return { ...data, message: context.locale === 'zh' ? message.zh : message.en }
}

/** Where the caller opens a record of his own that stands in the way. */
function linkOf(write: WriteContext, { word, model }: Duplicates, hit: DuplicateHit): string | null {
  const link = evaluate(write, word.link, write.core.registry.expressionScope(write.context, model, recordOf(word, hit)))
  return typeof link === 'string' && link !== '' ? link : null
}

const recordOf = ({ name, code }: Duplicates['word'], hit: DuplicateHit): EntityRecord => ({
  ...hit.facts,
  id: hit.id,
  [name]: hit.name,
  ...(code === undefined ? {} : { [code]: hit.code }),
})

/** Writes a check down outside the running transaction, which a refusal rolls back. */
function writeDown(core: Core, context: RequestContext, entity: string, values: EntityRecord): void {
  const separate = { ...systemContext({ now: context.now, traceId: context.traceId }), user: context.user }
  const row = { id: newId(), checkedById: context.user.staffId || null, at: context.now.toISOString(), ...values }
  core.database
    .transaction((tx) => core.entities(tx, separate).insertMany(entity, [row]))
    .catch((error: unknown) => core.onError(error, 'a duplicate check could not be written down'))
}

const named = (hit: DuplicateHit): string => (hit.code == null ? hit.name : `${hit.name} (${hit.code})`)

async function blockedBy(write: WriteContext, duplicates: Duplicates, hit: DuplicateHit, mine: boolean): Promise<Text> {
  const { label } = duplicates.model
  const hint = mine ? own(label) : await hintOf(write, duplicates, hit)
  return {
    zh: `${label.zh}已存在：${named(hit)}。${hint?.zh ?? ''}`,
    en: `This ${label.en.toLowerCase()} exists already: ${named(hit)}.${hint ? ` ${hint.en}` : ''}`,
  }
}

/** What whoever is refused can do. */
async function hintOf(write: WriteContext, { word, model }: Duplicates, hit: DuplicateHit): Promise<Text | undefined> {
  const scope = write.core.registry.expressionScope(write.context, model, recordOf(word, hit))
  const hint = word.hints?.find(({ when }) => Boolean(evaluate(write, when, scope)))
  if (hint) return evaluateText(write, hint.message, scope)
  if (model.scope.kind !== 'owned') return undefined
  const id = hit.facts.ownerDeptId
  const department = typeof id === 'string' ? await write.core.entities(write.tx, write.context).find('sys.department', id) : null
  const name = (value: unknown): string => (typeof value === 'string' ? value : '')
  return department
    ? {
        zh: `请联系其所属部门：${name(department.name)}。`,
        en: `Please ask the department that has it: ${name(department.nameEn) || name(department.name)}.`,
      }
    : { zh: '请联系其所属部门。', en: 'Please ask the department that has it.' }
}

const own = (label: Text): Text => ({ zh: `它就是您自己的${label.zh}，请直接打开。`, en: 'It is your own: open it instead.' })

function alike({ model: { label } }: Duplicates, hit: DuplicateHit, mine: boolean): Text {
  const whose = { zh: mine ? `您自己的${label.zh}` : '', en: mine ? `your own ${label.en.toLowerCase()} ` : '' }
  return {
    zh: `可能与${whose.zh} ${named(hit)} 重复。若确认不是同一${label.zh}，请写明原因后保存。`,
    en: `It may be a duplicate of ${whose.en}${named(hit)}. If it is another ${label.en.toLowerCase()}, say why and save again.`,
  }
}

/** @throws ServiceError 10010007 */
export function refuseRestored({ model: { label } }: Duplicates, hit: DuplicateHit): never {
  throw new ServiceError('transitionRefused', {
    message: {
      zh: `它现在已是另一${label.zh}：${named(hit)}，不能再恢复。请继续使用那个${label.zh}。`,
      en: `The same ${label.en.toLowerCase()} stands as another record now: ${named(hit)}. It cannot come back; go on with that one.`,
    },
    data: { transition: 'restore' },
  })
}
