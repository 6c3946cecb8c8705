import { pointer } from '../diagnosis'
import { ENGINE_VERBS, verbOf } from '../effect/verbs'
import { allFields } from '../entity/fields'
import { namesAt } from '../entity/names'
import { isExpression, parseExpression, dependencies } from '../expression'
import type { Effect, EntityDocument, EntityField, People, Refusal, Target, Terms, Transition } from '../generated/entity'
import { checkProps } from '../props'
import type { Checker } from './checker'
import { checkTerms } from './where'

type Fields = ReadonlyMap<string, EntityField>

/** A verb of a module: only the gateway knows them. */
const OF_A_MODULE = /^[a-z][A-Za-z0-9]*\./

const moduleNameOf = ({ name }: EntityDocument): string => name.split('.', 1)[0]!

const fieldsOf = (entity: EntityDocument): Fields => new Map(allFields(entity).map(({ name, field }) => [name, field]))

/** Everything that an entity does: look-ups, who may, why not, effects, what is held, and by whom it is changed. */
export function checkRules(checker: Checker, entity: EntityDocument, fields: Fields): void {
  const rules = new RuleCheck(checker, entity, fields)
  rules.lookups()
  for (const [index, machine] of (entity['x-states'] ?? []).entries()) {
    const at = pointer('/x-states', index)
    machine.transitions.forEach((transition, row) => rules.transition(transition, pointer(at, 'transitions', row)))
    rules.effects(machine.moved, pointer(at, 'moved'), 'transition')
    for (const [state, effects] of Object.entries(machine.enter ?? {})) {
      checker.code(fields.get(machine.field)?.['x-dictionary'] ?? '', state, pointer(at, 'enter', state), 'unknown-state')
      rules.effects(effects, pointer(at, 'enter', state), 'transition')
    }
  }
  for (const [index, { remind = [] }] of (entity['x-deadlines'] ?? []).entries())
    remind.forEach(({ effects }, row) => rules.effects(effects, pointer('/x-deadlines', index, 'remind', row, 'effects')))
  for (const word of ['create', 'change', 'delete'] as const)
    rules.effects(entity['x-effects']?.[word], pointer('/x-effects', word))
  entity['x-rules']?.forEach((rule, index) => rules.invariant(rule, pointer('/x-rules', index)))
  rules.forbids()
  for (const word of ['x-editable', 'x-deletable'] as const)
    entity[word]?.forEach((grant, index) => rules.grant(grant, pointer(`/${word}`, index)))
}

/** Checks what an entity does, and what other modules do when something happens to its records. */
export class RuleCheck {
  /** What is read where no transition is on its way. */
  private readonly roots: readonly string[]
  /** What is read on the way through a transition. */
  private readonly moving: readonly string[]
  private readonly module: string

  /**
   * @param module whose effects they are; default that of the entity
   * @param more names that its expressions read besides those of an entity
   */
  constructor(
    private readonly checker: Checker,
    private readonly entity: EntityDocument,
    private readonly fields: Fields = fieldsOf(entity),
    module?: string,
    more: readonly string[] = [],
  ) {
    this.module = module ?? moduleNameOf(entity)
    this.roots = [...namesAt('rule', entity), ...more]
    this.moving = [...namesAt('transition', entity), ...more]
  }

  lookups(): void {
    for (const [name, lookup] of Object.entries(this.entity['x-lookups'] ?? {})) {
      const at = pointer('/x-lookups', name)
      if (this.fields.has(name))
        this.mismatch(at, `“${name}”已是字段的名称，请另取一个。`, `"${name}" is the name of a field: choose another.`)
      if ('rules' in lookup) {
        this.checker.rules(lookup.rules, pointer(at, 'rules'))
        if (lookup.for?.startsWith('input.')) this.input(lookup.for.slice('input.'.length), pointer(at, 'for'))
        else if (lookup.for !== undefined && !['creator', 'owner', 'user'].includes(lookup.for))
          this.path(lookup.for, pointer(at, 'for'))
        for (const [as, field] of Object.entries(lookup.subject ?? {}))
          this.checker.field(this.fields, field, pointer(at, 'subject', as), this.entity.name)
        continue
      }
      if ('function' in lookup) {
        this.expressions(lookup.with, pointer(at, 'with'), this.moving)
        continue
      }
      const [word, target] =
        'first' in lookup
          ? ['first', lookup.first]
          : 'count' in lookup
            ? ['count', lookup.count]
            : ['sum', lookup.sum.slice(0, lookup.sum.lastIndexOf('.'))]
      this.checker.entity(target, pointer(at, word))
      const found = this.checker.catalog.entities.get(target)
      if (!found) continue
      if ('sum' in lookup)
        this.checker.field(fieldsOf(found), lookup.sum.slice(lookup.sum.lastIndexOf('.') + 1), pointer(at, 'sum'), target)
      this.where(lookup.where, pointer(at, 'where'), found, this.moving)
    }
  }

  transition(transition: Transition, at: string): void {
    this.people(transition.by, pointer(at, 'by'))
    this.people(transition.not, pointer(at, 'not'))
    this.checker.unique(
      (transition.refuse ?? []).map(({ id }) => id),
      pointer(at, 'refuse'),
      'id',
    )
    transition.refuse?.forEach(({ when, per, message }, index) => {
      const here = pointer(at, 'refuse', index)
      const roots = [...this.moving, 'adding']
      this.expression(when, pointer(here, 'when'), roots)
      this.expression(per, pointer(here, 'per'), this.moving)
      this.expressions(message, pointer(here, 'message'), roots)
    })
    this.expression(transition.back, pointer(at, 'back'), this.moving)
    this.expression(transition.auto, pointer(at, 'auto'), this.roots)
    if (transition.binding && transition.auto === undefined)
      this.mismatch(pointer(at, 'binding'), '只有自动流转（auto）可以用 binding。', '"binding" goes with "auto" only.')
    this.effects(transition.effects, pointer(at, 'effects'), 'transition')
  }

  invariant({ when, message }: NonNullable<EntityDocument['x-rules']>[number], at: string): void {
    this.expression(when, pointer(at, 'when'), this.roots)
    this.expressions(message, pointer(at, 'message'), this.roots)
  }

  forbids(): void {
    this.entity['x-forbids']?.forEach(({ on, in: states, transitions, also, message, values }, index) => {
      const at = pointer('/x-forbids', index)
      const dictionary = this.fields.get(this.entity['x-states']?.[0]?.field ?? '')?.['x-dictionary']
      states.forEach((state, row) => this.checker.code(dictionary ?? '', state, pointer(at, 'in', row), 'unknown-state'))
      const target = this.path(on, pointer(at, 'on'))
      const known = (target?.['x-states'] ?? []).flatMap((machine) => machine.transitions.map(({ id }) => id))
      transitions?.forEach((id, row) => target && this.known(id, known, pointer(at, 'transitions', row)))
      also?.forEach((other, row) => this.alsoForbidden(other, target, pointer(at, 'also', row)))
      this.expressions(message, pointer(at, 'message'), this.roots)
      this.expressions(values, pointer(at, 'values'), this.roots)
    })
  }

  /** Another entity that refers to the same record. */
  private alsoForbidden(
    { entity: name, reference, transitions }: NonNullable<NonNullable<EntityDocument['x-forbids']>[number]['also']>[number],
    held: EntityDocument | undefined,
    at: string,
  ): void {
    this.checker.entity(name, pointer(at, 'entity'))
    const other = this.checker.catalog.entities.get(name)
    if (!other || !this.checker.field(fieldsOf(other), reference, pointer(at, 'reference'), name)) return
    if (held && fieldsOf(other).get(reference)?.['x-ref'] !== held.name)
      this.mismatch(
        pointer(at, 'reference'),
        `“${reference}”不引用“${held.name}”。`,
        `"${reference}" does not name "${held.name}".`,
      )
    const known = (other['x-states'] ?? []).flatMap((machine) => machine.transitions.map(({ id }) => id))
    transitions?.forEach((id, row) => this.known(id, known, pointer(at, 'transitions', row)))
  }

  grant(grant: NonNullable<EntityDocument['x-editable']>[number], at: string): void {
    this.people(grant.by, pointer(at, 'by'))
    const dictionary = this.fields.get(this.entity['x-states']?.[0]?.field ?? '')?.['x-dictionary']
    grant.in?.forEach((state, row) => this.checker.code(dictionary ?? '', state, pointer(at, 'in', row), 'unknown-state'))
    this.expression(grant.while, pointer(at, 'while'), this.roots)
    grant.fields?.forEach((name, row) => this.checker.field(this.fields, name, pointer(at, 'fields', row), this.entity.name))
  }

  /** Effects in their order; `place`: whether they are done on the way through a transition. */
  effects(effects: readonly Effect[] | undefined, at: string, place: 'rule' | 'transition' = 'rule'): void {
    const roots = place === 'transition' ? this.moving : this.roots
    this.checker.unique(
      (effects ?? []).map(({ id }) => id),
      at,
      'id',
    )
    const named: string[] = []
    effects?.forEach((effect, index) => {
      const here = pointer(at, index)
      this.effect(effect, here, [...roots, ...named])
      if (effect.as !== undefined) named.push(effect.as)
    })
  }

  private effect(effect: Effect, at: string, roots: readonly string[]): void {
    const within = effect.on || effect.each !== undefined ? [...roots, 'row'] : roots
    const verb = verbOf(effect.do)
    if (!verb && !OF_A_MODULE.test(effect.do))
      this.checker.add(
        'unknown-verb',
        pointer(at, 'do'),
        { zh: `没有动作“${effect.do}”。`, en: `There is no verb "${effect.do}".` },
        { value: effect.do, known: ENGINE_VERBS.map(({ name }) => name) },
      )
    for (const { at: inside, message } of verb ? checkProps(verb.with, effect.with) : [])
      this.checker.add('field-kind-mismatch', `${pointer(at, 'with')}${inside === '/' ? '' : inside}`, {
        zh: `“${effect.do}”的参数：${message.zh}。`,
        en: `What "${effect.do}" takes: ${message.en}.`,
      })
    if ((verb?.on === 'needed' && !effect.on) || (verb?.on === 'never' && effect.on))
      this.mismatch(
        effect.on ? pointer(at, 'on') : at,
        effect.on ? `“${effect.do}”不能带 on。` : `“${effect.do}”须用 on 指明作用于哪些记录。`,
        effect.on ? `"${effect.do}" takes no "on".` : `"${effect.do}" needs "on": the records that it is done to.`,
      )
    this.expression(effect.when, pointer(at, 'when'), roots)
    const target = this.target(effect.on, pointer(at, 'on'), roots)
    if (typeof effect.each === 'object') this.target(effect.each, pointer(at, 'each'), roots)
    else this.expression(effect.each, pointer(at, 'each'), roots)
    this.expressions(effect.with, pointer(at, 'with'), within)
    if (effect.do === 'set') this.values(effect.with, pointer(at, 'with'), effect.on ? target : this.entity)
    if (typeof effect.whenRefused === 'object')
      this.expressions(effect.whenRefused.values, pointer(at, 'whenRefused', 'values'), [...within, 'refusal'])
    if (effect.do === 'create') this.create(effect, at)
    if (effect.do === 'transition' && target) this.moves(effect, at, target)
    if (effect.later) this.later(effect, at, effect.on ? target : this.entity, within)
    if (effect.do === 'notify') this.notice(effect, at)
    if (effect.do === 'notify') this.people(effect.with.to as People, pointer(at, 'with', 'to'), effect.on ? target : this.entity)
  }

  /** What is said stands in the effect or in a template for this entity. */
  private notice({ with: { template: name, title, kind, type } }: Effect, at: string): void {
    this.checker.code('todoKind', kind, pointer(at, 'with', 'kind'), 'field-kind-mismatch')
    this.checker.code('msgType', type, pointer(at, 'with', 'type'), 'field-kind-mismatch')
    if (typeof name !== 'string') {
      if (title === undefined)
        this.mismatch(pointer(at, 'with'), '须写明 template 或 title。', 'It has to say template or title.')
      return
    }
    const here = pointer(at, 'with', 'template')
    this.checker.template(name, here)
    const template = this.checker.catalog.templates.get(name)
    if (template && template.entity !== this.entity.name)
      this.mismatch(
        here,
        `模板“${name}”用于“${template.entity}”，不能用于“${this.entity.name}”。`,
        `The template "${name}" is for "${template.entity}", not for "${this.entity.name}".`,
      )
  }

  /** A text, or a value with texts in it, that may be expressions over the entity. */
  reads(value: unknown, at: string, more: readonly string[] = []): void {
    this.expressions(value, at, [...this.roots, ...more])
  }

  /** A list of refusals with their reasons. */
  refusals(refusals: readonly Refusal[] | undefined, at: string): void {
    this.checker.unique(
      (refusals ?? []).map(({ id }) => id),
      at,
      'id',
    )
    refusals?.forEach(({ when, message }, index) => {
      this.reads(when, pointer(at, index, 'when'))
      this.reads(message, pointer(at, index, 'message'))
    })
  }

  /** The texts of a template for this entity. */
  said(texts: Readonly<Record<string, unknown>>): void {
    for (const [word, text] of Object.entries(texts)) this.expressions(text, pointer('', word), [...this.moving, 'row'])
  }

  private later(
    { do: verb, each, as, later = {} }: Effect,
    at: string,
    target: EntityDocument | undefined,
    roots: readonly string[],
  ): void {
    if (verbOf(verb) || as !== undefined)
      this.mismatch(
        pointer(at, 'later'),
        '只有模块对外的动作可以稍后执行，其结果不能供后续效果读取。',
        'Only verbs of modules that reach outside are done later, and later effects cannot read their result.',
      )
    for (const word of ['retry', 'attempts', 'within', 'inTurn'] as const)
      this.expressions(later[word], pointer(at, 'later', word), roots)
    this.expression(later.link, pointer(at, 'later', 'link'), roots)
    const known = (target?.['x-states'] ?? []).flatMap((machine) => machine.transitions.map(({ id }) => id))
    for (const word of ['done', 'failed', 'again'] as const) {
      const transition = later[word]
      if (transition === undefined) continue
      if (target) this.known(transition, known, pointer(at, 'later', word))
      if (each !== undefined)
        this.mismatch(
          pointer(at, 'later', word),
          '有 each 时一条记录有多个请求，不能各自流转。',
          'With each, a record has several requests: it cannot take a transition for every one.',
        )
    }
  }

  private create({ with: given }: Effect, at: string): void {
    const { entity: name, values } = given
    if (typeof name !== 'string') return
    this.checker.entity(name, pointer(at, 'with', 'entity'))
    const target = this.checker.catalog.entities.get(name)
    this.accepted(target, 'create', true, pointer(at, 'with', 'entity'))
    if (typeof values === 'object' && values !== null)
      this.values(values as Record<string, unknown>, pointer(at, 'with', 'values'), target, true)
  }

  private moves({ with: given, whenRefused }: Effect, at: string, target: EntityDocument): void {
    const known = (target['x-states'] ?? []).flatMap((machine) => machine.transitions.map(({ id }) => id))
    if (typeof given.transition === 'string') {
      this.known(given.transition, known, pointer(at, 'with', 'transition'))
      const allowed = target['x-accepts']?.transitions?.includes(given.transition)
      this.accepted(target, 'transitions', allowed, pointer(at, 'with', 'transition'))
    }
    if (typeof whenRefused === 'object') this.known(whenRefused.transition, known, pointer(at, 'whenRefused', 'transition'))
  }

  /** Fields that get a value: stored ones, and no state. */
  private values(given: Readonly<Record<string, unknown>>, at: string, target: EntityDocument | undefined, made = false): void {
    if (!target) return
    const fields = fieldsOf(target)
    const states = new Set((target['x-states'] ?? []).map(({ field }) => field))
    for (const name of Object.keys(given)) {
      const here = pointer(at, name)
      if (!this.checker.field(fields, name, here, target.name)) continue
      if (states.has(name))
        this.mismatch(here, `“${name}”是状态，只能由流转改变。`, `"${name}" is a state: only transitions write it.`)
      if (!made) this.accepted(target, 'set', target['x-accepts']?.set?.includes(name), here)
    }
  }

  /** Another module's entity says itself what may be done to its records. */
  private accepted(target: EntityDocument | undefined, word: string, allowed: boolean | undefined, at: string): void {
    if (!target || moduleNameOf(target) === this.module) return
    if (word === 'create' ? target['x-accepts']?.create : allowed) return
    this.mismatch(
      at,
      `“${target.name}”属于另一模块，其 x-accepts 没有允许此动作（${word}）。`,
      `"${target.name}" belongs to another module, whose x-accepts does not allow this (${word}).`,
    )
  }

  private target(target: Target | undefined, at: string, roots: readonly string[]): EntityDocument | undefined {
    if (!target) return undefined
    if (target.reference !== undefined) return this.path(target.reference, pointer(at, 'reference'))
    if (target.entity === undefined) {
      this.mismatch(at, '须写明 reference 或 entity。', 'It has to say reference or entity.')
      return undefined
    }
    this.checker.entity(target.entity, pointer(at, 'entity'))
    const found = this.checker.catalog.entities.get(target.entity)
    if (found) this.where(target.where, pointer(at, 'where'), found, roots)
    return found
  }

  private where(where: Terms | undefined, at: string, target: EntityDocument, roots: readonly string[]): void {
    const fields = fieldsOf(target)
    for (const { condition, at: here } of checkTerms(this.checker, where, at)) {
      const [first = ''] = condition.field.split('.')
      this.checker.field(fields, first, pointer(here, 'field'), target.name)
      this.expressions(condition.value, pointer(here, 'value'), roots)
    }
  }

  private people(people: People | undefined, at: string, of: EntityDocument | undefined = this.entity): void {
    if (!Array.isArray(people) || !of) return
    people.forEach((person, index) => {
      if (typeof person !== 'object') return
      const here = pointer(at, index)
      if ('field' in person) this.path(person.field, pointer(here, 'field'), of)
      if ('path' in person) this.path(person.path, pointer(here, 'path'), of)
      if ('leaderOf' in person && !['creator', 'owner', 'user'].includes(person.leaderOf))
        this.path(person.leaderOf, pointer(here, 'leaderOf'), of)
    })
  }

  /** A path of references; answers the entity at its end. */
  private path(path: string, at: string, of: EntityDocument = this.entity): EntityDocument | undefined {
    let entity: EntityDocument | undefined = of
    for (const name of path.split('.')) {
      if (!entity) return undefined
      const fields: Fields = fieldsOf(entity)
      if (!this.checker.field(fields, name, at, entity.name)) return undefined
      const reference: string | undefined = fields.get(name)?.['x-ref']
      if (reference === undefined) {
        this.mismatch(at, `“${name}”不是引用字段。`, `"${name}" is not a reference.`)
        return undefined
      }
      entity = this.checker.catalog.entities.get(reference)
    }
    return entity
  }

  /** A parameter of one of the transitions. */
  private input(name: string, at: string): void {
    const transitions = (this.entity['x-states'] ?? []).flatMap((machine) => machine.transitions)
    const known = transitions.flatMap(({ inputs = {}, fields = [] }) => [...Object.keys(inputs), ...fields])
    if (!known.includes(name)) this.mismatch(at, `没有流转有参数“${name}”。`, `No transition has a parameter "${name}".`)
  }

  private known(id: string, known: readonly string[], at: string): void {
    if (known.includes(id)) return
    this.checker.add(
      'unknown-transition',
      at,
      { zh: `没有流转“${id}”。`, en: `There is no transition "${id}".` },
      { value: id, known },
    )
  }

  private expressions(value: unknown, at: string, roots: readonly string[]): void {
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) this.expressions(item, pointer(at, key), roots)
    else this.expression(value, at, roots)
  }

  /** The expression itself, and the fields behind the references that it reads. */
  private expression(text: unknown, at: string, roots: readonly string[]): void {
    this.checker.expression(text, at, roots)
    if (!isExpression(text)) return
    const parsed = parseExpression(text)
    if (!parsed.ok) return
    for (const path of dependencies(parsed.expression)) {
      const [first = '', second, ...rest] = path.split('.')
      const reference = this.fields.get(first)?.['x-ref']
      if (second === undefined || reference === undefined || this.fields.get(first)?.type === 'array') continue
      const target = this.checker.catalog.entities.get(reference)
      if (!target || !this.checker.field(fieldsOf(target), second, at, target.name)) continue
      const next = fieldsOf(target).get(second)?.['x-ref']
      const further = next === undefined ? undefined : this.checker.catalog.entities.get(next)
      if (further && rest[0] !== undefined) this.checker.field(fieldsOf(further), rest[0], at, further.name)
    }
  }

  private mismatch(at: string, zh: string, en: string): void {
    this.checker.add('field-kind-mismatch', at, { zh, en })
  }
}
