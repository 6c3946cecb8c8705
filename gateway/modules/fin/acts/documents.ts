import type { EntityName, EntityRecord, RecordOf, Verb } from '../../../entities'
import { Given, type FinContext } from '../facts'

/** The application that an effect belongs to: it makes the keys of its postings, so that an effect that is tried again posts once. */
export interface Application {
  instanceId: string
  instanceCode: string
}

export const applicationOf = (given: Given): Application => ({
  instanceId: given.needed('instanceId'),
  instanceCode: given.text('instanceCode') || given.needed('instanceId'),
})

/** What a verb answers: the document that it made. */
export interface Made {
  id: string
  code: string | null
  postingId: string | null
  /** What was moved, where only the ledger knows it. */
  amount?: string
}

const made = (record: EntityRecord): Made => ({
  id: String(record.id),
  code: record.code === undefined || record.code === null ? null : (record.code as string),
  postingId: (record.postingId as string | null | undefined) ?? null,
  ...(typeof record.amount === 'string' ? { amount: record.amount } : {}),
})

/** The document that an application has made before. */
export async function documentOf<Entity extends EntityName>(
  { entities }: FinContext,
  entity: Entity,
  { instanceId }: Application,
): Promise<RecordOf<Entity> | null> {
  const [known] = await entities.list(entity, { where: [{ field: 'instanceId', operator: 'eq', value: instanceId }], limit: 1 })
  return known ?? null
}

/** A verb whose runs are done one after the other: each is one business act of an application. */
export const oneByOne =
  (work: (fin: FinContext, given: Given) => Promise<EntityRecord | null>): Verb =>
  async (fin, runs) => {
    const answers: (Made | null)[] = []
    for (const run of runs) {
      const record = await work(fin, new Given(fin.effect.do, run.with))
      answers.push(record && made(record))
    }
    return answers
  }

/** A verb that answers what its effects read, one run after the other. */
export const answering =
  <Answer>(work: (fin: FinContext, given: Given) => Promise<Answer>): Verb =>
  async (fin, runs) => {
    const answers: Answer[] = []
    for (const run of runs) answers.push(await work(fin, new Given(fin.effect.do, run.with)))
    return answers
  }

/** A verb that does its runs at once, and answers a document for each. */
export const together =
  (work: (fin: FinContext, given: readonly Given[]) => Promise<readonly EntityRecord[]>): Verb =>
  async (fin, runs) => {
    const records = await work(
      fin,
      runs.map((run) => new Given(fin.effect.do, run.with)),
    )
    return records.map(made)
  }
