import type { EntityService } from '../../../entities'
import { can } from '../../../platform/http'

/** Signatures and templates: what is shared is shared by whoever may. */
export const sharedService: EntityService = {
  beforeSave: ({ record, before, context, fail }) => {
    const isShared = record.scope !== 'mine'
    if (context.kind === 'staff' && isShared && before?.scope !== record.scope && !can(context, 'mail:template:share'))
      fail({ field: 'scope', message: { zh: '您不能共享模板和签名。', en: 'You may not share templates and signatures.' } })
    if (record.scope !== 'departments') record.departmentIds = []
  },
}
