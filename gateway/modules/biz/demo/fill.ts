import type { DemoRecord, DemoWorld } from '../../../demo'
import type { Entities } from '../../../entities'
import { applications } from './applications'
import { channelEvents, channelRates, channels } from './channels'
import { mixSolutions } from './mix'
import { marketChannels, numbers, senderIds } from './resources'

/** Channels, solutions, applications and numbers: they stand on customers and suppliers, whose rows come after those of this module. */
export async function fillResources(world: DemoWorld, entities: Entities): Promise<void> {
  const { rows } = world
  const add = async (entity: string, made: readonly DemoRecord[]): Promise<void> => {
    rows[entity] = [...(rows[entity] ?? []), ...made]
    if (made.length > 0) await entities.insertMany(entity, made)
  }
  await add('biz.channel', channels(world))
  await add('biz.channelEvent', channelEvents(world))
  if (entities.has('qm.supplierRate')) await add('qm.supplierRate', channelRates(world))
  await add('biz.channelSenderId', senderIds(world))
  await add('biz.marketChannel', marketChannels(world))
  const { solutions, lines, versions } = mixSolutions(world)
  const apps = applications(world, solutions)
  await add(
    'biz.mixSolution',
    solutions.map((solution) => ({
      ...solution,
      apps: apps.filter(({ mixSolutionId }) => mixSolutionId === solution.id).length,
    })),
  )
  await add('biz.mixLine', lines)
  await add('biz.mixVersion', versions)
  await add('biz.application', apps)
  await add('biz.numberAsset', numbers(world))
  for (const entity of ['biz.channel', 'biz.application', 'biz.mixSolution'])
    await entities.numbers(entity, 'code', rows[entity]?.length ?? 0)
}
