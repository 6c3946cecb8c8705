import type { Effect } from '../../../src/schema/generated/entity'
import { ExpressionError } from '../../../src/schema/expression'
import { ServiceError } from '../../platform/http'
import type { WriteContext, Written } from '../core'
import { failedRefusal } from '../refusalTexts'
import { causedBy } from './cause'
import { runEffects } from './run'
import { subjectOf } from './subject'

/** A `set` without `on` changes the record itself. */
const isOwn = ({ do: verb, on }: Effect): boolean => verb === 'set' && !on

/** Sets what saves set of the records themselves (`x-effects`), before they are checked and written; for all at once. */
export async function setOwn(write: WriteContext, decided: readonly Written[]): Promise<void> {
  await doEffects(write, decided, isOwn)
}

/** What saves and deletions do besides, once the records are written; for all at once. */
export async function doSaved(write: WriteContext, written: readonly Written[]): Promise<void> {
  await doEffects(write, written, (effect) => !isOwn(effect))
}

const deedOf = ({ before, after }: Written): 'create' | 'change' | 'delete' =>
  before === null ? 'create' : after.deletedAt ? 'delete' : 'change'

async function doEffects(write: WriteContext, records: readonly Written[], which: (effect: Effect) => boolean): Promise<void> {
  const words = write.model.document['x-effects']
  if (!words) return
  for (const word of ['create', 'change', 'delete'] as const) {
    const effects = words[word]?.filter(which) ?? []
    const subjects = records.filter((written) => deedOf(written) === word).map(({ before, after }) => subjectOf(after, before))
    if (subjects.length === 0 || effects.length === 0) continue
    const ids = subjects.map(({ record }) => String(record.id))
    const causeOf = ({ id }: Effect): WriteContext => ({
      ...write,
      context: causedBy(write.context, { entity: write.model.name, ids, transition: word, effect: id }),
    })
    try {
      await runEffects(write, subjects, effects, causeOf)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const { message } = error.problem
      throw new ServiceError('validationFailed', {
        message: failedRefusal({ zh: '保存时的动作', en: 'An effect of saving' }, message),
        data: { errors: [] },
      })
    }
  }
}
