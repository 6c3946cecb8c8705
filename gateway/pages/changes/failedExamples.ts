import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { Difference } from '../../../src/schema/overlay'
import type { BilingualText } from '../../../src/schema/problem'
import type { EntityEngine, FailedExample } from '../../entities'
import type { Overlay } from './compose'
import type { Snapshot } from './live'
import { parseTarget } from './target'

export type RunExamples = EntityEngine['runExamples']

/**
 * Examples that do not hold with these drafts, as risks of the entities that they stand in: those of the entities that the drafts
 * change, and of others that speak of one. `before` the database has what the drafts need, an example that meets something that is
 * not there yet says nothing; once that is `prepared` it does.
 */
export async function failedExamples(
  snapshot: Snapshot,
  drafts: readonly Overlay[],
  run: RunExamples,
  when: 'before' | 'prepared',
): Promise<(Difference & { target: string; role: string })[]> {
  const changed = drafts.flatMap(({ target }) => {
    const parsed = parseTarget(target)
    return parsed?.kind === 'entity' ? [parsed.name] : []
  })
  const speaks = ({ name, 'x-tests': examples = [] }: EntityDocument): boolean =>
    examples.length > 0 && changed.some((one) => one === name || JSON.stringify(examples).includes(`"${one}"`))
  const concerned = changed.length === 0 ? [] : snapshot.entities.filter(speaks)
  if (concerned.length === 0) return []
  const failed = await run(
    concerned.map(({ name }) => name),
    snapshot.entities,
  )
  return failed
    .filter(({ missing }) => when === 'prepared' || !missing)
    .map((one) => {
      const { entity, example, at } = one
      return {
        ...{ id: `example ${example} ${at}`, at, target: `entity:${entity}`, role: '' },
        ...{ kind: 'changed', risk: true, text: tell(one, snapshot.entity(entity)) },
      }
    })
}

function tell(
  { entity, example, at, expected, actual, refusal }: FailedExample,
  document: EntityDocument | undefined,
): BilingualText {
  const of = document?.label ?? { zh: entity, en: entity }
  const label = document?.['x-tests']?.find(({ id }) => id === example)?.label ?? { zh: example, en: example }
  const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
  const came = refusal ?? { zh: say(actual), en: say(actual) }
  const isRefusal = at.endsWith('/refused')
  const found = isRefusal && actual === null ? { zh: '可以完成', en: 'it goes through' } : came
  const wanted = isRefusal
    ? { zh: `因“${say(expected)}”被拒绝`, en: `to be refused by "${say(expected)}"` }
    : refusal
      ? { zh: '能完成', en: 'to go through' }
      : { zh: `为 ${say(expected)}`, en: say(expected) }
  return {
    zh: `${of.zh}（${entity}）的示例“${label.zh}”（${example}）不再成立（${at}）：应${wanted.zh}，实际：${found.zh}`,
    en: `The example "${label.en}" (${example}) of ${of.en} (${entity}) does not hold any more (${at}): expected ${wanted.en}, found: ${found.en}`,
  }
}
