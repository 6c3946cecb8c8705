import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import type { BilingualText } from '../../../src/schema/problem'
import type { EntityEngine } from '../../entities'
import { newId, type Transaction } from '../../platform/database'
import { ok, ServiceError, type RequestContext } from '../../platform/http'
import { staffName } from '../../staff'
import type { DictionaryBook, StoredChanges } from './book'
import { differences } from './differences'
import type { DictionaryChanges } from './merge'

/** What a change is about, and the version that the page showed. */
export interface ChangeTarget {
  dictionary: string
  version: number
}

interface ChangeParts {
  engine: EntityEngine
  book: DictionaryBook
  /** The released dictionary. @throws ServiceError when the caller may not change it */
  documentOf(dictionary: string, context: RequestContext, write: true): DictionaryDocument
}

type Step = (
  document: DictionaryDocument,
  changes: StoredChanges,
  tx: Transaction,
) => Promise<DictionaryChanges> | DictionaryChanges

/** One change: with the dictionary locked, checked against the version that the page showed, logged, told to all instances. */
export const changeWith =
  ({ engine, book, documentOf }: ChangeParts) =>
  async (
    context: RequestContext,
    { dictionary, version: shown }: ChangeTarget,
    step: Step,
    action: 'create' | 'update' | 'delete' = 'update',
  ) => {
    const document = documentOf(dictionary, context, true)
    const saved = await engine.transaction(context, async (entities, tx) => {
      const before = await book.lock(tx, dictionary)
      if (before.version !== shown) throw await stale(tx, before)
      const after = await step(document, before, tx)
      await book.write(tx, dictionary, after, context.user.staffId || null, context.now)
      await entities.insertMany('sys.auditLog', [
        {
          id: newId(),
          at: context.now.toISOString(),
          staffId: context.user.staffId || null,
          action,
          entity: 'sys.dictionary',
          recordId: dictionary.slice(0, 40),
          recordTitle: document.label[context.locale],
          recordVersion: before.version + 1,
          changes: differences(document, before, after),
          ip: context.ip || null,
          traceId: context.traceId.slice(0, 40),
        },
      ])
      return { dictionary, version: before.version + 1 }
    })
    await book.read()
    return ok(saved)
  }

async function stale(tx: Transaction, { version: now, updatedAt, updatedBy }: StoredChanges): Promise<ServiceError> {
  const { rows } = await tx.query<{ name: BilingualText }>(`select ${staffName('s')} as name from sys_staff s where id = $1`, [
    updatedBy,
  ])
  const by = rows[0]?.name
  return new ServiceError('stale', {
    message: {
      zh: `字典已被${by?.zh ?? '他人'}修改，请刷新后再改。`,
      en: `${by?.en ?? 'Somebody'} has changed this dictionary in between. Reload and change it again.`,
    },
    data: { version: now, changes: [], by: updatedBy, at: updatedAt },
  })
}
