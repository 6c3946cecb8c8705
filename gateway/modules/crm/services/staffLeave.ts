import { newId } from '../../../platform/database'
import type { EntityService } from '../../../entities'
import { addDays, dayOf } from '../rules/companyDay'

/** Days on which people are away, for rules that pause meanwhile: kept when somebody goes and comes back. */
export function staffLeaveServices(timeZone: string): Record<string, EntityService> {
  return {
    'sys.staff.goOnLeave': {
      async afterEffect({ entities, record, now }) {
        await entities.insertMany('sys.staffLeave', [
          {
            id: newId(),
            staffId: record.id,
            from: dayOf(now, timeZone),
            until: null,
            createdAt: now.toISOString(),
            createdBy: null,
          },
        ])
      },
    },
    'sys.staff.comeBack': {
      async afterEffect({ entities, record, now }) {
        const open = await entities.list('sys.staffLeave', {
          where: [
            { field: 'staffId', operator: 'eq', value: record.id },
            { field: 'until', operator: 'empty' },
          ],
        })
        const until = addDays(dayOf(now, timeZone), -1)
        for (const leave of open)
          if (until < String(leave.from)) await entities.remove('sys.staffLeave', String(leave.id))
          else await entities.save('sys.staffLeave', { id: leave.id, until })
      },
    },
  }
}
