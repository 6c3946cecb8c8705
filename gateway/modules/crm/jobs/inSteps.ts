import type { Entities, EntityEngine } from '../../../entities'
import { systemContext } from '../../../platform/http'

type Step<Row> = (entities: Entities) => Promise<readonly Row[]>

/**
 * Repeats a step until it finds nothing more, each in a short transaction of its own. Dry: all in one transaction that is undone,
 * so a dry run shows exactly what a real one would do. Answers what the steps answered.
 */
export async function inSteps<Row>(
  engine: EntityEngine,
  { now, dry }: { now: Date; dry: boolean },
  step: Step<Row>,
): Promise<Row[]> {
  const context = systemContext({ now })
  const all: Row[] = []
  const next = async (entities: Entities): Promise<boolean> => {
    const rows = await step(entities)
    all.push(...rows)
    return rows.length > 0
  }
  if (!dry) {
    while (await engine.transaction(context, next));
    return all
  }
  const undone = new Error('A dry run is undone.')
  await engine
    .transaction(context, async (entities) => {
      while (await next(entities));
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return all
}
