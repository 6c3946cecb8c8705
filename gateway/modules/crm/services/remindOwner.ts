import type { EntityService } from '../../../entities'
import { tell } from '../../../todos'
import { customerPage } from './customerPage'

/** A manager asks the owner of a customer to look after it: a to-do of the owner, which his next follow-up settles. */
export const remindOwner: EntityService = {
  guard: ({ before, context }) =>
    before.ownerId === context.user.staffId ? { zh: '这是您自己的客户。', en: 'This customer is your own.' } : null,
  async afterEffect({ tx, before, values, now }) {
    const [id, code, name] = [String(before.id), String(before.code), String(before.name)]
    const note = String(values.remindNote)
    const todo = {
      staffId: String(before.ownerId ?? ''),
      kind: 'followUp',
      title: { zh: `请跟进 ${name}（${code}）：${note}`, en: `Please look after ${name} (${code}): ${note}` },
      subject: { entity: 'crm.customer', id },
      link: customerPage(id),
      key: `remind/${id}/${now.toISOString()}`,
    }
    await tell(tx, [todo], now)
  },
}
