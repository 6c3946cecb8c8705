import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changesThatMatter, formChangeText, type FormValues } from '../../../src/schema/formRevision'
import { contextOf, ServiceError } from '../../platform/http'
import type { FormMemory } from './memory'

/** `page revision`: the form that is submitted, as it was opened; both encoded as parts of an address. */
const FORM_HEADER = 'x-form-revision'

/** The form as the caller gets it now; undefined when there is none. */
export type FormNow = (
  request: FastifyRequest,
  page: string,
) => Promise<{ name: string; revision: string; fields: FormValues } | undefined>

/**
 * A form is submitted against the revision that it was opened with. Where a later one matters to what was typed the
 * submission is refused with what changed; otherwise it goes on.
 */
export function guardForms(app: FastifyInstance, memory: FormMemory, formNow: FormNow): void {
  app.addHook('preHandler', async (request) => {
    const header = request.headers[FORM_HEADER]
    if (typeof header !== 'string' || request.method === 'GET') return
    const [page = '', revision = ''] = header.split(' ').map(decode)
    const now = await formNow(request, page)
    if (!now || now.revision === revision) return
    const before = await memory.of(now.name, revision)
    if (!before) return
    const body = bodyOf(request.body)
    const changes = changesThatMatter(before, now.fields, body, body.id === undefined || body.id === null)
    if (changes.length === 0) return
    const texts = changes.map(formChangeText)
    const { locale } = contextOf(request)
    throw new ServiceError('formChanged', {
      message: {
        zh: `这个表单在您填写期间有了新版本：${texts.map(({ zh }) => zh).join('；')}。没有保存任何内容，您填写的都还在。`,
        en: `This form has changed since you opened it: ${texts.map(({ en }) => en).join('; ')}. Nothing was saved, and what you typed is kept.`,
      },
      data: {
        changes: changes.map((change, index) => ({ field: change.field, kind: change.kind, message: texts[index]![locale] })),
      },
    })
  })
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** What was typed stands in the body, or in `values` beside the name of a transition. */
function bodyOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const whole = body as Record<string, unknown>
  const values = whole['values']
  const inner = typeof values === 'object' && values !== null && !Array.isArray(values) ? (values as Record<string, unknown>) : {}
  return { ...whole, ...inner }
}
