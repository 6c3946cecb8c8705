import { diagnose, pointer } from '../diagnosis'
import type { Problem } from '../problem'
import { ownerOf, type AcceptedDocument } from './accepted'
import { inCells } from './cells'
import { makeCatalog, moduleOf, type Catalog, type ValidationContext } from './catalog'
import { Checker } from './checker'
import { findConflicts } from './conflicts'
import { BUDGETS, checkDocumentCost } from './cost'
import type { SourceDocument } from './documents'
import { checkEntity } from './entity'
import { checkListener, checkTemplate } from './messages'
import { checkPaper } from './papers'
import { checkModule } from './module'
import { checkPage } from './page'
import { partForProcesses } from './part'
import { readDocument, type ReadResult } from './read'
import { absenceIn, withoutAbsent } from './absent'
import { checkRoles } from './roles'
import { checkRuleSet } from './ruleSet'
import { withDefaultPages } from '../defaults'
import { isMadeOf, libraryOf, makeWhole, placeholdersIn, type Expanded, type Library } from '../feature'
import type { FeatureDocument } from '../generated/feature'
import { checkShape } from './shape'

export interface Validated {
  /** Everything found, in the order of files and places. */
  problems: readonly Problem[]
  /** Documents whose shape is right, in the present format. Their names may still be wrong: see the problems. */
  accepted: readonly AcceptedDocument[]
}

/** Reads, migrates and checks documents against the language and against each other. */
export const readDocuments = (sources: readonly SourceDocument[], context: ValidationContext = {}): Validated => {
  const problems: Problem[] = []
  let accepted: AcceptedDocument[] = []
  const faulty: string[] = []
  const expanded = new Map<string, Expanded>()
  const reads = new Map(sources.map((source) => [source, readDocument(source)]))
  const take = (source: SourceDocument, library: Library | null): void => {
    const result = guarded(source.where, () => accept(source, reads.get(source)!, library))
    problems.push(...result.problems)
    if (!result.document) {
      faulty.push(...namesOf(source))
      return
    }
    accepted.push(result.document)
    if (result.expanded) expanded.set(source.where, result.expanded)
  }
  const [first, rest] = [sources.filter(({ type }) => type === 'feature'), sources.filter(({ type }) => type !== 'feature')]
  for (const source of first) take(source, null)
  const written = rest.flatMap((source) => {
    const read = reads.get(source)
    return read?.ok ? [{ ...source, value: read.value }] : []
  })
  // a part of the portal comes whole
  const library = context.partial ? null : libraryOf([...(context.known ?? []), ...accepted, ...written])
  for (const source of rest) take(source, library)
  accepted = withoutAbsent(accepted, context.known ?? [])
  // what is checked against documents that are known has its default pages already
  if (!context.partial && !context.known) accepted = withDefaultPages(accepted)
  if (context.checked) return { problems: inOrder(problems), accepted }
  const catalog = makeCatalog(accepted, context, new Set(faulty))
  problems.push(...findConflicts([...(context.known ?? []), ...accepted]))
  const absence = absenceIn([...(context.known ?? []), ...accepted])
  // a key that an absent module gives is held by nobody: what asks for it stays closed
  const { permissions: _keys, ...others } = catalog
  const unkeyed: Catalog = { ...others, lacksModule: true }
  for (const document of accepted) {
    if (context.only && !context.only(document.where)) continue
    const names = absence.touches(ownerOf(document)) ? unkeyed : catalog
    problems.push(
      ...guarded(document.where, () => ({ problems: located(crossCheck(document, names), expanded.get(document.where)) }))
        .problems,
    )
  }
  return { problems: inOrder(problems.filter(({ where }) => context.only?.(where) ?? true)), accepted }
}

/** Every problem of the documents; empty when all is well. */
export const validateDocuments = (sources: readonly SourceDocument[], context?: ValidationContext): readonly Problem[] =>
  readDocuments(sources, context).problems

/** What a document that could not be read calls itself: it is there, whatever else is wrong with it. */
function namesOf({ name, value, text }: SourceDocument): string[] {
  if (name !== undefined) return [name]
  const given = typeof value === 'object' && value !== null ? (value as { name?: unknown }).name : undefined
  const own = given ?? /"name"\s*:\s*"([^"]{1,120})"/.exec(text ?? '')?.[1]
  return typeof own === 'string' ? [own] : []
}

interface Result {
  problems: Problem[]
  document?: AcceptedDocument
  /** Of a document that says what it is made of. */
  expanded?: Expanded
}

/** Kinds of documents that features make. */
const isMade = (type: SourceDocument['type']): type is NonNullable<FeatureDocument['for']> =>
  type === 'entity' || type === 'page' || type === 'rules'

/** A fault of the validator itself must not hide what it found elsewhere. */
function guarded(where: string, check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      problems: [
        diagnose(
          'invalid-shape',
          { where, at: '' },
          { zh: `文档无法检查：${reason}`, en: `The document cannot be checked: ${reason}` },
        ),
      ],
    }
  }
}

/** `library` null: what documents are made of is not at hand, they stay as they are. */
function accept(source: SourceDocument, read: ReadResult, library: Library | null): Result {
  if (!read.ok) return { problems: [read.problem] }
  const expanded =
    library && isMade(source.type) && isMadeOf(read.value) ? makeWhole(read.value, library, source.type) : undefined
  const uses = expanded ? wrongUses(expanded, source.where) : []
  const value = expanded?.document ?? read.value
  const problems = [...located(checkShape(source.type, value, source.where), expanded), ...checkCalls(source, value)]
  // what is missing because of a feature that is not there is not said again
  if (problems.length > 0) return { problems: uses.length > 0 ? uses : problems }
  const { where, type, name } = source
  return {
    problems: uses,
    document: {
      type,
      where,
      ...(name === undefined ? {} : { name }),
      value,
      characters: read.characters,
    } as AcceptedDocument,
    ...(expanded ? { expanded } : {}),
  }
}

const UNKNOWN = {
  feature: 'unknown-service',
  parameter: 'unknown-field',
  subject: 'unknown-entity',
  page: 'unknown-page',
  item: 'unknown-field',
} as const

const wrongUses = ({ problems }: Expanded, where: string): Problem[] =>
  problems.map(({ at, unknown, message, value, known }) =>
    diagnose(unknown === null ? 'field-kind-mismatch' : UNKNOWN[unknown], { where, at }, message, {
      ...(value === undefined ? {} : { value, known: known ?? [] }),
    }),
  )

/** Problems of a document where they are said: in its file, or in what it is made of, whose place the sentence names. */
function located(problems: readonly Problem[], expanded: Expanded | undefined): Problem[] {
  if (!expanded) return [...problems]
  return problems.flatMap((problem) => {
    const { at, by } = expanded.locate(problem.at)
    if (by === undefined) return { ...problem, at }
    // what follows from something wrong there is not said again
    if (expanded.problems.length > 0) return []
    const { zh, en } = problem.message
    const message = {
      zh: `${by.zh}（${problem.at}）：${zh}`,
      en: `${by.en} (${problem.at}): ${en}`,
    }
    return { ...problem, at, message }
  })
}

/** The list of calls has no meta-schema of its own. */
function checkCalls({ type, where }: SourceDocument, value: unknown): Problem[] {
  if (type !== 'calls') return []
  const calls: unknown = typeof value === 'object' && value !== null ? (value as { calls?: unknown }).calls : undefined
  if (!Array.isArray(calls)) {
    return [diagnose('invalid-shape', { where, at: '/calls' }, { zh: 'calls 须是列表。', en: 'calls must be a list.' })]
  }
  return (calls as unknown[]).flatMap((call, index) =>
    typeof call === 'string' && /^(?:GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(call)
      ? []
      : [
          diagnose(
            'invalid-shape',
            { where, at: pointer('/calls', index) },
            { zh: '调用形如 POST /v2/path。', en: 'A call looks like POST /v2/path.' },
            { value: call },
          ),
        ],
  )
}

function crossCheck(document: AcceptedDocument, catalog: Catalog): Problem[] {
  const checker = new Checker(document.where, catalog)
  const deepest = document.type === 'process' ? BUDGETS.processDepth : BUDGETS.depth
  checkDocumentCost(checker, document.value, document.characters, deepest)
  if (document.type === 'entity') checkEntity(checker, document.value)
  if (document.type === 'page') checkPage(checker, document.value)
  if (document.type === 'module') checkModule(checker, document.value)
  if (document.type === 'rules') checkRuleSet(checker, document.value)
  if (document.type === 'template') checkTemplate(checker, document.value)
  if (document.type === 'paper') checkPaper(checker, document.value)
  if (document.type === 'listener') checkListener(checker, { module: moduleOf(document.name), document: document.value })
  if (document.type === 'process') partForProcesses().check(checker, document.value, moduleOf(document.name))
  if (document.type === 'roles') checkRoles(checker, document.value)
  if (document.type === 'feature') checkFeature(checker, document.value)
  if (document.type === 'dictionary')
    checker.unique(
      document.value.items.map(({ code }) => code),
      '/items',
      'code',
    )
  const { type, value } = document
  if (type !== 'page') return checker.problems
  return checker.problems.map((problem) => ({ ...problem, at: inCells(value, problem.at, catalog.entities) }))
}

function checkFeature(checker: Checker, { name: feature, parameters, template }: FeatureDocument): void {
  const known = ['entity', ...Object.keys(parameters)]
  for (const { name, at } of placeholdersIn(template, '/template'))
    if (!known.includes(name))
      checker.add(
        'unknown-field',
        at,
        { zh: `功能“${feature}”没有参数“${name}”。`, en: `The feature "${feature}" has no parameter "${name}".` },
        { value: name, known },
      )
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const collator = new Intl.Collator('en', { numeric: true })
  return [...problems].sort((a, b) => collator.compare(a.where, b.where) || collator.compare(a.at, b.at))
}
