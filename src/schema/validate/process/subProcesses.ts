import { pointer } from '../../diagnosis'
import type { ProcessDocument } from '../../generated/process'
import { placesOf, walkNodes } from '../../process'
import type { Checker } from '../checker'
import type { RuleCheck } from '../rules'

/** Processes that a process starts: they are there, take what is given to them, and do not lead back to it. */
export function checkSubProcesses(checker: Checker, process: ProcessDocument, rules: RuleCheck): void {
  const { processes, faulty } = checker.catalog
  for (const { node, at } of placesOf(process)) {
    if (node.kind !== 'subProcess' || node.process === undefined) continue
    const here = pointer(at, 'process')
    const found = node.process === process.name ? process : processes.get(node.process)
    for (const [name, value] of Object.entries(node.values ?? {})) {
      if (found)
        checker.field(new Map(Object.entries(found.form.fields)), name, pointer(at, 'values', name), `form.${found.name}`)
      rules.reads(value, pointer(at, 'values', name))
    }
    if (!found) {
      if (!faulty.has(node.process))
        checker.add(
          'unknown-process',
          here,
          { zh: `没有流程“${node.process}”。`, en: `There is no process "${node.process}".` },
          { value: node.process, known: processes.keys() },
        )
      continue
    }
    const circle = circleFrom(process, found, processes)
    if (circle)
      checker.add('process-cycle', here, {
        zh: `流程互相启动，没有尽头：${circle.join(' → ')}。`,
        en: `These processes start one another without end: ${circle.join(' → ')}.`,
      })
  }
}

/** The way from a process back to it, by the processes that they start. */
function circleFrom(
  process: ProcessDocument,
  first: ProcessDocument,
  processes: ReadonlyMap<string, ProcessDocument>,
): string[] | undefined {
  const seen = new Set<string>()
  const visit = (at: ProcessDocument, path: readonly string[]): string[] | undefined => {
    if (at.name === process.name) return [...path, at.name]
    if (seen.has(at.name)) return undefined
    seen.add(at.name)
    for (const node of walkNodes(at)) {
      const next = node.kind === 'subProcess' && node.process !== undefined ? processes.get(node.process) : undefined
      const found = next && visit(node.process === process.name ? process : next, [...path, at.name])
      if (found) return found
    }
    return undefined
  }
  return visit(first, [process.name])
}
