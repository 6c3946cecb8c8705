import { compilePage } from '../src/schema/compile'
import type { FormNode, FormPage } from '../src/schema/generated/page'
import type { FormModel } from '../src/schema/model'

/** A form page as a document, compiled the way the portal compiles its pages. */
export const formModel = (
  schema: FormNode,
  options: Pick<FormPage, 'layout' | 'initial' | 'draft'> & { locale?: 'zh' | 'en'; initial?: FormPage['initial'] } = {},
): FormModel => {
  const { locale = 'en', ...rest } = options
  const page: FormPage = {
    formatVersion: 3,
    kind: 'form',
    name: 'bench/form',
    title: { zh: '测量', en: 'Bench' },
    schema,
    submit: { call: 'POST /v2/bench/save' },
    ...rest,
  }
  const result = compilePage(
    {
      page,
      where: 'bench/form.json',
      revision: JSON.stringify(page).length.toString(36) + locale,
      entities: {},
      dictionaries: {},
    },
    { locale, permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form')
    throw new Error(`The form of the bench does not compile: ${JSON.stringify(result)}`)
  return result.model
}
