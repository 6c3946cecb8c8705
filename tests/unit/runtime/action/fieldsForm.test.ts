import { describe, expect, it } from 'vitest'
import { fieldsForm } from '../../../../src/headless/form/fieldsForm'
import { planForm } from '../../../../src/headless/form/plan'
import { openForm } from '../../../../src/runtime/form/view/open'
import { fakeHost } from '../../../support/fakeHost'
import { field } from '../../../support/models'

describe('the form of what a transition asks for', () => {
  it('can be filled in where only transitions write the field', () => {
    const model = fieldsForm({
      id: 'lift',
      title: 'Lift',
      fields: [field('liftReason', 'string', { readOnly: true })],
      required: ['liftReason'],
      initial: {},
      call: { method: 'POST', path: '/v2/test/thing/stateUpdate' },
      params: (values) => ({ ...values }),
      submitLabel: 'Lift',
      success: 'Lifted',
      locale: 'en',
      source: { where: 'test', at: '' },
    })
    const { engine } = openForm(fakeHost(), {
      model,
      plan: planForm(model.schema),
      scope: {},
      record: null,
      refs: {},
      canEdit: true,
      given: {},
    } as unknown as Parameters<typeof openForm>[1])
    expect(engine.form.query('liftReason').get('pattern')).toBe('editable')
    expect(engine.form.query('liftReason').get('required')).toBe(true)
  })
})
