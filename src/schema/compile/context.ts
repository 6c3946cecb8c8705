import { compileExpression, compileUrl, ExpressionError, isExpression, type Environment } from '../expression'
import { diagnose, pointer, type ProblemLocation } from '../diagnosis'
import { expressionProblem } from '../expressionProblem'
import type { DictionaryDocument } from '../generated/dictionary'
import type { EntityDocument } from '../generated/entity'
import type { PageDocument } from '../generated/page'
import type { DictionaryOption, Evaluate, Scope, Source } from '../model'
import type { BilingualText, Locale, Problem, ProblemCode } from '../problem'

/** What a page needs to be compiled; the gateway's bundle call answers it. */
export interface CompileBundle {
  page: PageDocument
  /** File of the page, or page:/path. */
  where: string
  /** Content hash of everything in the bundle. */
  revision: string
  entities: Readonly<Record<string, EntityDocument>>
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  /** Fields that the viewer may not simply write, by `entity.field`; what the gateway hides, masks or refuses by his roles. */
  fieldRules?: FieldRules
  /** Addresses that start a process which the viewer may not start: no action that leads there is shown. */
  closedStarts?: readonly string[]
  /** Of a report: by entity the tabs of lists that show rows without further conditions, to which its figures lead. */
  lists?: Readonly<Record<string, readonly EntityList[]>>
}

/** A tab of a list page, with the row view that it shows; no view: all rows that the viewer may see. */
export interface EntityList {
  path: string
  tab?: string
  view?: string
  /** Key of the tab. */
  permission?: string
}

/** By `entity.field`; no entry = no rule. */
export type FieldRules = Readonly<Record<string, string>>

/** For whom a page is compiled. */
export interface CompileContext {
  locale: Locale
  /** Keys that the viewer holds: a set, or `{ has: (key) => host.can(key) }`. */
  permissions: { has(key: string): boolean }
  /** IANA name of the zone in which expressions count calendar days, e.g. Asia/Shanghai. */
  companyTimeZone: string
  /** Registered widgets. Without it, widget names are not checked here. */
  knownWidgets?: ReadonlySet<string>
}

/** Stops the block that is being compiled; the page goes on without it. */
export class BlockProblem extends Error {
  override readonly name = 'BlockProblem'
  constructor(readonly problem: Problem) {
    super(problem.message.en)
  }
}

/** One compilation of one page: reads the bundle, applies the viewer, collects what had to be left out. */
export class Compilation {
  readonly problems: Problem[] = []
  readonly environment: Environment
  private readonly options = new Map<string, readonly DictionaryOption[]>()

  constructor(
    readonly bundle: CompileBundle,
    readonly context: CompileContext,
  ) {
    this.environment = {
      locale: context.locale,
      timeZone: context.companyTimeZone,
      can: (key) => context.permissions.has(key),
      dictionaryLabel: (name, code) => this.dictionary(name)?.find((option) => option.code === code)?.label,
    }
  }

  text(text: BilingualText): string
  text(text: BilingualText | undefined): string | undefined
  text(text: BilingualText | undefined): string | undefined {
    return text?.[this.context.locale]
  }

  say(zh: string, en: string): string {
    return this.context.locale === 'zh' ? zh : en
  }

  /** No key needed, or held. */
  allowed(key: string | undefined): boolean {
    return key === undefined || this.context.permissions.has(key)
  }

  source(at: string): Source {
    return { where: this.bundle.where, at }
  }

  location(at: string): ProblemLocation {
    return { where: this.bundle.where, at }
  }

  report(problem: Problem): void {
    this.problems.push(problem)
  }

  /** Refuses the block that is being compiled. */
  refuse(code: ProblemCode, at: string, message: BilingualText, details?: Parameters<typeof diagnose>[3]): never {
    throw new BlockProblem(diagnose(code, this.location(at), message, details))
  }

  /** Compiles one block; when something in it is wrong, notes it and answers undefined. */
  block<T>(make: () => T): T | undefined {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof BlockProblem)) throw error
      this.report(error.problem)
      return undefined
    }
  }

  /** Compiles the items of a list one by one; what is wrong or not permitted is left out. */
  blocks<I, T>(items: readonly I[] | undefined, at: string, make: (item: I, at: string) => T | undefined): T[] {
    return (items ?? []).flatMap((item, index) => {
      const made = this.block(() => make(item, pointer(at, index)))
      return made === undefined ? [] : [made]
    })
  }

  /** The entity when the bundle holds it: for labels and paths of references. */
  entityIfKnown(name: string): EntityDocument | undefined {
    return Object.hasOwn(this.bundle.entities, name) ? this.bundle.entities[name] : undefined
  }

  /** Values of a dictionary in the viewer's language; undefined when the bundle does not hold it. */
  dictionary(name: string): readonly DictionaryOption[] | undefined {
    const known = this.options.get(name)
    if (known) return known
    const document = Object.hasOwn(this.bundle.dictionaries, name) ? this.bundle.dictionaries[name] : undefined
    if (!document) return undefined
    const options = document.items.map((item): DictionaryOption => ({
      code: item.code,
      label: this.text(item.label),
      ...(item.color === undefined ? {} : { color: item.color }),
      ...(item.retired ? { retired: true } : {}),
      ...(item.attributes === undefined ? {} : { attributes: item.attributes }),
    }))
    this.options.set(name, options)
    return options
  }

  widget(name: string, at: string): string {
    const known = this.context.knownWidgets
    if (known && !known.has(name)) {
      this.refuse(
        'unknown-widget',
        at,
        { zh: `没有名为“${name}”的组件。`, en: `There is no widget "${name}".` },
        { value: name, known },
      )
    }
    return name
  }

  /** A text of the schema as a function of the scope; a text without braces is a constant. */
  expression(text: string, at: string, roots: readonly string[]): Evaluate<unknown> {
    if (!isExpression(text)) return () => text
    const run = this.parsed(text, at, () => compileExpression(text, { roots }))
    return (scope) => run(scope, this.environment)
  }

  /** An address with expressions in it: values are encoded, so that data never becomes another path or site. */
  address(text: string, at: string, roots: readonly string[]): Evaluate<string> {
    const run = this.parsed(text, at, () => compileUrl(text, { roots }))
    return (scope) => run(scope, this.environment)
  }

  private parsed<T>(text: string, at: string, parse: () => T): T {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      throw new BlockProblem(expressionProblem(error.problem, this.location(at), text))
    }
  }

  /** An expression whose value is used as a text; null and undefined become an empty one. */
  textual(text: string, at: string, roots: readonly string[]): Evaluate<string> {
    const run = this.expression(text, at, roots)
    return (scope) => {
      const value = run(scope)
      return value === null || value === undefined ? '' : String(value)
    }
  }

  /** An expression whose value is used as yes or no; absent = always yes. */
  condition(text: string | undefined, at: string, roots: readonly string[]): Evaluate<boolean> {
    if (text === undefined) return always
    const run = this.expression(text, at, roots)
    return (scope) => Boolean(run(scope))
  }

  /** A value in which any text may hold expressions, however deep. */
  values(value: unknown, at: string, roots: readonly string[]): Evaluate<unknown> {
    if (typeof value === 'string') return this.expression(value, at, roots)
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.values(item, pointer(at, index), roots))
      return (scope) => items.map((item) => item(scope))
    }
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value).map(([key, item]) => [key, this.values(item, pointer(at, key), roots)] as const)
      return (scope) => Object.fromEntries(entries.map(([key, item]) => [key, item(scope)]))
    }
    return () => value
  }

  /** Parameters by name. */
  parameters(
    value: Readonly<Record<string, unknown>> | undefined,
    at: string,
    roots: readonly string[],
  ): Evaluate<Record<string, unknown>> {
    const run = this.values(value ?? {}, at, roots)
    return (scope: Scope) => run(scope) as Record<string, unknown>
  }
}

const always: Evaluate<boolean> = () => true
