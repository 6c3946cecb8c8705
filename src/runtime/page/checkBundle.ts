import { readDocuments, type ValidationContext } from '../../schema/validate'
import type { Problem } from '../../schema/problem'
import type { PageBundle } from '../../headless/host'
import { allWidgets, checkProps, findWidget } from '../widget'

type Known = NonNullable<ValidationContext['known']>

/** A bundle holds one page: the entities of its references came without the fields that it does not read. */
const knownOf = ({ entities, dictionaries }: PageBundle): Known => [
  ...Object.values(entities).map((value) => ({ type: 'entity' as const, where: `entity:${value.name}`, value, characters: 0 })),
  ...Object.values(dictionaries).map((value) => ({
    type: 'dictionary' as const,
    where: `dictionary:${value.name}`,
    value,
    characters: 0,
  })),
]

const checked = new Map<string, readonly Problem[]>()
const MOST_REMEMBERED = 100

/**
 * Everything that the validator of the language finds wrong with a loaded page; once a revision. Routes, calls, permission
 * keys and other pages are not checked: a browser does not hold the whole portal.
 */
export const checkBundle = (bundle: PageBundle): readonly Problem[] => {
  const key = `${bundle.where} ${bundle.revision}`
  const found = checked.get(key)
  if (found) return found
  const { problems } = readDocuments([{ where: bundle.where, type: 'page', name: bundle.page.name, value: bundle.page }], {
    partial: true,
    known: knownOf(bundle),
    widgets: new Set(allWidgets().map(({ name }) => name)),
    checkWidgetProps: (name, props) => {
      const widget = findWidget(name)
      return widget ? checkProps(widget.props, props).map(({ at, message }) => ({ at: at === '/' ? '' : at, message })) : []
    },
  })
  if (checked.size >= MOST_REMEMBERED) checked.clear()
  checked.set(key, problems)
  return problems
}

/** Words of a page whose entries are blocks of the screen; what is wrong elsewhere concerns developers only. */
const BLOCKS =
  /^\/(?:header|columns|filters|views|actions|rowActions|bulkActions|sections|tabs|schema|blocks|dimensions|measures|props|empty)(?:\/|$)/

/** Splits what was found into the errors of blocks, which people are shown, and the rest, which goes to the console. */
export const sortFindings = (
  found: readonly Problem[],
  told: readonly Problem[],
): { blocks: readonly Problem[]; others: readonly Problem[] } => {
  const key = ({ code, at }: Problem): string => `${code} ${at}`
  const already = new Set(told.map(key))
  const fresh = found.filter((problem) => !already.has(key(problem)))
  const concerns = ({ severity, at }: Problem): boolean => severity === 'error' && BLOCKS.test(at)
  return { blocks: fresh.filter(concerns), others: fresh.filter((problem) => !concerns(problem)) }
}
