import type { EntityRecord } from '../calls'
import type { WriteContext } from '../core'
import { nextNumbers } from './numbers'
import { NewRecords, type NewRecord } from './saveMany'

/** Makes many records of one entity at once, each checked as a save would. Answers them as they are stored. @throws the first refusal */
export async function createRecords(
  { core, tx, context, model }: WriteContext,
  values: readonly EntityRecord[],
): Promise<readonly EntityRecord[]> {
  const numbers: EntityRecord[] = values.map(() => ({}))
  for (const field of model.stored) {
    if (!field.sequence) continue
    const day = core.registry.dayOf(context.now)
    const wanted = values.flatMap((one, index) => ((one[field.name] ?? null) === null ? [index] : []))
    const given = await nextNumbers(tx, model, field, day, wanted.length)
    wanted.forEach((index, position) => (numbers[index]![field.name] = given[position]))
  }
  const records = new NewRecords(core, context, model, { origin: 'service' })
  const read = await records.read(values.map((one, index): NewRecord => ({ values: one, numbers: numbers[index]! })))
  const { refused, saved } = await records.save(tx, read)
  const [first] = refused.values()
  if (first) throw first
  return values.map((_, index) => saved.get(index)!)
}
