import { CONTROLS } from '../controls'
import { diagnose, pointer } from '../diagnosis'
import { checkNames, FUNCTIONS, isExpression, parseExpression } from '../expression'
import { checkConstants } from '../expression/constants'
import { expressionProblem } from '../expressionProblem'
import { patternFault } from '../pattern/fault'
import type { BilingualText, Problem, ProblemCode } from '../problem'
import type { Catalog } from './catalog'

/** Widgets are named module.widget. */
const WIDGET = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/

/** Collects what is wrong with one document. */
export class Checker {
  constructor(
    readonly where: string,
    readonly catalog: Catalog,
    /** Where they are collected: its own list, or that of another one whose document it looks at. */
    readonly problems: Problem[] = [],
  ) {}

  add(code: ProblemCode, at: string, message: BilingualText, details?: Parameters<typeof diagnose>[3]): void {
    this.problems.push(diagnose(code, { where: this.where, at }, message, details))
  }

  warn(code: ProblemCode, at: string, message: BilingualText, details?: Parameters<typeof diagnose>[3]): void {
    this.add(code, at, message, { ...details, severity: 'warning' })
  }

  private known(
    code: ProblemCode,
    names: { has(name: string): boolean; keys(): Iterable<string> } | undefined,
    name: string,
    at: string,
    zh: string,
    en: string,
  ): void {
    if (!names || names.has(name)) return
    this.add(code, at, { zh: `没有${zh}“${name}”。`, en: `There is no ${en} "${name}".` }, { value: name, known: names.keys() })
  }

  entity(name: string, at: string): void {
    if (!this.catalog.faulty.has(name)) this.known('unknown-entity', this.catalog.entities, name, at, '实体', 'entity')
  }

  dictionary(name: string, at: string): void {
    if (!this.catalog.faulty.has(name))
      this.known('unknown-dictionary', this.catalog.dictionaries, name, at, '字典', 'dictionary')
  }

  /** A code that a dictionary has to hold. */
  code(dictionary: string, code: unknown, at: string, problem: 'unknown-state' | 'field-kind-mismatch'): void {
    const items = this.catalog.dictionaries.get(dictionary)?.items
    if (!items || typeof code !== 'string' || isExpression(code)) return
    const codes = items.map((item) => item.code)
    if (codes.includes(code)) return
    this.add(
      problem,
      at,
      { zh: `字典“${dictionary}”没有值“${code}”。`, en: `The dictionary "${dictionary}" has no value "${code}".` },
      { value: code, known: codes },
    )
  }

  permission(key: string | undefined, at: string): void {
    if (key !== undefined) this.known('unknown-permission', this.catalog.permissions, key, at, '权限键', 'permission key')
  }

  service(name: string | undefined, at: string): void {
    if (name !== undefined) this.known('unknown-service', this.catalog.services, name, at, '服务', 'service')
  }

  route(path: string, at: string): void {
    this.known('unknown-route', this.catalog.routes, path, at, '路由', 'route')
  }

  /** A page that is a form, by its name. */
  formPage(name: string, at: string): void {
    const { pages, faulty, context } = this.catalog
    const page = pages.get(name)
    if (context.partial === true || page?.document.kind === 'form' || faulty.has(name)) return
    const known = [...pages.values()].flatMap((one) => (one.document.kind === 'form' ? [one.name] : []))
    const message = page
      ? { zh: `页面“${name}”不是表单。`, en: `The page "${name}" is not a form.` }
      : { zh: `没有表单页“${name}”。`, en: `There is no form page "${name}".` }
    this.add('unknown-page', at, message, { value: name, known })
  }

  /** A rule set; where none are at hand (one page in a browser), nobody can tell. */
  rules(key: string, at: string): void {
    const { ruleSets } = this.catalog
    if (ruleSets.size > 0) this.known('unknown-rules', ruleSets, key, at, '规则集', 'rule set')
  }

  /** What is said to people; where no entity has a template at hand (one page in a browser), nobody can tell. */
  template(name: string, at: string): void {
    const { templates, context } = this.catalog
    if (context.partial !== true && !this.catalog.faulty.has(name))
      this.known('unknown-template', templates, name, at, '模板', 'template')
  }

  /** A form control, or a widget that serves as one. Where widgets are not known, what is named like one may be one. */
  control(name: string | undefined, at: string): void {
    if (name === undefined || CONTROLS.has(name)) return
    const { widgets } = this.catalog
    if (widgets ? widgets.has(name) : WIDGET.test(name)) return
    this.add(
      'unknown-control',
      at,
      { zh: `没有控件“${name}”。`, en: `There is no control "${name}".` },
      { value: name, known: [...CONTROLS, ...(widgets ?? [])] },
    )
  }

  field(fields: ReadonlyMap<string, unknown>, name: string, at: string, entity: string): boolean {
    if (fields.has(name)) return true
    this.add(
      'unknown-field',
      at,
      { zh: `实体“${entity}”没有字段“${name}”。`, en: `The entity "${entity}" has no field "${name}".` },
      { value: name, known: fields.keys() },
    )
    return false
  }

  /** Everything that is wrong with an expression: that it parses, and the names that it reads and calls. */
  expression(text: unknown, at: string, roots: readonly string[]): void {
    if (!isExpression(text)) return
    const parsed = parseExpression(text)
    const named = parsed.ok ? checkNames(parsed.expression, { roots, functions: FUNCTIONS }) : [parsed.problem]
    const found = parsed.ok && named.length === 0 ? checkConstants(parsed.expression) : named
    for (const problem of found) this.problems.push(expressionProblem(problem, { where: this.where, at }, text))
  }

  pattern(pattern: unknown, at: string): void {
    const fault = typeof pattern === 'string' ? patternFault(pattern) : undefined
    if (fault) this.add('invalid-pattern', at, fault.sentence, { value: pattern })
  }

  /** Ids of a list that stand twice. */
  unique(ids: readonly (string | undefined)[], at: string, key?: string): void {
    const seen = new Set<string>()
    ids.forEach((id, index) => {
      if (id === undefined) return
      if (seen.has(id)) {
        const here = key === undefined ? pointer(at, index) : pointer(at, index, key)
        this.add('duplicate-id', here, { zh: `标识“${id}”重复。`, en: `The id "${id}" is used twice.` }, { value: id })
      }
      seen.add(id)
    })
  }
}
