import type { DemoRecord, DemoWorld } from '../../../demo'

const DAY = 86_400_000

/** Solutions: name, country, and the channels with their weight and priority by alias; the last one replaced a version. */
const SOLUTIONS = [
  [
    'India OTP',
    'IN',
    'enabled',
    [
      ['India Direct 1', 80, 1],
      ['India Premium 2', 20, 1],
      ['India Wholesale', 100, 2],
    ],
  ],
  [
    'India marketing',
    'IN',
    'enabled',
    [
      ['India Wholesale', 70, 1],
      ['India Premium 2', 30, 1],
    ],
  ],
  [
    'Indonesia blend',
    'ID',
    'enabled',
    [
      ['Indonesia Direct', 60, 1],
      ['Indonesia SIM', 40, 1],
    ],
  ],
  [
    'Brazil blend',
    'BR',
    'enabled',
    [
      ['Brazil Direct', 75, 1],
      ['Global Wholesale A', 25, 1],
    ],
  ],
  [
    'Nigeria failover',
    'NG',
    'disabled',
    [
      ['Nigeria Premium', 100, 1],
      ['Global Wholesale B', 100, 2],
    ],
  ],
  [
    'Thailand blend',
    'TH',
    'draft',
    [
      ['Thailand Direct', 90, 1],
      ['Global Wholesale A', 10, 1],
    ],
  ],
] as const

/** Mix solutions with their lines and versions. */
export function mixSolutions({ rows, now }: DemoWorld): Record<'solutions' | 'lines' | 'versions', DemoRecord[]> {
  const byAlias = new Map((rows['biz.channel'] ?? []).map((channel) => [channel.alias, channel.id]))
  const solutions: DemoRecord[] = []
  const lines: DemoRecord[] = []
  const versions: DemoRecord[] = []
  if (byAlias.size === 0) return { solutions, lines, versions }
  for (const [index, [name, country, status, parts]] of SOLUTIONS.entries()) {
    const id = `mx-${index + 1}`
    const stamp = { createdAt: new Date(now.getTime() - (150 - 20 * index) * DAY).toISOString(), createdBy: '' }
    solutions.push({
      ...{ id, code: `MX${String(index + 1).padStart(4, '0')}`, name, product: 'sms', country, mccmnc: null, customerIds: [] },
      ...{ apps: 0, simulatedPrice: null, status, remark: null, ...stamp },
    })
    const kept = parts.map(([alias, weight, priority]) => ({
      ...{ channelId: byAlias.get(alias), weight, priority, cap: null, failover: priority > 1 },
    }))
    lines.push(
      ...kept.map((line, at) => ({ id: `ml-${index + 1}-${at + 1}`, solutionId: id, position: at + 1, ...line, ...stamp })),
    )
    versions.push({
      ...{ id: `mv-${index + 1}`, solutionId: id, number: 1, at: stamp.createdAt, lines: kept, status: 'current', ...stamp },
      summary: parts.map(([alias, weight, priority]) => `${alias} ${weight}% (${priority})`).join(' · '),
    })
  }
  return { solutions, lines, versions }
}
