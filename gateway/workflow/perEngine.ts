import type { ProcessDocument } from '../../src/schema/generated/process'
import type { EntityEngine } from '../entities'

/** Makes something of a version of a process once for each engine: documents outlive the gateway that read them first. */
export function perEngine<Made>(
  make: (engine: EntityEngine, process: ProcessDocument) => Made,
): (engine: EntityEngine, process: ProcessDocument) => Made {
  const known = new WeakMap<EntityEngine, WeakMap<ProcessDocument, Made>>()
  return (engine, process) => {
    const own = known.get(engine) ?? new WeakMap<ProcessDocument, Made>()
    known.set(engine, own)
    const before = own.get(process)
    if (before !== undefined) return before
    const made = make(engine, process)
    own.set(process, made)
    return made
  }
}
