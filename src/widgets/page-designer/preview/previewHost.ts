import { CODES } from '../../../headless/failure'
import { RequestError, type Host, type HostRequest } from '../../../headless/host'
import { entityPath } from '../../../schema/entity/fields'
import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { EntityDocument } from '../../../schema/generated/entity'
import { isObject, type JsonObject } from '../../../schema/overlay'
import { diagnose, type ProblemLocation } from '../../../schema/diagnosis'
import { ExpressionError } from '../../../schema/expression'
import type { Locale, Problem } from '../../../schema/problem'
import { designerTexts } from '../texts'
import type { Viewer } from '../types'
import { SAMPLE_ID, sampleAnswer } from './sample'

export interface PreviewOptions {
  locale: Locale
  theme: Host['theme']
  device: Host['device']
  /** As whom the page is looked at; null: as oneself. */
  viewer: Viewer | null
  entities: Readonly<Record<string, EntityDocument>>
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  /** The admin may not read the data: examples stand in their place. */
  onSample(): void
  /** The page wants to show another address of its own. */
  onAddress(address: string): void
  path: string
  /** Told of what of the page could not be drawn. */
  onFault?: ((fault: Problem) => void) | undefined
}

const KEPT = 60_000
const MOST_KEPT = 200
/** What expressions of an approval form read of records; what has not been published yet has none. */
const FACTS = '/v2/workflow/form/facts'
const READS =
  /\/(?:queryPage|query|count|counts|statistics|neighbours|select|options|suggest|get|get\/\w+|list|preview|check|funnel|accounts|overview|facts)$/

/** A Host for the preview: real data, the rights and language that were chosen, and nothing is ever saved. */
export const previewHost = (real: Host, options: PreviewOptions): Host => {
  const answers = new Map<string, { at: number; answer: Promise<unknown> }>()
  const held = options.viewer && new Set(options.viewer.permissions)
  const texts = designerTexts[options.locale]
  const blind = blindFields(options)
  const sampled = (path: string): unknown =>
    sampleAnswer(path, options.entities, options.dictionaries, options.locale, real.now())
  const read = async (request: HostRequest): Promise<unknown> => {
    try {
      return without(await real.request<unknown>(request), request.path, blind)
    } catch (error) {
      if (request.path === FACTS && error instanceof RequestError) return { facts: {} }
      const sample = isDenied(error) || request.path.endsWith(`/${SAMPLE_ID}`) ? sampled(request.path) : undefined
      if (sample === undefined) throw error
      options.onSample()
      return without(sample, request.path, blind)
    }
  }
  return {
    ...real,
    locale: options.locale,
    theme: options.theme,
    device: options.device,
    preview: true,
    can: held ? (key) => held.has(key) : real.can,
    async request<T>(request: HostRequest): Promise<T> {
      if (request.method !== 'GET' && !READS.test(request.path)) throw new RequestError('business', texts.previewOnly)
      const { signal: _, ...question } = request
      const key = JSON.stringify(question)
      const known = answers.get(key)
      // Every edit draws the page anew: the same question is asked once.
      if (known && Date.now() - known.at < KEPT) return known.answer as Promise<T>
      const answer = read(question)
      if (answers.size >= MOST_KEPT) answers.clear()
      answers.set(key, { at: Date.now(), answer })
      answer.catch(() => answers.delete(key))
      return answer as Promise<T>
    },
    exportFile: () => Promise.reject(new RequestError('business', texts.previewOnly)),
    navigate(address) {
      if (address.replace(/[?#].*$/s, '') === options.path) options.onAddress(address)
      else real.notify('info', texts.opens(address))
    },
    closePage: () => undefined,
    canOpen: () => true,
    preference: () => Promise.resolve(null),
    savePreference: () => Promise.resolve(),
    local: { get: () => null, set: () => false, remove: () => undefined },
    drafts: { get: () => null, set: () => Promise.resolve(false), remove: () => undefined, forget: () => undefined },
    schemaChanges: undefined,
    setUnsaved: () => undefined,
    setTitle: () => undefined,
    watchDownload: () => undefined,
    // What is wrong while somebody types is told in the designer.
    report(error, { where, at, expression }) {
      // A value that an expression does not find lies in the data.
      const ofPage = typeof where === 'string' && typeof at === 'string' && expression === undefined
      if (ofPage && !(error instanceof RequestError)) options.onFault?.(faultOf(error, { where, at }))
    },
  }
}

const faultOf = (error: unknown, location: ProblemLocation): Problem => {
  const reason = error instanceof Error ? error.message : String(error)
  const { zh, en } = error instanceof ExpressionError ? error.problem.message : { zh: reason, en: reason }
  return diagnose('invalid-shape', location, { zh: `这一处无法显示：${zh}`, en: `This place cannot be drawn: ${en}` })
}

const isDenied = (error: unknown): boolean =>
  error instanceof RequestError && (error.code === CODES.noPermission || error.code === 403)

interface Blind {
  entity: string
  path: string
  rules: Readonly<Record<string, string>>
}

/** Fields that the chosen person may not see, by the calls of their entity. */
const blindFields = ({ viewer, entities }: PreviewOptions): readonly Blind[] =>
  Object.values(entities).flatMap((entity) => {
    const own = Object.entries(viewer?.fields ?? {}).filter(([key]) => key.startsWith(`${entity.name}.`))
    if (own.length === 0) return []
    const rules = Object.fromEntries(own.map(([key, rule]) => [key.slice(entity.name.length + 1), rule]))
    return [{ entity: entity.name, path: `${entityPath(entity)}/`, rules }]
  })

const MASKED = '***'

const seenBy = (record: unknown, { rules }: Blind): unknown =>
  isObject(record)
    ? Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) =>
          rules[name] === 'hide' ? [] : [[name, rules[name] === 'mask' && value !== null ? MASKED : value]],
        ),
      )
    : record

/** An answer without what the chosen person may not see: of its own records, and of those that they refer to. */
const without = (answer: unknown, path: string, blind: readonly Blind[]): unknown => {
  const own = blind.find((entry) => path.startsWith(entry.path))
  const seen = (record: unknown): unknown => (own ? seenBy(record, own) : record)
  if (Array.isArray(answer)) return answer.map(seen)
  if (!isObject(answer) || blind.length === 0) return answer
  return {
    ...answer,
    ...(Array.isArray(answer.records) ? { records: (answer.records as unknown[]).map(seen) } : {}),
    ...(isObject(answer.record) ? { record: seen(answer.record) } : {}),
    ...(isObject(answer.refs) ? { refs: withoutRefs(answer.refs, blind) } : {}),
  }
}

const withoutRefs = (refs: JsonObject, blind: readonly Blind[]): JsonObject =>
  Object.fromEntries(
    Object.entries(refs).map(([entity, titles]) => {
      const rules = blind.find((entry) => entry.entity === entity)
      if (!rules || !isObject(titles)) return [entity, titles]
      const told = ([id, ref]: [string, unknown]) =>
        isObject(ref) && isObject(ref.fields) ? [id, { ...ref, fields: seenBy(ref.fields, rules) }] : [id, ref]
      return [entity, Object.fromEntries(Object.entries(titles).map(told))]
    }),
  )
