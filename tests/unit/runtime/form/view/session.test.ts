import { expect, test } from 'vitest'
import { siblingValue, type FormSession } from '../../../../../src/runtime/form/view/session'

const session = (scope: object, values: Readonly<Record<string, unknown>> = {}): FormSession =>
  ({ engine: { form: { getValuesIn: ([name]: string[]) => values[name ?? ''] } }, scope }) as unknown as FormSession

test('a control finds what stands next to it in the form, then in the record, then in what the form was opened with', () => {
  const opened = { values: { $countryCode: 'DE', countryCode: 'CN' } }
  expect(siblingValue(session(opened), 'mobile', 'countryCode')).toBe('DE')
  expect(siblingValue(session({ ...opened, record: { countryCode: 'FR' } }), 'mobile', 'countryCode')).toBe('FR')
  expect(siblingValue(session(opened, { countryCode: 'IT' }), 'mobile', 'countryCode')).toBe('IT')
})
