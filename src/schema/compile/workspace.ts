import { Compilation } from './context'
import { EntityReader } from './entityReader'

/** A compilation that also reads entities; what the compilers of the page kinds work with. */
export class Workspace extends Compilation {
  private readonly entities = new Map<string, EntityReader>()

  /** The entity, or a refusal of the block with what was probably meant. */
  entity(name: string, at: string): EntityReader {
    const known = this.entities.get(name)
    if (known) return known
    const document = this.entityIfKnown(name)
    if (!document) {
      return this.refuse(
        'unknown-entity',
        at,
        { zh: `没有名为“${name}”的实体。`, en: `There is no entity "${name}".` },
        { value: name, known: Object.keys(this.bundle.entities) },
      )
    }
    const reader = new EntityReader(this, document)
    this.entities.set(name, reader)
    return reader
  }
}
