import { diagnose, didYouMean, pointer, type ProblemLocation } from '../diagnosis'
import * as validators from '../generated/validators'
import type { OutlineNode, ShapeError } from '../generated/validators'
import type { BilingualText, Problem } from '../problem'
import type { DocumentType } from './documents'
import { partForProcesses, type Shape } from './part'

const PAGE_KINDS = ['list', 'detail', 'form', 'report', 'widget', 'embed'] as const
type ShapeName = Exclude<keyof typeof validators, 'outline'> | 'process'

/** More errors of one document help nobody. */
const MOST_ERRORS = 200

/** Patterns of the meta-schemas in words. */
const PATTERNS: Readonly<Record<string, BilingualText>> = {
  '^[a-z][A-Za-z0-9]*(?:[.-][A-Za-z0-9]+)*$': {
    zh: '标识须以小写字母开头，只含字母、数字，可用点或连字符分段。',
    en: 'An id starts with a small letter and has letters and digits, in parts joined by dots or hyphens.',
  },
  '^[a-zA-Z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)+$': {
    zh: '权限键形如 crm:customer:add。',
    en: 'A permission key looks like crm:customer:add.',
  },
  '^(GET|POST|PUT|PATCH|DELETE) /[A-Za-z0-9/_{}.-]+$': {
    zh: '调用形如 POST /v2/crm/customer/queryPage。',
    en: 'A call looks like POST /v2/crm/customer/queryPage.',
  },
  '^/[A-Za-z0-9/_-]*$': { zh: '路由以斜杠开头，不含查询部分。', en: 'A route starts with a slash and has no query.' },
  '^[a-z][a-z0-9]*\\.[a-z][A-Za-z0-9]*$': {
    zh: '实体名形如 crm.customer。',
    en: 'The name of an entity looks like crm.customer.',
  },
}

const TYPE_NAMES: Readonly<Record<string, BilingualText>> = {
  string: { zh: '文本', en: 'a text' },
  integer: { zh: '整数', en: 'a whole number' },
  number: { zh: '数字', en: 'a number' },
  boolean: { zh: 'true 或 false', en: 'true or false' },
  array: { zh: '列表', en: 'a list' },
  object: { zh: '对象', en: 'an object' },
}

/** Everything in which the shape of a document differs from its meta-schema, in words. Empty: the generated type holds. */
export const checkShape = (type: DocumentType, document: unknown, where: string): Problem[] => {
  const name = shapeOf(type, document)
  if (name === undefined) return type === 'page' ? [wrongKind(document, where)] : []
  const { validate } = shapeNamed(name)
  if (validate(document)) return []
  const errors = validate.errors ?? []
  return collapse(errors)
    .slice(0, MOST_ERRORS)
    .map((error) => describe(error, document, where, name))
}

const shapeNamed = (name: ShapeName): Shape =>
  name === 'process' ? partForProcesses().shape : { validate: validators[name], outline: validators.outline }

function shapeOf(type: DocumentType, document: unknown): ShapeName | undefined {
  if (type !== 'page' && type !== 'calls') return type
  if (type !== 'page') return undefined
  const kind = typeof document === 'object' && document !== null ? (document as { kind?: unknown }).kind : undefined
  return PAGE_KINDS.find((known) => known === kind)
}

function wrongKind(document: unknown, where: string): Problem {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return diagnose('invalid-shape', { where, at: '' }, { zh: '页面须是对象。', en: 'A page is an object.' }, { value: document })
  }
  const value = (document as { kind?: unknown }).kind
  return diagnose(
    'invalid-shape',
    { where, at: '/kind' },
    { zh: `kind 须是 ${PAGE_KINDS.join('、')} 之一。`, en: `kind must be one of ${PAGE_KINDS.join(', ')}.` },
    { value, known: PAGE_KINDS },
  )
}

/** Of alternatives (oneOf, anyOf) only the alternative itself is reported, not why each branch does not fit. */
function collapse(errors: readonly ShapeError[]): ShapeError[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
  const inside = (error: ShapeError): boolean =>
    alternatives.some(
      (outer) =>
        outer !== error &&
        (error.instancePath === outer.instancePath || error.instancePath.startsWith(`${outer.instancePath}/`)) &&
        error.keyword !== 'oneOf' &&
        error.keyword !== 'anyOf',
    )
  const seen = new Set<string>()
  return errors.filter((error) => {
    const key = `${error.instancePath}|${error.keyword}|${JSON.stringify(error.params)}`
    if (inside(error) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function describe(error: ShapeError, document: unknown, where: string, name: ShapeName): Problem {
  const { keyword, params, instancePath } = error
  const location: ProblemLocation = { where, at: instancePath }
  const value = valueAt(document, instancePath)
  const node = outlineAt(instancePath, name)
  const text = (key: string): string => String(params[key])
  switch (keyword) {
    case 'required': {
      const missing = text('missingProperty')
      if (isTextNode(node)) return missingTranslation({ where, at: pointer(instancePath, missing) }, missing)
      const given =
        typeof value === 'object' && value !== null ? Object.keys(value).filter((key) => !node?.p || !(key in node.p)) : []
      const hint = didYouMean(missing, given)
      return diagnose('invalid-shape', location, {
        zh: `缺少“${missing}”。${hint === undefined ? '' : `写成了“${hint}”？`}`,
        en: `"${missing}" is missing.${hint === undefined ? '' : ` Was it written "${hint}"?`}`,
      })
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const extra = text(keyword === 'additionalProperties' ? 'additionalProperty' : 'unevaluatedProperty')
      return diagnose(
        'invalid-shape',
        { where, at: pointer(instancePath, extra) },
        { zh: `这里没有“${extra}”这个词。`, en: `There is no word "${extra}" here.` },
        { value: extra, known: Object.keys(node?.p ?? {}) },
      )
    }
    case 'enum': {
      const allowed = (params.allowedValues as readonly unknown[]).map(String)
      return diagnose(
        'invalid-shape',
        location,
        { zh: `须是 ${allowed.join('、')} 之一。`, en: `It must be one of ${allowed.join(', ')}.` },
        { value, known: allowed },
      )
    }
    case 'const': {
      if (instancePath === '/formatVersion') {
        return diagnose(
          'unsupported-format-version',
          location,
          { zh: `formatVersion 须是 ${text('allowedValue')}。`, en: `formatVersion must be ${text('allowedValue')}.` },
          { value },
        )
      }
      return diagnose(
        'invalid-shape',
        location,
        { zh: `须是 ${text('allowedValue')}。`, en: `It must be ${text('allowedValue')}.` },
        { value },
      )
    }
    case 'type': {
      const wanted = [params.type].flat().map((type) => TYPE_NAMES[String(type)] ?? { zh: String(type), en: String(type) })
      return diagnose(
        'invalid-shape',
        location,
        { zh: `须是${wanted.map(({ zh }) => zh).join('或')}。`, en: `It must be ${wanted.map(({ en }) => en).join(' or ')}.` },
        { value },
      )
    }
    case 'minLength':
      if (isTextNode(outlineAt(parentOf(instancePath), name)))
        return missingTranslation(location, instancePath.slice(instancePath.lastIndexOf('/') + 1))
      return diagnose(
        'invalid-shape',
        location,
        { zh: `至少 ${text('limit')} 个字符。`, en: `It needs at least ${text('limit')} characters.` },
        { value },
      )
    case 'pattern':
      return diagnose(
        'invalid-shape',
        location,
        PATTERNS[text('pattern')] ?? { zh: `须符合 ${text('pattern')}。`, en: `It must match ${text('pattern')}.` },
        { value },
      )
    case 'propertyNames':
      return diagnose(
        'invalid-shape',
        { where, at: pointer(instancePath, text('propertyName')) },
        {
          zh: `“${text('propertyName')}”不能作名称。`,
          en: `"${text('propertyName')}" cannot be a name.`,
        },
      )
    case 'oneOf':
    case 'anyOf':
      return diagnose(
        'invalid-shape',
        location,
        { zh: '不符合任何一种允许的写法。', en: 'It fits none of the ways in which this may be written.' },
        { value },
      )
    default:
      return diagnose('invalid-shape', location, limitMessage(keyword, params), { value })
  }
}

function limitMessage(keyword: string, params: Readonly<Record<string, unknown>>): BilingualText {
  const limit = String(params.limit ?? '')
  switch (keyword) {
    case 'maxLength':
      return { zh: `最多 ${limit} 个字符。`, en: `It may have at most ${limit} characters.` }
    case 'minItems':
    case 'minProperties':
      return { zh: `至少 ${limit} 项。`, en: `It needs at least ${limit} entries.` }
    case 'maxItems':
    case 'maxProperties':
      return { zh: `最多 ${limit} 项。`, en: `It may have at most ${limit} entries.` }
    case 'minimum':
    case 'exclusiveMinimum':
      return { zh: `不能小于 ${limit}。`, en: `It cannot be less than ${limit}.` }
    case 'maximum':
    case 'exclusiveMaximum':
      return { zh: `不能大于 ${limit}。`, en: `It cannot be more than ${limit}.` }
    default:
      return { zh: `不符合 ${keyword}。`, en: `It breaks ${keyword}.` }
  }
}

function missingTranslation(location: ProblemLocation, language: string): Problem {
  const named = language === 'zh' ? { zh: '中文', en: 'Chinese' } : { zh: '英文', en: 'English' }
  return diagnose('missing-translation', location, { zh: `缺少${named.zh}文字。`, en: `The ${named.en} text is missing.` })
}

const isTextNode = (node: OutlineNode | undefined): boolean => node?.p !== undefined && Object.keys(node.p).join() === 'zh,en'

const parentOf = (at: string): string => at.slice(0, Math.max(0, at.lastIndexOf('/')))
const steps = (at: string): string[] =>
  at
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))

function outlineAt(at: string, name: ShapeName): OutlineNode | undefined {
  const { roots, nodes } = shapeNamed(name).outline
  let index = roots[name] ?? 0
  for (const step of steps(at)) {
    const node: OutlineNode | undefined = nodes[index]
    index = node?.p && Object.hasOwn(node.p, step) ? (node.p[step] ?? 0) : (node?.i ?? node?.a ?? 0)
  }
  return index === 0 ? undefined : nodes[index]
}

function valueAt(document: unknown, at: string): unknown {
  let value = document
  for (const step of steps(at)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}
