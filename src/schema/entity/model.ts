import { compileExpression, isExpression, type CompiledExpression } from '../expression'
import type { EntityDocument, EntityField, Permission } from '../generated/entity'
import type { BilingualText } from '../problem'
import { computedNames, derivationOf, HEAD, type Derivation } from './derived'
import { fieldModel, type FieldModel } from './fieldModel'
import { allFields, entityPath, isLine, tableName, type FieldOrigin } from './fields'
import { MOMENT, RECORD } from './names'
import { readSequence, type Sequence } from './sequence'

export type EntityScope =
  | { kind: 'owned' | 'public' | 'restricted' }
  /** `keyed`: whoever sees the parent and has the key of an act may do it. */
  | { kind: 'parent'; field: string; entity: string; line: boolean; keyed: boolean }
  | { kind: 'staff'; field: string }
export type EntityOperation = 'read' | 'add' | 'edit' | 'delete' | 'restore' | 'import' | 'export' | 'manage'
type Machines = NonNullable<EntityDocument['x-states']>
export type StateMachine = Machines[number]
export type StateTransition = StateMachine['transitions'][number]
export type EntityView = NonNullable<EntityDocument['x-views']>[number]

export type Rule = NonNullable<EntityDocument['x-rules']>[number]

export interface CompiledRule {
  readonly id: string
  readonly field?: string
  readonly broken: CompiledExpression
  readonly message: BilingualText
}

/** A field whose value is rows of another entity that are saved with the record. */
export interface LinesField extends FieldModel {
  readonly storage: 'lines'
  readonly rows: NonNullable<EntityField['x-lines']>
}

/** An entity document made ready: fields with kinds, compiled expressions, indexed parts. Immutable. */
export interface EntityModel {
  readonly name: string
  readonly document: EntityDocument
  readonly label: BilingualText
  readonly path: string
  readonly table: string
  readonly fields: ReadonlyMap<string, FieldModel>
  readonly stored: readonly FieldModel[]
  /** The stored fields that are columns of the table: all but hot sums. */
  readonly columns: readonly FieldModel[]
  /** In the order in which they can be computed. */
  readonly computed: readonly FieldModel[]
  /** Fields that hold lines. */
  readonly lines: readonly LinesField[]
  readonly scope: EntityScope
  readonly permissions: Readonly<Partial<Record<EntityOperation, Permission>>>
  readonly views: ReadonlyMap<string, EntityView>
  readonly machines: readonly StateMachine[]
  /** Invariants that the record and its viewer decide. */
  readonly rules: readonly CompiledRule[]
  /** Invariants that need the database: look-ups, paths, what is stored. */
  readonly askedRules: readonly Rule[]
  readonly titleField: string
  readonly title?: CompiledExpression
  /** Fields that the title is made of. */
  readonly titleFields: readonly string[]
  /** The field of the neutral name by which those know a record who may not read its title. */
  readonly knownBy?: string
  readonly audited: boolean
  /** One of its effects writes to-dos that are over when a record leaves its state. */
  readonly todosByState: boolean
  /** The entity of this name, as far as it is known where this one was made ready. */
  readonly find: (entity: string) => EntityModel | undefined
}

/** Names that expressions of an entity are compiled with besides its fields; which stand where, says `PLACES`. */
const COMPILED_NAMES = [...MOMENT, RECORD, HEAD] as const

/** By this name entities keep the neutral name of a record. */
const ALIAS_FIELD = 'alias'

/**
 * Makes a document ready. `find` gives other entities, those that fields were copied from among them; `named` are further names that its
 * expressions may read: rules that read them are asked with them.
 * @throws ExpressionError for an expression that does not parse; Error for computed fields that need each other.
 */
export function compileEntity(
  document: EntityDocument,
  find: EntityModel['find'] = () => undefined,
  named: readonly string[] = [],
): EntityModel {
  const entries = allFields(document)
  const roots = [...entries.map((entry) => entry.name), ...COMPILED_NAMES, ...named]
  const compile = (text: string): CompiledExpression => compileExpression(text, { roots })
  const derive = (derived: NonNullable<EntityField['x-derived']>) => derivationOf(document, derived, roots)
  const computed = computedNames(document)
  const required = new Set(document.required ?? [])
  const fields = new Map(
    entries.map(({ name, field, origin }): [string, FieldModel] => [
      name,
      compileField(document.name, name, field, origin, required, { compile, derive, computed }),
    ]),
  )
  const stored = [...fields.values()].filter((field) => field.storage === 'stored')
  const title = document['x-title'] === undefined ? undefined : compile(document['x-title'])
  const plainRule = ({ when, message, code }: Rule): boolean =>
    code === undefined && !isExpression(message.zh) && !isExpression(message.en) && !needsMore(document, fields, named, when)
  const titleFields = title ? dependenciesOf(title, fields) : [document.titleField]
  return {
    name: document.name,
    document,
    label: document.label,
    path: entityPath(document),
    table: tableName(document.name),
    fields,
    stored,
    columns: stored.filter((field) => field.hot === undefined),
    computed: inOrder(document.name, fields),
    lines: [...fields.values()].filter(isLines),
    scope: scopeOf(document),
    permissions: document['x-permissions'] ?? {},
    views: new Map((document['x-views'] ?? []).map((view) => [view.id, view])),
    machines: document['x-states'] ?? [],
    rules: (document['x-rules'] ?? [])
      .filter(plainRule)
      .map(({ id, field, when, message }) => ({ id, field, broken: compile(when), message })),
    askedRules: (document['x-rules'] ?? []).filter((rule) => !plainRule(rule)),
    titleField: document.titleField,
    title,
    titleFields: [...new Set(titleFields)],
    ...(title === undefined && document.titleField !== ALIAS_FIELD && fields.get(ALIAS_FIELD)?.storage === 'stored'
      ? { knownBy: ALIAS_FIELD }
      : {}),
    // what changes in lines is told in the history of their head
    audited: document['x-audit'] ?? !isLine(document),
    todosByState: JSON.stringify([document['x-states'], document['x-effects'], document['x-deadlines']]).includes(
      '"closes":"withState"',
    ),
    find,
  }
}

/** An expression that reads what a record does not tell: look-ups, what is behind a reference, what is stored, further names. */
function needsMore(
  document: EntityDocument,
  fields: ReadonlyMap<string, FieldModel>,
  named: readonly string[],
  text: string,
): boolean {
  return compileExpression(text).dependencies.some((path) => {
    const [root = '', ...further] = path.split('.')
    return (
      root === 'before' ||
      (root === HEAD && !isLine(document)) ||
      named.includes(root) ||
      document['x-lookups']?.[root] !== undefined ||
      (further.length > 0 && fields.get(root)?.field['x-ref'] !== undefined)
    )
  })
}

/** Fields that stand outside an entity, e.g. the inputs of a transition. */
export function compileFields(
  fields: Readonly<Record<string, EntityField>>,
  required: readonly string[] = [],
): ReadonlyMap<string, FieldModel> {
  const needed = new Set(required)
  return new Map(Object.entries(fields).map(([name, field]) => [name, compileField('', name, field, 'own', needed, OUTSIDE)]))
}

/** How the expressions of fields are made ready. */
interface FieldCompiler {
  compile: (text: string) => CompiledExpression
  /** Of a value that is stored. */
  derive?: (derived: NonNullable<EntityField['x-derived']>) => Derivation
  /** Names of derived fields that are not stored. */
  computed: ReadonlySet<string>
}

const OUTSIDE: FieldCompiler = { compile: compileExpression, computed: new Set() }

function compileField(
  entity: string,
  name: string,
  field: EntityField,
  origin: FieldOrigin,
  required: ReadonlySet<string>,
  { compile, derive, computed }: FieldCompiler,
): FieldModel {
  const derived = field['x-derived']
  const read = derived !== undefined && (computed.has(name) || !derive)
  const derivation = derived !== undefined && !read ? derive?.(derived) : undefined
  return {
    ...fieldModel(name, field, { origin, required: required.has(name), computed: read }),
    ...(field['x-lines'] ? { rows: field['x-lines'] } : {}),
    ...(read ? { computed: compile(derived.value ?? '') } : {}),
    ...(derivation ? { derivation } : {}),
    ...(field['x-rollup']?.hot ? { hot: `${entity}.${name}` } : {}),
    ...(field['x-sequence'] !== undefined ? { sequence: sequenceOf(entity, name, field['x-sequence']) } : {}),
  }
}

const isLines = (field: FieldModel): field is LinesField => field.storage === 'lines'

/** The entity that a field refers to, or undefined. */
export function referenceOf(field: FieldModel): string | undefined {
  return field.kind === 'ref' || field.kind === 'refs' ? field.field['x-ref'] : undefined
}

/**
 * The fields that a compiled expression reads, by themselves or of `record`, without environment names; with an amount also the field of
 * its currency.
 */
export function dependenciesOf(expression: CompiledExpression, fields: ReadonlyMap<string, FieldModel>): string[] {
  const read = expression.dependencies.flatMap((path) => {
    const [root = '', member] = path.split('.')
    if (root !== RECORD || fields.has(RECORD)) return [root]
    return member === undefined ? [...fields.keys()] : [member]
  })
  const names = read.flatMap((name) => [name, fields.get(name)?.field['x-money'] ?? name])
  return [...new Set(names)].filter((name) => fields.has(name))
}

function scopeOf(document: EntityDocument): EntityScope {
  const scope = document['x-scope'] ?? 'restricted'
  if (typeof scope === 'string') return { kind: scope }
  if ('staff' in scope) return { kind: 'staff', field: scope.staff }
  const entity = document.properties[scope.parent]?.['x-ref']
  if (!entity) throw new Error(`${document.name}: x-scope names the parent field "${scope.parent}", which is not a reference.`)
  return { kind: 'parent', field: scope.parent, entity, line: isLine(document), keyed: scope.write === 'key' }
}

function sequenceOf(entity: string, field: string, defined: NonNullable<EntityField['x-sequence']>): Sequence {
  const sequence = readSequence(defined)
  const pattern = typeof defined === 'string' ? defined : defined.pattern
  if (!sequence)
    throw new Error(`${entity}.${field}: the number pattern "${pattern}" needs exactly one counter, e.g. CU{yy}{n:5}.`)
  return sequence
}

/** Computed fields after those that they read; a circle of derived values can neither be computed nor stored. */
function inOrder(entity: string, fields: ReadonlyMap<string, FieldModel>): FieldModel[] {
  const ordered: FieldModel[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (field: FieldModel, path: readonly string[]): void => {
    const reads = field.computed ? dependenciesOf(field.computed, fields) : field.derivation?.own
    if (!reads || state.get(field.name) === 'done') return
    if (state.get(field.name) === 'open')
      throw new Error(`${entity}: derived fields need each other: ${[...path, field.name].join(' -> ')}.`)
    state.set(field.name, 'open')
    for (const name of reads) if (fields.has(name)) visit(fields.get(name)!, [...path, field.name])
    state.set(field.name, 'done')
    if (field.computed) ordered.push(field)
  }
  for (const field of fields.values()) visit(field, [])
  return ordered
}
