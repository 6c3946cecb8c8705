import { hashOf } from '../../../src/schema/process'
import type { Node, ProcessDocument } from '../../../src/schema/generated/process'
import type { DemoWorld } from '../../demo'
import { newId } from '../../platform/database'
import { systemContext } from '../../platform/http'
import { currentProcess } from '../definitions'
import { formHash } from '../forms/store'
import type { WorkflowParts } from '../parts'
import { holder } from './holder'

const DAY = 24 * 3_600_000

/** An earlier version of a process: what was different then, and how many days ago it was published. */
interface Earlier {
  daysAgo: number
  note: string
  change(document: ProcessDocument): void
}

const step = (document: ProcessDocument, id: string): Node => {
  const found = document.nodes.find((node) => node.id === id)
  if (!found) throw new Error(`The process ${document.name} has no step ${id}.`)
  return found
}

/** Three processes have versions from before (money 15): a committee that voted, signatures one after the other with a field that is gone, other limits. */
const earlierVersions = (world: Pick<DemoWorld, 'staff'>): Readonly<Record<string, readonly Earlier[]>> => ({
  crmBlacklist: [
    {
      daysAgo: 200,
      note: '风控委员会三人表决',
      change: (document) =>
        void Object.assign(step(document, 'credit'), {
          label: { zh: '风控委员会表决', en: 'Risk committee votes' },
          assignees: [
            {
              rule: 'staff',
              staff: [holder(world, 'finance'), holder(world, 'legal', 1), holder(world, 'salesLead')],
            },
          ],
          multiMode: 'vote',
          percent: 66,
        }),
    },
  ],
  contractReview: [
    {
      daysAgo: 150,
      note: '会签按顺序进行',
      change: (document) => {
        document.form.fields = {
          ...document.form.fields,
          paperCopies: { type: 'integer', minimum: 1, 'x-label': { zh: '纸质份数', en: 'Paper copies' } },
        }
        Object.assign(step(document, 'leader'), {
          label: { zh: '业务负责人依次会签', en: 'Business leads, one after the other' },
          assignees: [
            { rule: 'staff', staff: [holder(world, 'salesDirector'), holder(world, 'salesLead'), holder(world, 'ceo')] },
          ],
          multiMode: 'sequence',
        })
      },
    },
  ],
  prepay: [
    {
      daysAgo: 300,
      note: '首版：审批时限 16 小时',
      change: (document) => void (step(document, 'leader').limitHours = 16),
    },
    {
      daysAgo: 90,
      note: '直属主管时限改为 6 小时',
      change: (document) => void (step(document, 'leader').limitHours = 6),
    },
  ],
})

/** Puts the versions from before under the current ones, which go up by as many. */
export async function addEarlierVersions(
  { database, engine }: Pick<WorkflowParts, 'database' | 'engine'>,
  world: Pick<DemoWorld, 'now' | 'staff'>,
): Promise<void> {
  const { now } = world
  for (const [code, versions] of Object.entries(earlierVersions(world))) {
    const current = await currentProcess(database, { code })
    if (!current || current.no !== 1) continue
    const rows = versions.map(({ daysAgo, note, change }, index) => {
      const document = structuredClone(current.document)
      change(document)
      const at = new Date(now.getTime() - daysAgo * DAY).toISOString()
      return {
        id: newId(),
        createdAt: at,
        processId: current.processId,
        no: index + 1,
        document: JSON.stringify(document),
        hash: hashOf(document),
        formHash: formHash(document.form),
        source: 'file',
        note,
        publishedAt: at,
        publishedBy: null,
      }
    })
    await engine.transaction(systemContext({ now }), async (entities, tx) => {
      await tx.query('update wf_process_version set no = no + $2 where id = $1', [current.versionId, versions.length])
      await tx.query('update wf_process set version_no = version_no + $2 where id = $1', [current.processId, versions.length])
      await entities.insertMany('wf.processVersion', rows)
    })
  }
}
