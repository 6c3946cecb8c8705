import type { EntityService } from '../entities'
import { addDays, dayOf } from '../platform/calendar'
import { newId } from '../platform/database'

/** Days on which people are away, for rules that pause meanwhile: kept when somebody goes and comes back. */
export const leaveServices: Readonly<Record<string, EntityService<'sys.staff'>>> = {
  'sys.staff.goOnLeave': {
    async afterEffect({ entities, tx, record, now }) {
      await entities.insertMany('sys.staffLeave', [
        {
          id: newId(),
          staffId: record.id,
          from: dayOf(now, tx.companyTimeZone),
          until: null,
          createdAt: now.toISOString(),
          createdBy: null,
        },
      ])
    },
  },
  'sys.staff.comeBack': {
    async afterEffect({ entities, tx, record, now }) {
      const open = await entities.list('sys.staffLeave', {
        where: [
          { field: 'staffId', operator: 'eq', value: record.id },
          { field: 'until', operator: 'empty' },
        ],
      })
      const until = addDays(dayOf(now, tx.companyTimeZone), -1)
      for (const leave of open)
        if (until < String(leave.from)) await entities.remove('sys.staffLeave', String(leave.id))
        else await entities.save('sys.staffLeave', { id: leave.id, until })
    },
  },
}
