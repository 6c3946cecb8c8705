import { accessOfRule, strictest, type FieldAccess } from '../entity/access'
import { computedNames } from '../entity/derived'
import { fieldModel } from '../entity/fieldModel'
import { allFields, entityPath } from '../entity/fields'
import { pointer } from '../diagnosis'
import { compileExpression, isExpression } from '../expression'
import { formatOf, inColumn, unitIn } from '../formats'
import type { EntityDocument, EntityField, Transition } from '../generated/entity'
import type { CallModel, Evaluate, FieldKind, PageField, QueryWhere, TransitionModel } from '../model'
import { leavesOf, queryOf } from '../where'
import type { Compilation } from './context'
import { makeOffer, type Offer } from './offer'
import { makeRefusal } from './refusal'

/** Kinds without an order of their own. */
const UNSORTABLE: ReadonlySet<FieldKind> = new Set([
  'text',
  'richText',
  'json',
  'file',
  'files',
  'strings',
  'refs',
  'dictionaries',
  'countries',
])

interface Defined {
  /** With those that never leave the gateway. */
  stored: ReadonlyMap<string, EntityField>
  definitions: ReadonlyMap<string, EntityField>
}
const defined = new WeakMap<EntityDocument, Defined>()

/** The fields of an entity: every page that reads it asks for them, and documents are never changed in place. */
function definedBy(document: EntityDocument): Defined {
  const known = defined.get(document)
  if (known) return known
  const stored = new Map(allFields(document).map(({ name, field }) => [name, field]))
  const made = { stored, definitions: new Map([...stored].filter(([, field]) => !field['x-internal'])) }
  defined.set(document, made)
  return made
}

export type Operation = 'add' | 'edit' | 'delete' | 'restore' | 'import' | 'export'

/** An entity as a page reads it: fields with everything about them, transitions, calls, what the viewer may do. */
export class EntityReader {
  readonly name: string
  readonly label: string
  /** Base path of its calls. */
  readonly path: string
  /** With those that never leave the gateway. */
  private readonly stored: ReadonlyMap<string, EntityField>
  private readonly definitions: ReadonlyMap<string, EntityField>
  private readonly models = new Map<string, PageField>()
  private readonly moves = new Map<string, TransitionModel>()

  constructor(
    private readonly compilation: Compilation,
    readonly document: EntityDocument,
  ) {
    this.name = document.name
    this.label = compilation.text(document.label)
    this.path = entityPath(document)
    ;({ stored: this.stored, definitions: this.definitions } = definedBy(document))
  }

  /** Names of the fields that may leave the gateway, base fields included. */
  get fieldNames(): Iterable<string> {
    return this.definitions.keys()
  }

  /** Names of the fields that carry a mark and that the viewer may read, in the order of the file; retired ones are left out. */
  marked(mark: 'x-filter' | 'x-search', view?: string): string[] {
    return [...this.definitions]
      .filter(([name, field]) => field[mark] === true && !field['x-retired'] && this.readable(name, view))
      .map(([name]) => name)
  }

  /** What the viewer may do with the field in a row view: rules of his roles, keys of sensitive fields, rules of the view. */
  access(name: string, view?: string): FieldAccess {
    const sensitive = this.definitions.get(name)?.['x-sensitive']
    const viewRules = view === undefined ? undefined : this.document['x-views']?.find(({ id }) => id === view)?.fieldRules
    return strictest([
      // Its data are kept; nobody sees it until it comes back.
      this.definitions.get(name)?.['x-retired'] ? 'hide' : 'write',
      sensitive !== undefined && !this.compilation.allowed(sensitive) ? 'mask' : 'write',
      accessOfRule(this.compilation.bundle.fieldRules?.[`${this.name}.${name}`]),
      accessOfRule(viewRules?.[name]),
    ])
  }

  /** Its plain value may be read, so that it can be filtered and sorted by. */
  readable(name: string, view?: string): boolean {
    const access = this.access(name, view)
    return access === 'write' || access === 'read'
  }

  definition(name: string): EntityField | undefined {
    return this.definitions.get(name)
  }

  /** The field, or a refusal of the block with what was probably meant. */
  field(name: string, at: string): PageField {
    const known = this.models.get(name)
    if (known) return known
    const definition = this.definitions.get(name)
    if (!definition) {
      return this.compilation.refuse(
        'unknown-field',
        at,
        { zh: `实体“${this.name}”没有字段“${name}”。`, en: `The entity "${this.name}" has no field "${name}".` },
        { value: name, known: this.fieldNames },
      )
    }
    const model = this.make(name, definition, this.access(name))
    this.models.set(name, model)
    return model
  }

  /** Every field that the viewer may see, by its name. */
  allFields(view?: string): Readonly<Record<string, PageField>> {
    const seen = [...this.definitions.keys()].filter((name) => this.access(name, view) !== 'hide')
    return Object.fromEntries(seen.map((name) => [name, this.field(name, '')]))
  }

  call(name: string, method: CallModel['method'] = 'POST'): CallModel {
    return { method, path: `${this.path}/${name}` }
  }

  /** The entity offers the operation at all. */
  offers(operation: Operation): boolean {
    return this.document['x-permissions']?.[operation] !== undefined
  }

  /** It is offered and the viewer holds its key. */
  may(operation: Operation): boolean {
    return this.offers(operation) && this.compilation.allowed(this.document['x-permissions']?.[operation])
  }

  /** A transition with the field whose state it changes. */
  private findTransition(id: string): { state: string; transition: Transition } | undefined {
    for (const { field, transitions } of this.document['x-states'] ?? []) {
      const transition = transitions.find((candidate) => candidate.id === id)
      if (transition) return { state: field, transition }
    }
    return undefined
  }

  hasTransition(id: string): boolean {
    return this.findTransition(id) !== undefined
  }

  transitionPermission(id: string): string | undefined {
    return this.findTransition(id)?.transition.permission
  }

  transition(id: string, at: string): TransitionModel {
    const known = this.moves.get(id)
    if (known) return known
    const found = this.findTransition(id)
    if (!found) {
      return this.compilation.refuse(
        'unknown-transition',
        at,
        { zh: `实体“${this.name}”没有名为“${id}”的流转。`, en: `The entity "${this.name}" has no transition "${id}".` },
        { value: id, known: (this.document['x-states'] ?? []).flatMap(({ transitions }) => transitions.map((move) => move.id)) },
      )
    }
    const { state, transition } = found
    const inputs = Object.entries(transition.inputs ?? {}).map(([name, field]) => this.make(name, field, 'write'))
    // What the viewer may not write he is not asked for: the gateway would refuse it.
    const asked = (transition.fields ?? []).flatMap((name, index) => {
      const field = this.field(name, pointer(at, 'fields', index))
      return this.access(name) === 'write' ? [field] : []
    })
    const model: TransitionModel = {
      id,
      label: this.compilation.text(transition.label),
      ...pick(transition, ['icon']),
      ...(transition.success ? { success: this.compilation.text(transition.success) } : {}),
      field: state,
      from: transition.from,
      ...(transition.to === undefined ? {} : { to: transition.to }),
      ...this.undoOf(state, transition),
      danger: transition.danger ?? false,
      ...(transition.confirm ? { confirm: this.compilation.text(transition.confirm) } : {}),
      fields: [...asked, ...inputs],
      inputs: inputs.map(({ name }) => name),
      required: (transition.required ?? []).filter((name) => transition.inputs?.[name] || this.access(name) === 'write'),
      refusedBecause: makeRefusal(this.compilation, this.stored, state, transition, at),
    }
    this.moves.set(id, model)
    return model
  }

  /** What takes a transition back: another one of the viewer that asks for nothing and leads from there to the state before. */
  private undoOf(state: string, { to, from }: Transition): Pick<TransitionModel, 'undo'> {
    const backs = (this.document['x-states'] ?? [])
      .filter(({ field }) => field === state)
      .flatMap(({ transitions }) => transitions)
      .filter((one) => to !== undefined && one.from.includes(to) && !one.confirm && !one.fields && !one.inputs && !one.required)
      .filter(({ permission }) => this.compilation.allowed(permission))
    const undo = from.flatMap((before) => {
      const back = backs.find((one) => one.back !== undefined || one.to === before)
      return back && before !== to ? [[before, back.id] as const] : []
    })
    return undo.length === 0 ? {} : { undo: Object.fromEntries(undo) }
  }

  /** Whether the transition is offered for a record at all. */
  offer(id: string): Offer {
    const found = this.findTransition(id)
    return found ? makeOffer(this.stored, found.state, found.transition) : () => true
  }

  private make(name: string, field: EntityField, access: FieldAccess): PageField {
    const { compilation } = this
    const { kind, storage, kept, required } = fieldModel(name, field, {
      required: (this.document.required ?? []).includes(name),
      computed: computedNames(this.document).has(name),
    })
    const format = formatOf(kind)
    const computed = storage === 'computed'
    const readOnly =
      field.readOnly === true ||
      kept ||
      computed ||
      storage === 'virtual' ||
      field['x-sequence'] !== undefined ||
      access === 'read'
    const dictionary = field['x-dictionary']
    const options = dictionary === undefined ? [] : (compilation.dictionary(dictionary) ?? [])
    const reference = field['x-ref']
    const unit = unitIn(field['x-unit'], compilation.context.locale)
    return {
      entity: this.name,
      name,
      kind,
      label: compilation.text(field['x-label']),
      ...(field['x-help'] ? { help: compilation.text(field['x-help']) } : {}),
      ...(field['x-placeholder'] ? { placeholder: compilation.text(field['x-placeholder']) } : {}),
      ...(dictionary === undefined ? {} : { dictionary: { name: dictionary, options } }),
      ...(reference === undefined ? {} : { ref: this.reference(reference, field) }),
      ...(field['x-lines'] === undefined ? {} : this.lines(field['x-lines'])),
      ...(field['x-money'] === undefined ? {} : { money: field['x-money'] }),
      ...(field['x-scale'] === undefined ? {} : { scale: field['x-scale'] }),
      ...(unit === undefined ? {} : { unit }),
      ...(field['x-precision'] === undefined ? {} : { precision: field['x-precision'] }),
      ...(field['x-sum'] === undefined ? {} : { sum: field['x-sum'] }),
      ...(field['x-ahead'] ? { ahead: true } : {}),
      required,
      readOnly,
      immutable: field['x-immutable'] ?? false,
      ...(field['x-sensitive'] === undefined ? {} : { sensitive: field['x-sensitive'] }),
      ...(access === 'mask' ? { masked: true } : {}),
      computed,
      ...pick(field, ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'pattern', 'default']),
      control: field['x-control'] ?? format.control,
      align: format.align,
      width: field['x-width'] ?? format.width,
      operators: computed || field['x-virtual'] || field['x-lines'] ? [] : format.operators,
      sortable: !UNSORTABLE.has(kind) && !computed && storage !== 'virtual',
    }
  }

  /** The rows of a field of lines: fields that are listed or required, else all that can be typed. Lines of lines have a place of their own. */
  private lines({ entity, parent }: NonNullable<EntityField['x-lines']>): Pick<PageField, 'lines'> {
    const document = this.compilation.entityIfKnown(entity)
    if (!document) return {}
    const reader = new EntityReader(this.compilation, document)
    const own = allFields(document).filter(
      ({ name, field, origin }) =>
        origin === 'own' && name !== parent && !field['x-lines'] && !field['x-internal'] && reader.access(name) !== 'hide',
    )
    const listed = own.some(({ field }) => field['x-list'])
    const isShown = ({ name, field }: (typeof own)[number]): boolean =>
      !listed || field['x-list'] === true || (document.required ?? []).includes(name)
    const columns = own.filter(isShown).map(({ name }) => inColumn(reader.field(name, '')))
    return { lines: { entity, label: reader.label, path: reader.path, columns } }
  }

  private reference(name: string, field: EntityField): NonNullable<PageField['ref']> {
    const target = this.compilation.entityIfKnown(name)
    return {
      entity: name,
      label: this.compilation.text(target?.label ?? field['x-label']),
      path: entityPath(target ?? { name }),
      where: this.choosable(field['x-refFilter']),
    }
  }

  /** Names are the validator's business: an entity that came along for its title lacks fields that its filters name. */
  private choosable(filter: EntityField['x-refFilter']): Evaluate<readonly QueryWhere[]> {
    if (filter === undefined || filter.length === 0) return noConditions
    const values = new Map(
      leavesOf(filter).flatMap(({ value }) => (isExpression(value) ? [[value, compileExpression(value)] as const] : [])),
    )
    const { environment } = this.compilation
    return (scope) =>
      queryOf(filter, ({ field, operator = 'eq', value }) => {
        if (value === undefined) return { field, operator }
        const now: unknown = isExpression(value) ? values.get(value)!(scope, environment) : value
        return now === null || now === undefined ? null : { field, operator, value: now }
      })
  }
}

const noConditions = (): readonly QueryWhere[] => []

function pick<T extends object, K extends keyof T>(of: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => of[name] !== undefined).map((name) => [name, of[name]])) as Pick<T, K>
}
