import type { PageBundle } from '../../../headless/host'
import { allWidgets, checkProps, findWidget } from '../../../runtime/widget'
import type { JsonObject } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import { readDocuments, type ValidationContext } from '../../../schema/validate'
import type { TargetKind } from '../types'

type Known = NonNullable<ValidationContext['known']>

const knownOf = (bundle: PageBundle | null): Known =>
  bundle === null
    ? []
    : [
        ...Object.values(bundle.entities).map((value) => ({
          type: 'entity' as const,
          where: `entity:${value.name}`,
          value,
          characters: 0,
        })),
        ...Object.values(bundle.dictionaries).map((value) => ({
          type: 'dictionary' as const,
          where: `dictionary:${value.name}`,
          value,
          characters: 0,
        })),
      ]

/** Names that a browser can only look up when they came with the page. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'unknown-entity',
  'unknown-dictionary',
  'unknown-page',
  'unknown-view',
  'unknown-service',
])

/** Everything that is wrong with one document, as far as a browser can know: routes, calls and other pages are the gateway's part. */
export const checkDocument = (
  kind: TargetKind,
  target: string,
  document: JsonObject,
  bundle: PageBundle | null,
): readonly Problem[] =>
  readDocuments([{ where: target, type: kind, name: target.slice(target.indexOf(':') + 1), value: document }], {
    partial: true,
    known: knownOf(bundle),
    widgets: new Set(allWidgets().map(({ name }) => name)),
    checkWidgetProps: (name, props) => {
      const widget = findWidget(name)
      return widget ? checkProps(widget.props, props).map(({ at, message }) => ({ at: at === '/' ? '' : at, message })) : []
    },
  }).problems.filter(({ code }) => bundle !== null || !ELSEWHERE.has(code))
