import type { VerbContext, RecordOf } from '../../../entities'
import { instantAt, dayOf } from '../../../platform/calendar'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const among = (field: string, value: readonly unknown[]) => ({ field, operator: 'in' as const, value })

/** Numbers with room for another test today, the best source first. */
export async function withRoom(
  { entities, now, tx }: VerbContext,
  numbers: readonly RecordOf<'ops.smsTestNumber'>[],
): Promise<RecordOf<'ops.smsTestNumber'>[]> {
  const since = instantAt(dayOf(now, tx.companyTimeZone), '00:00', tx.companyTimeZone)
  const today = await entities.list('ops.smsTest', {
    where: [
      among(
        'numberId',
        numbers.map(({ id }) => id),
      ),
      { field: 'createdAt', operator: 'gte', value: new Date(since).toISOString() },
    ],
    limit: 100_000,
  })
  const used = new Map<string, number>()
  for (const { numberId } of today) used.set(text(numberId), (used.get(text(numberId)) ?? 0) + 1)
  return numbers.filter(({ id, dailyCap }) => (used.get(text(id)) ?? 0) < Number(dailyCap ?? 0))
}
