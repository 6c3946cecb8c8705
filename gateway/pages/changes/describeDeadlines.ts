import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { Difference } from '../../../src/schema/overlay'
import type { BilingualText } from '../../../src/schema/problem'

/** How many records each deadline of an entity meets now; null: a field that it reads is not there yet. */
export type DeadlinesMeet = (
  entity: EntityDocument,
) => Promise<readonly { id: string; label: BilingualText; records: number | null }[]>

/** How many records the new and changed deadlines of an entity meet at once: as soon as they are released, these are acted upon. */
export async function describeDeadlines(
  before: EntityDocument | undefined,
  after: EntityDocument | undefined,
  meet: DeadlinesMeet,
): Promise<Difference[]> {
  const known = new Map((before?.['x-deadlines'] ?? []).map((deadline) => [deadline.id, JSON.stringify(deadline)]))
  const fresh = (after?.['x-deadlines'] ?? []).filter((deadline) => known.get(deadline.id) !== JSON.stringify(deadline))
  if (!after || fresh.length === 0) return []
  const acting = new Set(
    fresh.filter(({ transition, delete: deletes }) => transition !== undefined || deletes).map(({ id }) => id),
  )
  return (await meet(after))
    .filter(({ id }) => acting.has(id))
    .map(({ id, label, records }) => ({
      id: `meets x-deadlines/${id}`,
      at: `x-deadlines/${id}`,
      kind: 'changed',
      risk: records !== 0,
      text: tell(label, records),
    }))
}

const tell = (label: BilingualText, records: number | null): BilingualText =>
  records === null
    ? {
        zh: `期限“${label.zh}”现在涉及多少条记录还无法计算：它用到的字段要发布后才有。`,
        en: `How many records the deadline "${label.en}" meets now cannot be told: a field that it reads is there only after the release.`,
      }
    : {
        zh: `期限“${label.zh}”发布后立即涉及 ${records.toLocaleString('en')} 条记录。`,
        en: `The deadline "${label.en}" meets ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} as soon as it is released.`,
      }
