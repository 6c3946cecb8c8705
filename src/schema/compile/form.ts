import { pointer } from '../diagnosis'
import type { FormPage } from '../generated/page'
import type { Evaluate, FormModel, FormNodeModel, Scope } from '../model'
import { parseCall } from './action'
import { plainSchema } from './definitions'
import type { EntityReader } from './entityReader'
import { compileFormNode, type InitialExpression } from './formNode'
import { ROOTS } from './roots'
import type { Workspace } from './workspace'

/** Up to so many fields stand in one column. */
const ONE_COLUMN = 8
/** From so many groups on, a list of anchors helps. */
const ANCHORS_FROM = 4

/** Everything of a form page that stands under the title. */
export const compileForm = (
  work: Workspace,
  page: FormPage,
): Omit<FormModel, 'kind' | 'id' | 'title' | 'locale' | 'revision' | 'source' | 'problems'> => {
  const entity = page.entity === undefined ? undefined : work.entity(page.entity, '/entity')
  const initial: InitialExpression[] = []
  const document = {
    ...plainSchema(page.schema),
    type: 'object',
  } as const
  const schema = compileFormNode({ work, path: [], initial, inRow: false, ...(entity ? { entity } : {}) }, document, '/schema')
  const { fields, groups } = count(schema)
  return {
    ...(entity
      ? { entity: entity.name, entityLabel: entity.label, basePath: entity.path, viewCall: entity.call('view/{id}', 'GET') }
      : {}),
    schema,
    layout: {
      columns: page.layout?.columns ?? (fields <= ONE_COLUMN ? 1 : 2),
      labels: page.layout?.labels ?? 'top',
      anchors: page.layout?.anchors ?? groups >= ANCHORS_FROM,
    },
    record: compileRecord(work, page),
    initial: compileInitial(work, page, initial),
    submit: compileSubmit(work, page),
    ...(page.facts ? { facts: { ...page.facts, call: parseCall(page.facts.call), params: page.facts.params ?? {} } } : {}),
    ...compileDuplicates(page, entity),
    ...compileQuick(work, page, entity),
    draft: page.draft ?? true,
    readPretty: page.readPretty ?? false,
  }
}

/** Whether a record is there already is asked while its form is filled in, where the form saves the record itself. */
function compileDuplicates({ submit }: FormPage, entity: EntityReader | undefined): Pick<FormModel, 'duplicates'> {
  const word = entity?.document['x-duplicates']
  if (!entity || !word || submit?.call !== undefined || submit?.transition !== undefined) return {}
  const fields = [word.name, word.country, word.website, ...(word.numbers ?? [])].filter((name) => name !== undefined)
  return { duplicates: { call: entity.call('duplicates'), name: word.name, fields } }
}

/** What a new record is begun with: as the page says, else the fields that have a worth in its rows. */
function compileQuick(work: Workspace, { quick, submit }: FormPage, entity: EntityReader | undefined): Pick<FormModel, 'quick'> {
  if (!entity || quick === false || submit?.transition !== undefined) return {}
  const { titleField, properties } = entity.document
  const given = (names: readonly string[]): string[] =>
    names.filter((name) => {
      const field = work.block(() => entity.field(name, '/quick'))
      return field !== undefined && !field.readOnly && !field.computed
    })
  // a name that the entity document has wrong is told there
  const known = (names: readonly string[]): string[] => given(names.filter((name) => Object.hasOwn(properties, name)))
  const called = known([titleField]).find((name) => entity.field(name, '/quick').kind === 'string')
  const { title = [], who = [], amount = [], when = [] } = entity.document['x-worth'] ?? {}
  const fields = quick ? given(quick) : known([...new Set([titleField, ...title, ...who, ...amount, ...when])])
  return { quick: { fields, asked: quick !== undefined, ...(called === undefined ? {} : { called }) } }
}

function compileRecord(work: Workspace, page: FormPage): FormModel['record'] {
  const toId = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  if (page.record === undefined) return (scope) => toId(member(scope.query, 'id')) ?? toId(member(scope.values, 'id'))
  const run = work.expression(page.record, '/record', ROOTS.formValues)
  return (scope) => toId(run(scope))
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** What the page says wins over defaults of fields; defaults that fail are left out, they must not keep a form closed. */
function compileInitial(work: Workspace, page: FormPage, expressions: readonly InitialExpression[]): FormModel['initial'] {
  const defaults = expressions.flatMap(({ path, text, at }) => {
    const run = work.block(() => work.expression(text, at, ROOTS.page))
    return run ? [{ path, run }] : []
  })
  const given = work.parameters(page.initial, '/initial', ROOTS.formValues)
  return (scope: Scope) => {
    const values: Record<string, unknown> = {}
    for (const { path, run } of defaults) put(values, path, attempt(run, scope))
    return { ...values, ...given(scope) }
  }
}

function attempt(run: Evaluate<unknown>, scope: Scope): unknown {
  try {
    return run(scope)
  } catch {
    return undefined
  }
}

function put(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (value === undefined) return
  let at = values
  for (const step of path.slice(0, -1)) {
    const next = at[step]
    if (typeof next === 'object' && next !== null) at = next as Record<string, unknown>
    else at = at[step] = {} as Record<string, unknown>
  }
  const last = path.at(-1)
  if (last !== undefined) at[last] = value
}

function compileSubmit(work: Workspace, page: FormPage): FormModel['submit'] {
  const given = page.submit ?? {}
  const entity = page.entity === undefined ? undefined : work.entity(page.entity, '/entity')
  if (given.transition !== undefined) {
    if (!entity) {
      work.refuse('unknown-transition', '/submit/transition', {
        zh: '没有实体的表单不能提交流转，请写 entity。',
        en: 'A form without an entity cannot submit a transition: give it an entity.',
      })
    }
    entity?.transition(given.transition, '/submit/transition')
  }
  if (given.call === undefined && !entity) {
    work.refuse('invalid-shape', '/submit', {
      zh: '表单须有 entity 或 submit.call，否则无处提交。',
      en: 'A form needs an entity or submit.call: there is nowhere to send it.',
    })
  }
  const call =
    given.call === undefined ? entity?.call(given.transition === undefined ? 'save' : 'stateUpdate') : parseCall(given.call)
  return {
    call: call ?? { method: 'POST', path: '' },
    ...(given.params ? { params: work.parameters(given.params, pointer('/submit', 'params'), ROOTS.formValues) } : {}),
    ...(given.transition === undefined ? {} : { transition: given.transition }),
    label:
      work.text(given.label) ??
      (entity && given.transition === undefined ? work.say('保存', 'Save') : work.say('提交', 'Submit')),
    success:
      work.text(given.success) ??
      (entity && given.transition === undefined ? work.say('已保存', 'Saved') : work.say('已提交', 'Submitted')),
    ...(given.open === undefined ? {} : { open: work.address(given.open, '/submit/open', ROOTS.answer) }),
    idempotent: given.idempotent ?? true,
  }
}

/** How many fields and groups a form has. */
function count(node: FormNodeModel): { fields: number; groups: number } {
  let fields = 0
  let groups = 0
  for (const child of Object.values(node.properties ?? {})) {
    if (child.type === 'void' || (child.type === 'object' && child.properties)) {
      const inside = count(child)
      fields += inside.fields
      groups += inside.groups + (child.title === undefined ? 0 : 1)
    } else fields += 1
  }
  return { fields, groups }
}
