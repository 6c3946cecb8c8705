import type { ProcessDocument } from '../generated/process'
import type { Checker } from './checker'
import type { Outline, ShapeValidator } from '../generated/validators'

/** What checks the shape of one kind, and which words it has. */
export interface Shape {
  validate: ShapeValidator
  outline: Outline
}

/** What the check of processes is made of. */
export interface ProcessPart {
  shape: Shape
  check(checker: Checker, process: ProcessDocument, module: string): void
}

let part: ProcessPart | undefined

/** Makes processes checkable: pages are looked at in browsers without all of that. `./process` does it when it is imported. */
export const provideProcesses = (given: ProcessPart): void => {
  part = given
}

/** @throws Error where a process is checked and nobody has imported `schema/validate/process` */
export const partForProcesses = (): ProcessPart => {
  if (!part) throw new Error('Processes are checked where "schema/validate/process" was imported.')
  return part
}
