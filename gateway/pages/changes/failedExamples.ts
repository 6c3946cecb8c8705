import { diagnose } from '../../../src/schema/diagnosis'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { Problem } from '../../../src/schema/problem'
import type { EntityEngine } from '../../entities'
import type { Overlay } from './compose'
import type { Snapshot } from './live'
import { parseTarget } from './target'

export type RunExamples = EntityEngine['runExamples']

/**
 * Examples that do not hold with these drafts: those of the entities that they change, and of others that speak of one. `before` the
 * database has what the drafts need, an example that meets something that is not there yet says nothing; once that is `prepared` it does.
 */
export async function failedExamples(
  snapshot: Snapshot,
  drafts: readonly Overlay[],
  run: RunExamples,
  when: 'before' | 'prepared',
): Promise<Problem[]> {
  const changed = drafts.flatMap(({ target }) => {
    const parsed = parseTarget(target)
    return parsed?.kind === 'entity' ? [parsed.name] : []
  })
  const speaks = ({ name, 'x-tests': examples = [] }: EntityDocument): boolean =>
    examples.length > 0 && changed.some((one) => one === name || JSON.stringify(examples).includes(`"${one}"`))
  const concerned = changed.length === 0 ? [] : snapshot.entities.filter(speaks)
  if (concerned.length === 0) return []
  const failed = await run(concerned.map(({ name }) => name), snapshot.entities) // prettier-ignore
  return failed
    .filter(({ missing }) => when === 'prepared' || !missing)
    .map(({ entity, example, at, expected, actual }) => {
      const label = snapshot.entity(entity)?.label ?? { zh: entity, en: entity }
      const [wanted, found] = [say(expected), say(actual)]
      return diagnose(
        'invalid-shape',
        { where: `entity:${entity}`, at },
        {
          zh: `${label.zh}（${entity}）的示例“${example}”不成立（${at}）：应为 ${wanted}，实为 ${found}。`,
          en: `The example "${example}" of ${label.en} (${entity}) does not hold (${at}): expected ${wanted}, found ${found}.`,
        },
      )
    })
}

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
