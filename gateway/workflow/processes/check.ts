import type { ProcessDocument } from '../../../src/schema/generated/process'
import { walkNodes } from '../../../src/schema/process'
import { readDocuments } from '../../../src/schema/validate'
import { asAccepted } from '../../pages'
import type { Executor } from '../../platform/database'
import { ServiceError, type Locale, type Text } from '../../platform/http'
import { currentProcess } from '../definitions'
import type { WorkflowParts } from '../parts'

/** Something that is wrong with a process. */
export interface ProcessProblem {
  /** JSON pointer into the document. */
  pointer: string
  /** Code of the problem (docs/problems.md). */
  rule: string
  severity: 'error' | 'warning'
  text: Text
}

export type CheckProcess = (document: ProcessDocument) => Promise<ProcessProblem[]>

const whereOf = (code: string): string => `schemas/wf/processes/${code}.json`

/** Checks a process against everything that is in force, as a shipped one is checked. Sub-processes may be administrators' ones. */
export function checkerOf({ schemas, database }: Pick<WorkflowParts, 'schemas' | 'database'>): CheckProcess {
  return async (document) => {
    const name = String(document.name)
    const stored = await subProcesses(database, document)
    const taken = new Set([name, ...stored.map((one) => one.name)])
    const shipped = schemas.snapshot(false).composed.documents
    const known = shipped.filter(({ type, value }) => type !== 'process' || !taken.has((value as ProcessDocument).name))
    // a shipped one stays of its module, whose records its effects write
    const own = shipped.find(({ type, value }) => type === 'process' && (value as ProcessDocument).name === name)
    const where = own?.where ?? whereOf(name)
    const { problems } = readDocuments([{ where, type: 'process', name: own?.name ?? `wf/${name}`, value: document }], {
      known: [
        ...known,
        ...stored.map((value) => ({ type: 'process' as const, where: whereOf(value.name), name: `wf/${value.name}`, value })),
      ].map(asAccepted),
    })
    return problems
      .filter((problem) => problem.where === where)
      .map(({ at, code, severity, message }) => ({ pointer: at, rule: code, severity, text: message }))
  }
}

async function subProcesses(db: Executor, document: ProcessDocument): Promise<ProcessDocument[]> {
  if (!Array.isArray(document.nodes)) return []
  const named = new Set([...walkNodes(document)].flatMap(({ process }) => (typeof process === 'string' ? [process] : [])))
  const found = await Promise.all([...named].map((code) => currentProcess(db, { code })))
  return found.flatMap((process) => (process && process.code !== document.name ? [process.document] : []))
}

/** @throws ServiceError 10010005 with every error: what, where, why (money 7.6 `process/save`) */
export function refuseProblems(problems: readonly ProcessProblem[], locale: Locale, process?: Text): void {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (!first) return
  const of = process ? { zh: `流程「${process.zh}」`, en: `The process "${process.en}"` } : { zh: '流程', en: 'The process' }
  throw new ServiceError('validationFailed', {
    message: {
      zh: `${of.zh}有 ${errors.length} 处错误：${first.text.zh}`,
      en: `${of.en} has ${errors.length} error${errors.length === 1 ? '' : 's'}: ${first.text.en}`,
    },
    data: {
      errors: errors.map(({ pointer, rule, text }) => ({
        pointer,
        rule,
        text: text[locale],
        field: pointer,
        message: text[locale],
      })),
    },
  })
}
