import { diagnose, pointer } from '../diagnosis'
import type { Problem } from '../problem'
import type { AcceptedDocument } from './accepted'
import { makeCatalog, type Catalog, type ValidationContext } from './catalog'
import { Checker } from './checker'
import { findConflicts } from './conflicts'
import { checkDocumentCost } from './cost'
import type { SourceDocument } from './documents'
import { checkEntity } from './entity'
import { checkModule } from './module'
import { checkPage } from './page'
import { readDocument } from './read'
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
  const accepted: AcceptedDocument[] = []
  const faulty: string[] = []
  for (const source of sources) {
    const result = guarded(source.where, () => accept(source))
    problems.push(...result.problems)
    if (result.document) accepted.push(result.document)
    else faulty.push(...namesOf(source))
  }
  const catalog = makeCatalog(accepted, context, new Set(faulty))
  problems.push(...findConflicts([...(context.known ?? []), ...accepted]))
  for (const document of accepted)
    problems.push(...guarded(document.where, () => ({ problems: crossCheck(document, catalog) })).problems)
  return { problems: inOrder(problems), accepted }
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
}

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

function accept(source: SourceDocument): Result {
  const read = readDocument(source)
  if (!read.ok) return { problems: [read.problem] }
  const problems = [...checkShape(source.type, read.value, source.where), ...checkCalls(source, read.value)]
  if (problems.length > 0) return { problems }
  const { where, type, name } = source
  return {
    problems: [],
    document: {
      type,
      where,
      ...(name === undefined ? {} : { name }),
      value: read.value,
      characters: read.characters,
    } as AcceptedDocument,
  }
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
  checkDocumentCost(checker, document.value, document.characters)
  if (document.type === 'entity') checkEntity(checker, document.value)
  if (document.type === 'page') checkPage(checker, document.value)
  if (document.type === 'module') checkModule(checker, document.value)
  if (document.type === 'dictionary')
    checker.unique(
      document.value.items.map(({ code }) => code),
      '/items',
      'code',
    )
  return checker.problems
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const collator = new Intl.Collator('en', { numeric: true })
  return [...problems].sort((a, b) => collator.compare(a.where, b.where) || collator.compare(a.at, b.at))
}
