import type { ModuleVerb } from '../../module'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const eq = (field: string, value: unknown) => ({ field, operator: 'eq' as const, value })
const among = (field: string, value: readonly unknown[]) => ({ field, operator: 'in' as const, value })

/** `ops.freeNumbers`: what was barred by entries of the blacklist that end is tested again, unless another entry bars it. */
export const verb: ModuleVerb = async ({ entities }, runs) => {
  const over = runs.map(({ subject }) => subject.record)
  const active = await entities.list('ops.testBlack', {
    where: [
      eq('status', 'active'),
      among(
        'value',
        over.map(({ value }) => value),
      ),
    ],
  })
  const ended = new Set(over.map(({ id }) => text(id)))
  const barred = new Set(active.filter(({ id }) => !ended.has(text(id))).map(({ kind, value }) => `${text(kind)}:${text(value)}`))
  for (const kind of ['number', 'device']) {
    const values = over
      .filter((entry) => entry.kind === kind && !barred.has(`${kind}:${text(entry.value)}`))
      .map(({ value }) => value)
    if (values.length === 0) continue
    const rows = await entities.list('ops.smsTestNumber', { where: [eq('status', 'blacklisted'), among(kind, values)] })
    await entities.transitions(
      'ops.smsTestNumber',
      rows.map(({ id }) => text(id)),
      'lift',
    )
  }
}
