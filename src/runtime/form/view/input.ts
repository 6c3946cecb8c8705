import type { Field } from '@formily/core'
import { SERVER_ERROR } from '../../../headless/form/engine'

/** Puts a value that a person gave into its field: linkages and validation follow. */
export const input = (field: Field, value: unknown): void => {
  if (field.feedbacks.length > 0) field.setFeedback({ type: 'error', code: SERVER_ERROR, messages: [] })
  if (value !== null && typeof value === 'object' && 'target' in value) {
    // Formily takes anything with a `target` for a DOM event; this is data that happens to have such a member
    field.setValue(value)
    field.modify()
    void field.validate('onInput').catch(() => {})
    return
  }
  void field.onInput(value)
}
